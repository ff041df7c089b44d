// Flags of nvcc that a source asks for in its own text.
#include "model/source_flags.h"

#include <doctest/doctest.h>

using namespace explog;

TEST_CASE("a source may ask for what changes its own code, and for nothing else") {
  for (const char* flag :
       {"-use_fast_math", "--use_fast_math", "-ftz=true", "--prec-div=false", "-fmad=false",
        "--maxrregcount=64", "-maxrregcount=255", "-Xptxas=-dlcm=cg", "-extra-device-vectorization"})
    CHECK_MESSAGE(may_ask_for(flag), flag);
  for (const char* flag : {"",
                           "-",
                           "-rdc=true",
                           "-include",
                           "-include=x.h",
                           "-DEXPLOG_CUDA=0",
                           "-Ix",
                           "-lcuda",
                           "-Xcompiler=-O0",
                           "-Xcompiler=-fplugin=x.so",
                           "-ccbin=x",
                           "@options",
                           "-optf=x",
                           "--maxrregcount=8",
                           "--maxrregcount=64.5",
                           "--maxrregcount=-1",
                           "--maxrregcount=64,-lx",
                           "-Xptxas=-dlcm=x",
                           "-Xptxas=-v",
                           "-ftz=maybe",
                           "-use_fast_math=x",
                           "-use_fast_math;true",
                           "x.cu",
                           "--run",
                           "-arch=sm_90"})
    CHECK_MESSAGE(!may_ask_for(flag), flag);
}

TEST_CASE("the flags of a source are the words of its lines that name nvcc") {
  using Flags = std::vector<std::string>;
  CHECK(flags_in_source("int a;\n").empty());
  CHECK(flags_in_source("// nvcc: -fmad=false  -rdc=true\n#define X 1\n// nvcc:\n// nvcc: x") ==
        Flags{"-fmad=false", "-rdc=true", "x"});
  CHECK(flags_in_source("  // nvcc: -fmad=false\n//nvcc: a\n").empty());
}

TEST_CASE("a flag is put first, in the place of one of its name") {
  CHECK(with_flag("int a;", "-fmad=false") == "// nvcc: -fmad=false\nint a;");
  CHECK(with_flag("// nvcc: -ftz=true --maxrregcount=32\nint a;\n", "-maxrregcount=64") ==
        "// nvcc: -ftz=true -maxrregcount=64\nint a;\n");
  CHECK(with_flag("", "-fmad=false") == "// nvcc: -fmad=false\n");
  CHECK(with_flag("// nvcc:", "-fmad=false") == "// nvcc: -fmad=false");
}
