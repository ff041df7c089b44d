// What a campaign was started with: written once to campaign.json, then it holds (schema/formats/campaign.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::campaign {

constexpr int campaign_format = 1;  // of campaign.json and campaign.jsonl

// seed: stops after versions without gain, and a certain gain below the judge's threshold is kept and ends it.
// strict: such a gain is reverted. explore: as strict, and versions without gain do not end it.
enum class Rules { seed, strict, explore };
std::string_view word(Rules rules);
std::vector<std::string> rule_names();
Rules rules_named(const std::string& text);  // throws JsonError

struct Limits {
  int max_versions = 25;  // judged ones; the baseline is none
  double minutes = 10;    // for one version
  double shape_s = 30;    // of timing a shape
  double budget_s = 0;    // of judging, all versions together; 0: none
  int no_gain = 2;        // versions in a row without gain that end it
  double noise = 0.01;    // half-width of the baseline against itself that is too wide to judge by
};

// How a file is called and what it holds.
struct KnownFile {
  std::string file, hash;  // BLAKE2b-128 in hex
};

// Commands of the user's that judge what is no kernel; empty where a task does.
struct External {
  std::string measure, check, folder;  // folder: where they run
  bool given() const { return !measure.empty(); }
};

struct Contract {
  std::string id;  // "rope-20261122-1"
  std::string task, task_hash, kernel_type, backend, arch, dtype;
  KnownFile baseline;  // the user's file, by its absolute path
  std::vector<std::string> compiler_flags;
  bool allow_in_process = false;  // a gain counts although the version's own process had to be timed (GPU)
  External external;
  std::string before, after;  // commands that hear of each version
  std::string lock_clocks;    // MHz or max; empty: they are left alone
  std::string reference;      // "reference.cpp", "reference.py (NumPy)"; empty where it is not known
  Rules rules = Rules::seed;
  Limits limits;
  std::string commit;  // HEAD of the repository of the user's file at the start; empty where there was none
  std::string explog, created;  // version of the program; "2026-11-22T10:00:00Z"
};

std::string to_json(const Contract& contract);   // one document with a newline
Contract parse_contract(std::string_view json);  // throws JsonError naming the field

}  // namespace explog::campaign
