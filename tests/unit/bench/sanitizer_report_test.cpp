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

TEST_CASE("what a tool cannot watch is nothing against a kernel, and no pass either") {
  const std::string head = "========= COMPUTE-SANITIZER\n",
                    sum =
                        "========= \n========= RACECHECK SUMMARY: 1 hazard displayed (0 errors, 1 warning)\n",
                    started =
                        "========= Warning: CUDA Dynamic Parallelism is not supported by the selected tool\n";
  CHECK(sanitizer_finding("racecheck", head + started + sum).empty());
  CHECK(sanitizer_limit(head + started + sum) ==
        "Warning: CUDA Dynamic Parallelism is not supported by the selected tool");
  std::string lost =
      "========= Internal Sanitizer Error: The Sanitizer encountered an error while launching add\n"
      "=========     Saved host backtrace up to driver entry point at kernel launch time\n";
  CHECK(sanitizer_finding("memcheck", head + lost).empty());
  CHECK(sanitizer_limit(head + lost).starts_with("Internal Sanitizer Error"));
  std::string race =
      "========= Error: Race reported between Write access at add(const float *, int)+0x120\n"
      "=========     and Read access at add(const float *, int)+0x1a0 [400000 hazards]\n";
  CHECK(sanitizer_finding("racecheck", head + lost + race + sum) ==
        "Error: Race reported between Write access at add(const float *, int)+0x120");
  CHECK(sanitizer_limit(head + race + sum).empty());
}
