#include "bench/judge/sanitizer_report.h"

#include <doctest/doctest.h>

using namespace explog::bench;

TEST_CASE("a sanitizer's finding is the first line about the kernel") {
  CHECK(sanitizer_finding("memcheck",
                          "========= COMPUTE-SANITIZER\n========= Invalid __global__ write of size 4 bytes\n"
                          "=========     at solve+0x10\n") == "Invalid __global__ write of size 4 bytes");
  CHECK(sanitizer_finding("racecheck", "") == "errors without a report");
}

TEST_CASE("what the harness copies out is nothing against a kernel") {
  const std::string head = "========= COMPUTE-SANITIZER\n",
                    copied =
                        "========= Host API memory access error at host access to 0x7f of size 33024 bytes\n"
                        "=========     Uninitialized access at 0x7f on access by cudaMemcpy source\n";
  CHECK(sanitizer_finding("initcheck", head + copied).empty());
  CHECK(sanitizer_finding("memcheck", head + copied).starts_with("Host API memory access error"));
  std::string read = "========= Uninitialized __global__ memory read of size 4 bytes\n";
  CHECK(sanitizer_finding("initcheck", head + read) ==
        "Uninitialized __global__ memory read of size 4 bytes");
}
