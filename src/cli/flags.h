// Flags that several commands share, and how "N=4096,D=64" becomes facts.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "model/experience.h"

namespace explog::cli {

// For numbers of things and seconds.
CLI::Validator zero_or_more();

// "N=4096,D=64" or several such texts. Throws Error(usage) naming `flag` and the entry that is wrong.
Facts parse_facts(const std::vector<std::string>& texts, const std::string& flag);
Params parse_params(const std::vector<std::string>& texts, const std::string& flag);

// Canonical name of an architecture or a card. Throws Error(usage) naming --arch.
std::string arch_named(const std::string& text);

// Every field of an experience as a flag: --kernel (kernel_type), --kernel-name (kernel), --latency-before
// (…_ms), ...
struct ExperienceFlags {
  std::vector<std::pair<const Field*, std::vector<std::string>>> values;  // in the order of the fields
  void add_to(CLI::App& app, bool for_defaults);
  // Sets what was given; fields that were not given stay.
  void apply(Experience& e, bool only_empty) const;
  bool given(std::string_view field) const;
};

// kernel/backend/arch as a search of `list` and `export`.
struct FilterFlags {
  std::string kernel, backend, arch, bottleneck, outcome, strategy, level;
  void add_to(CLI::App& app);
  std::string search_text() const;  // in the language of `search`
};

}  // namespace explog::cli
