// How a fuzz target says that a rule does not hold.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <string>

namespace explog::fuzz {

[[noreturn]] inline void broken(const char* rule, const std::string& record) {
  std::fprintf(stderr, "fuzz: %s: %s\n", rule, record.c_str());
  std::abort();
}

}  // namespace explog::fuzz
