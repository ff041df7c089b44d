// Changes of sources that nobody declared: what is changed, and what is left alone.
#include <doctest/doctest.h>

#include <algorithm>

#include "campaign/diff.h"
#include "campaign/edits.h"

using namespace explog::campaign;

namespace {

const char* const kernel = R"(constexpr int threads = 128;
__global__ void rows(const float* x, float* y, int N) {
  // for (;;) x[0] stays as it is
  for (int r = 0; r < N; ++r) {
    for (int i = 0; i < N; ++i) y[i] = expf(x[i + N]);
  }
}

extern "C" void solve(const float* x, float* y, int N) {
  rows<<<(N + 127) / 128, threads>>>(x, y, N);
}
)";

// The diff of the one edit that says so.
std::string diff_of(const std::string& source, const std::string& change, Language language) {
  for (const SourceEdit& edit : source_edits(source, language))
    if (edit.change == change) return unified_diff(source, edit.text, "a", "b");
  std::string all;
  for (const SourceEdit& edit : source_edits(source, language)) all += edit.change + "\n";
  return "no such edit, but:\n" + all;
}

}  // namespace

TEST_CASE("each edit of a CUDA kernel is one change, by the words of its diff") {
  CHECK(diff_of(kernel, "__launch_bounds__(threads) for rows", Language::cuda) ==
        "--- a\n+++ b\n@@ -1,5 +1,5 @@\n constexpr int threads = 128;\n"
        "-__global__ void rows(const float* x, float* y, int N) {\n"
        "+__global__ void __launch_bounds__(threads) rows(const float* x, float* y, int N) {\n"
        "   // for (;;) x[0] stays as it is\n   for (int r = 0; r < N; ++r) {\n"
        "     for (int i = 0; i < N; ++i) y[i] = expf(x[i + N]);\n");
  CHECK(diff_of(kernel, "#pragma unroll 4 at inner loop 1 of 1", Language::cuda)
            .find("+    #pragma unroll 4\n     for (int i = 0;") != std::string::npos);
  CHECK(diff_of(kernel, "__restrict__ for the pointers of rows", Language::cuda)
            .find("+__global__ void rows(const float* __restrict__ x, float* __restrict__ y, int N) {") !=
        std::string::npos);
  CHECK(diff_of(kernel, "__ldg for x of rows", Language::cuda).find("y[i] = expf(__ldg(&x[i + N]));") !=
        std::string::npos);
  CHECK(
      diff_of(kernel, "intrinsics instead of exact functions", Language::cuda).find("= __expf(x[i + N]);") !=
      std::string::npos);
  CHECK(diff_of(kernel, "nvcc -use_fast_math for the file", Language::cuda) ==
        "--- a\n+++ b\n@@ -1,3 +1,4 @@\n+// nvcc: -use_fast_math\n constexpr int threads = 128;\n"
        " __global__ void rows(const float* x, float* y, int N) {\n"
        "   // for (;;) x[0] stays as it is\n");
  CHECK(source_edits(kernel, Language::cuda).size() == 10);
}

TEST_CASE("what a source has already is turned") {
  std::string bounded = kernel;
  bounded.replace(bounded.find("void rows"), 4, "void __launch_bounds__(128)");
  CHECK(diff_of(bounded, "at least 2 blocks a multiprocessor for rows", Language::cuda)
            .find("+__global__ void __launch_bounds__(128, 2) rows(") != std::string::npos);
  std::string unrolled = kernel;
  unrolled.insert(unrolled.find("    for (int i"), "    #pragma unroll 8\n");
  for (const char* factor : {"4", "16"})
    CHECK(diff_of(unrolled, std::string("#pragma unroll ") + factor + " at inner loop 1 of 1", Language::cuda)
              .find(std::string("-    #pragma unroll 8\n+    #pragma unroll ") + factor + "\n") !=
          std::string::npos);
}

TEST_CASE("edits of C++ are those that a host's compiler knows") {
  const std::string source =
      "#include <cmath>\n\nextern \"C\" void solve(const float* x, float* y, int N) {\n"
      "  for (int i = 0; i < N; ++i) y[i] = std::exp(x[i]);\n}\n";
  CHECK(diff_of(source, "#pragma GCC unroll 4 at inner loop 1 of 1", Language::cxx)
            .find("+  #pragma GCC unroll 4\n") != std::string::npos);
  CHECK(diff_of(source, "__restrict__ for the pointers of solve", Language::cxx)
            .find("solve(const float* __restrict__ x, float* __restrict__ y, int N)") != std::string::npos);
  CHECK(diff_of(source, "#pragma GCC optimize(\"fast-math\") for the file", Language::cxx)
            .find(" #include <cmath>\n+#pragma GCC optimize(\"fast-math\")\n") != std::string::npos);
  auto edits = source_edits(source, Language::cxx);
  CHECK(edits.size() == 5);
  auto launches = [](const SourceEdit& e) { return e.strategy == "launch_bounds"; };
  CHECK(std::none_of(edits.begin(), edits.end(), launches));
}

TEST_CASE("sources that end in the midst of things have no edits there") {
  for (const char* source :
       {"", "__global__", "__global__ void f(", "for", "for (", "/* for (", "\"for (;;)", "const",
        "__global__ void __launch_bounds__(", "__global__ void f(const float*", "solve"}) {
    for (Language language : {Language::cuda, Language::cxx})
      for (const SourceEdit& e : source_edits(source, language)) CHECK(e.text != source);
  }
}

TEST_CASE("a diff as diff -u writes it") {
  CHECK(unified_diff("a\n", "a\n", "x", "y") == "");
  const std::string object(
      "\x7f"
      "ELF\0\n",
      6);
  CHECK(unified_diff(object, object + "a", "x.o", "y.o") == "Binary files x.o and y.o differ\n");
  CHECK(unified_diff(object, object, "x.o", "y.o") == "");
  CHECK(unified_diff("", "a\n", "x", "y") == "--- x\n+++ y\n@@ -0,0 +1 @@\n+a\n");
  CHECK(unified_diff("a\nb\nc\n", "a\nc\n", "x", "y") == "--- x\n+++ y\n@@ -1,3 +1,2 @@\n a\n-b\n c\n");
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "0\n2\n3\n4\n5\n6\n7\n8\n0\n", "x", "y") ==
        "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-1\n+0\n 2\n 3\n 4\n@@ -6,4 +6,4 @@\n 6\n 7\n 8\n-9\n+0\n");
}

TEST_CASE(
    "a flag that a CUDA source asks for already is not proposed again, another value of it takes its place") {
  const std::string capped = "// nvcc: -use_fast_math --maxrregcount=64\n" + std::string(kernel);
  for (const SourceEdit& edit : source_edits(capped, Language::cuda)) CHECK(edit.text != capped);
  CHECK(diff_of(capped, "nvcc --maxrregcount=32 for the file", Language::cuda)
            .find("+// nvcc: -use_fast_math --maxrregcount=32\n") != std::string::npos);
  CHECK(diff_of(capped, "nvcc -use_fast_math for the file", Language::cuda).starts_with("no such edit"));
  CHECK(diff_of(kernel, "nvcc -use_fast_math for the file", Language::cxx).starts_with("no such edit"));
}
