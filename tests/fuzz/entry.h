// The entry point of a libFuzzer build; in the test executable the target is called by name instead.
#pragma once
#ifdef EXPLOG_FUZZ_MAIN
#include <cstddef>
#include <cstdint>
#include <string_view>

#define EXPLOG_FUZZ_ENTRY(function)                                                      \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {    \
    explog::fuzz::function(std::string_view(reinterpret_cast<const char*>(data), size)); \
    return 0;                                                                            \
  }
#else
#define EXPLOG_FUZZ_ENTRY(function)
#endif
