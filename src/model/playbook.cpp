#include "model/playbook.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "model/json.h"
#include "model/packed_strategy.h"

namespace explog {

void Playbook::add(Strategy strategy) {
  auto at = std::find_if(strategies_.begin(), strategies_.end(),
                         [&](const Strategy& s) { return s.id == strategy.id; });
  if (at != strategies_.end()) {
    *at = std::move(strategy);
  } else {
    strategies_.push_back(std::move(strategy));
  }
}

std::vector<std::string> strategy_files(const std::string& data_dir) {
  const std::string folder = data_dir + "/strategies";
  return files_in(data_dir.empty() || !std::filesystem::exists(folder) ? "" : folder);
}

Playbook Playbook::load(const std::string& data_dir) {
  Playbook playbook;
  auto built_in = split(packed_playbook(), '\n');
  playbook.strategies_.reserve(built_in.size());
  for (std::string_view packed : built_in) {
    if (!packed.empty()) playbook.strategies_.push_back(unpack_strategy(packed));
  }
  for (const std::string& path : strategy_files(data_dir)) {
    std::string name = std::filesystem::path(path).filename().string();
    if (name == "README.md" || std::filesystem::path(path).extension() != ".md") continue;
    try {
      playbook.add(parse_strategy(name, read_file(path)));
    } catch (const JsonError& e) {
      throw Error(Exit::usage, printable(path) + ": " + printable(e.what()),
                  "strategies/README.md describes the format");
    }
  }
  auto before = [](const Strategy& a, const Strategy& b) { return a.id < b.id; };
  auto& all = playbook.strategies_;  // those built in come sorted: they are large, and stay where they are
  if (!std::is_sorted(all.begin(), all.end(), before)) std::sort(all.begin(), all.end(), before);
  for (const Strategy& s : playbook.strategies_) {
    for (const std::string& alias : s.aliases) playbook.aliases_.emplace(alias, s.id);
  }
  return playbook;
}

std::string Playbook::prose(const Strategy& strategy) {
  if (!strategy.prose.empty()) return strategy.prose;
  std::string path = "strategies/" + replace_all(strategy.id, ":", ".") + ".md";
  auto text = embedded_file(path);
  return text ? std::string(text->substr(text->find("\n---\n") + 5)) : "";
}

const Strategy* Playbook::find(std::string_view name) const {
  auto alias = aliases_.find(name);
  std::string_view id = alias != aliases_.end() ? std::string_view(alias->second) : name;
  auto at = std::lower_bound(strategies_.begin(), strategies_.end(), id,
                             [](const Strategy& s, std::string_view x) { return s.id < x; });
  return at != strategies_.end() && at->id == id ? &*at : nullptr;
}

std::string Playbook::resolve(const std::string& name) const {
  auto alias = aliases_.find(name);
  return alias != aliases_.end() ? alias->second : name;
}

std::vector<std::string> Playbook::names() const {
  std::vector<std::string> list;
  for (const Strategy& s : strategies_) {
    list.push_back(s.id);
    list.insert(list.end(), s.aliases.begin(), s.aliases.end());
  }
  return list;
}

std::vector<std::string> check_playbook(const Playbook& playbook) {
  std::vector<std::string> faults;
  std::set<std::string> ids, aliases;
  for (const Strategy& s : playbook.all()) ids.insert(s.id);
  for (const Strategy& s : playbook.all()) {
    for (const std::string& alias : s.aliases) {
      if (ids.count(alias) != 0)
        faults.push_back(s.id + ": alias '" + alias + "' is the id of another strategy");
      if (!aliases.insert(alias).second) faults.push_back(s.id + ": alias '" + alias + "' is used twice");
    }
    using Named = std::pair<const char*, const std::vector<std::string>*>;
    for (auto [key, others] : {Named{"conflicts", &s.conflicts}, Named{"after", &s.after},
                               Named{"builds_on", &s.builds_on}, Named{"replaces", &s.replaces}}) {
      for (const std::string& other : *others) {
        if (ids.count(other) == 0) faults.push_back(s.id + ": " + key + " names no strategy '" + other + "'");
      }
    }
  }
  return faults;
}

}  // namespace explog
