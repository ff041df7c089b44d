#include "bench/harness/unseen_inputs.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "base/text.h"

namespace explog::bench {
namespace {

// Of gcc, clang and nvcc, with what follows them in the same word.
constexpr std::array<std::string_view, 18> reading = {"-l",
                                                      "-L",
                                                      "-B",
                                                      "-T",
                                                      "-Wl,",
                                                      "-Wa,",
                                                      "-specs",
                                                      "--specs",
                                                      "-wrapper",
                                                      "-fplugin",
                                                      "-fprofile-use",
                                                      "-fauto-profile",
                                                      "@",
                                                      "-optf",
                                                      "--options-file",
                                                      "--library",
                                                      "-Xlinker",
                                                      "-Xassembler"};

// Libraries that a system or toolkit brings, shared ones: nobody changes them between two calls.
bool of_system(std::string_view flag) {
  constexpr std::array<std::string_view, 6> names = {"-lm", "-lpthread", "-ldl", "-lrt", "-lgomp", "-lnvrtc"};
  return flag.starts_with("-lcu") || std::find(names.begin(), names.end(), flag) != names.end();
}

bool reads(std::string_view word) {
  auto begins = [&](std::string_view with) { return word.starts_with(with); };
  if (word != "-lineinfo" && std::any_of(reading.begin(), reading.end(), begins)) return true;
  std::error_code ignored;
  return !word.empty() && word.front() != '-' && std::filesystem::is_regular_file(word, ignored);
}

// "-Xcompiler=-Wa,@file" too, and what stands behind "-Xcompiler".
bool reads_in_parts(std::string_view flag) {
  constexpr std::string_view passed_on = "-Xcompiler=";
  if (flag.starts_with(passed_on)) flag.remove_prefix(passed_on.size());
  auto parts = split(flag, ',');
  return reads(flag) || std::any_of(parts.begin(), parts.end(), reads);
}

}  // namespace

bool may_read_unseen(const std::vector<std::string>& flags) {
  std::vector<std::string> rest;
  std::copy_if(flags.begin(), flags.end(), std::back_inserter(rest),
               [](const std::string& flag) { return !of_system(flag); });
  bool library = rest.size() < flags.size();
  return (library && std::getenv("LIBRARY_PATH") != nullptr) ||
         std::any_of(rest.begin(), rest.end(), reads_in_parts);
}

}  // namespace explog::bench
