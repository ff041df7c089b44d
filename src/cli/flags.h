// Flags that several commands share, and how "N=4096,D=64" becomes facts.
#pragma once
#include <string>
#include <vector>

#include "answers/rows.h"
#include "cli/arguments.h"
#include "cli/context.h"
#include "model/experience.h"

namespace explog::cli {

// "N=4096,D=64" or several such texts. Throws Error(usage) naming `flag` and the entry that is wrong.
Facts parse_facts(const std::vector<std::string>& texts, const std::string& flag);
Params parse_params(const std::vector<std::string>& texts, const std::string& flag);

// Every field of an experience as a flag: --kernel (kernel_type), --kernel-name (kernel), --latency-before
// (latency_before_ms), ...
struct ExperienceFlags {
  std::vector<std::pair<const Field*, std::vector<std::string>>> values;  // in the order of the fields
  void add_to(Arguments& arguments, bool for_defaults);
  // Sets the fields that were given, with `only_empty` those of them that `e` leaves open.
  void apply(Experience& e, bool only_empty) const;
  bool given(std::string_view field) const;
};

// For a subcommand that takes none: words it would ignore are a slip. `command`: "trust list". Throws Error(usage).
void expect_no_words(const std::string& command, const std::vector<std::string>& words,
                     const std::string& hint);

// The filters of `list`, `search` and `export`.
struct FilterFlags {
  std::string kernel, backend, arch, bottleneck, outcome, strategy, level;
  void add_to(Arguments& arguments);
  // In the language of `search`, with `more_words` behind. Throws Error(usage) for a word that no vocabulary has.
  std::string search_text(const std::vector<std::string>& more_words) const;
};

// --csv, --markdown and --jsonl of a command that prints rows (--json is global).
struct FormatFlags {
  bool csv = false, markdown = false, jsonl = false;
  void add_to(Arguments& arguments);
  answers::Format format(const Context& context) const;
};

}  // namespace explog::cli
