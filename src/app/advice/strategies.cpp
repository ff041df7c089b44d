#include "app/advice/strategies.h"

#include <algorithm>
#include <filesystem>

#include "app/session/names.h"
#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "model/json.h"
#include "model/kernel_type.h"

namespace explog::app {
namespace {

// An empty list stands for all words, and so does an empty word.
bool among(const std::vector<std::string>& list, const std::string& word) {
  return word.empty() || list.empty() || std::find(list.begin(), list.end(), word) != list.end();
}

// A family may be one that only a strategy of the user's own knows.
std::string family_named(const std::string& text, const Playbook& playbook) {
  std::string family = family_of(canonical_kernel_type(text));
  std::vector<std::string> known = known_families();
  for (const Strategy& s : playbook.all()) known.insert(known.end(), s.families.begin(), s.families.end());
  if (std::find(known.begin(), known.end(), family) != known.end()) return family;
  throw Error(Exit::usage, "--family: unknown '" + printable(text) + "'" + did_you_mean(text, known),
              "`explog strategies list --families` lists them");
}

StrategyFilter canonical_filter(const StrategyFilter& given, const Playbook& playbook) {
  StrategyFilter filter = given;
  if (!given.backend.empty()) filter.backend = word_of(Vocabulary::backend, given.backend, "--backend");
  if (!given.family.empty()) filter.family = family_named(given.family, playbook);
  if (!given.category.empty()) filter.category = word_of(Vocabulary::category, given.category, "--category");
  return filter;
}

void check_file(const std::filesystem::path& path, std::string_view text, PlaybookCheck& check) {
  std::string name = path.filename().string();
  if (name == "README.md" || name.size() < 4 || !name.ends_with(".md")) return;
  ++check.files;
  try {
    parse_strategy(name, text);
  } catch (const JsonError& e) {
    check.faults.push_back(path.string() + ": " + e.what());
  }
}

}  // namespace

std::vector<Strategy> select_strategies(const StrategyFilter& given, const Playbook& playbook) {
  StrategyFilter filter = canonical_filter(given, playbook);
  std::vector<Strategy> chosen;
  for (const Strategy& s : playbook.all()) {
    if (among(s.backends, filter.backend) && among(s.families, filter.family) &&
        (filter.category.empty() || s.category == filter.category))
      chosen.push_back(s);
  }
  return chosen;
}

std::vector<Strategy> strategies_named(const std::vector<std::string>& names, const Playbook& playbook) {
  std::vector<Strategy> found;
  for (const std::string& name : names) {
    const Strategy* strategy = playbook.find(name);
    if (strategy == nullptr)
      throw Error(Exit::usage, "no strategy '" + printable(name) + "'" + did_you_mean(name, playbook.names()),
                  "`explog strategies` lists them");
    found.push_back(*strategy);
  }
  return found;
}

PlaybookCheck check_strategies(const Session& session) {
  PlaybookCheck check;
  for (const EmbeddedFile& file : embedded_files()) {
    std::filesystem::path path(file.path);
    if (path.parent_path() == "strategies") check_file(path, file.text, check);
  }
  for (const std::string& path : strategy_files(session.data_dir)) check_file(path, read_file(path), check);
  if (check.faults.empty()) check.faults = check_playbook(session.playbook());
  return check;
}

}  // namespace explog::app
