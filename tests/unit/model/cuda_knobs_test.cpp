#include "model/cuda_knobs.h"

#include <doctest/doctest.h>

#include "base/text.h"

using namespace explog;

namespace {

std::string found(const std::string& source) {
  std::string text;
  for (const FoundConstant& c : found_in_cuda(source, "k.cu")) {
    text += c.knob.name;
    for (double value : c.knob.values) text += " " + number_text(value);
    text += " @" + c.knob.place + (c.needs.empty() ? "" : "; " + c.needs) + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("sizes of a CUDA source are found, with what must be written before they are knobs") {
  CHECK(found("#define BLOCK 256\nconstexpr int TILE = 32;\n__shared__ float s[TILE][TILE];\n"
              "k<<<n / BLOCK, BLOCK>>>();\n") ==
        "BLOCK 128 256 512 @k.cu:1: #define; #ifndef BLOCK before it, #endif behind it\n"
        "TILE 16 32 64 @k.cu:2: constant; #ifndef TILE, #define TILE 32, #endif instead of it\n");
  CHECK(found("#ifndef BLOCK\n#  define BLOCK 128\n#endif\nint x[BLOCK];\n") ==
        "BLOCK 64 128 256 @k.cu:2: #define\n");
  CHECK(found("#if !defined(V)\n#define V 4\n#endif\nint x[V];\n") == "V 2 4 8 @k.cu:2: #define\n");
  CHECK(found("static constexpr unsigned A = 8; const std::size_t B = 16;\nint x[A * B];\n") ==
        "A 4 8 16 @k.cu:1: constant; #ifndef A, #define A 8, #endif instead of it\n"
        "B 8 16 32 @k.cu:1: constant; #ifndef B, #define B 16, #endif instead of it\n");
}

TEST_CASE("what is no size of this kernel is left alone") {
  CHECK(found("#define BLOCK 256\n").empty());                         // used nowhere
  CHECK(found("#ifndef BLOCK\n#define BLOCK 256\n#endif\n").empty());  // nor here
  CHECK(found("#define BLOCK 256\n// BLOCK\n").empty());               // a comment is no use
  CHECK(found("#define BLOCK 256\nint BLOCKS;\n").empty());            // nor another name
  CHECK(found("#define N 100\nint x[N];\n").empty());                  // no power of two
  CHECK(found("#define ON 1\nint x[ON];\n").empty());                  // a flag
  CHECK(found("#define BIG 65536\nint x[BIG];\n").empty());            // no size of a block
  CHECK(found("#define BLOCK(x) 64\nint x[BLOCK(1)];\n").empty());     // a function
  CHECK(found("#define BLOCK (64u)\nint x[BLOCK];\n").empty());        // the search reads plain numbers
  CHECK(found("#define WARP_SIZE 32\nint x[WARP_SIZE];\n").empty());   // not to be chosen
  CHECK(found("#define B 64\n#undef B\n#define B 128\nint x[B];\n").empty());  // which of the two?
  CHECK(found("constexpr int T = 32 * 2;\nint x[T];\n").empty());              // computed
  CHECK(found("constexpr float F = 32;\nint x[int(F)];\n").empty());
  CHECK(found("// #define BLOCK 256\nint x[BLOCK];\n").empty());
}

TEST_CASE("at most sixteen") {
  std::string source;
  for (int i = 0; i < 20; ++i)
    source += "#define B" + std::to_string(i) + " 64\nint x" + std::to_string(i) + "[B" + std::to_string(i) +
              "];\n";
  CHECK(found_in_cuda(source, "k.cu").size() == 16);
}
