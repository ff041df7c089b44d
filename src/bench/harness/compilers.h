// Compilers of this machine, and what lies beside them.
#pragma once
#include <string>

namespace explog::bench {

// $CXX, c++, g++ or clang++ on the PATH. Throws Error(unavailable) when there is none.
std::string find_cxx();
// $EXPLOG_NVCC, nvcc on the PATH, /usr/local/cuda/bin/nvcc. Throws Error(unavailable) when there is none.
std::string find_nvcc();
// "CUDA 13.0.88", or the first line of --version. Throws Error(unavailable) when the compiler does not run.
std::string version_of(const std::string& compiler);

// libcupti.so of the toolkit an nvcc belongs to, or empty; the folder of its headers.
std::string find_cupti(const std::string& nvcc);
std::string cupti_headers(const std::string& nvcc);
std::string find_cuobjdump(const std::string& nvcc);  // or empty

}  // namespace explog::bench
