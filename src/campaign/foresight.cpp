#include "campaign/foresight.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace explog::campaign {
namespace {

// The rung, what it changes, what that changes, and so on; the file at the end is no rung.
std::vector<std::string> down_from(std::string file, const std::vector<Rung>& rungs) {
  std::vector<std::string> all = {file};
  for (std::size_t i = rungs.size(); i-- > 0;) {
    if (rungs[i].file == file) all.push_back(file = rungs[i].after);
  }
  return all;
}

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

}  // namespace

std::vector<double> promises_ahead(const std::vector<Rung>& rungs) {
  constexpr double patience = 0.7;  // of what is a step away: the step before it may fail
  std::map<std::string, double> best_behind;
  std::vector<double> ahead(rungs.size());
  for (std::size_t i = rungs.size(); i-- > 0;) {
    const Rung& rung = rungs[i];
    auto behind = best_behind.find(rung.file);
    ahead[i] = rung.promise + (behind == best_behind.end() ? 0 : patience * behind->second);
    double& before = best_behind[rung.after];
    before = std::max(before, ahead[i]);
  }
  return ahead;
}

std::vector<double> promises_so_far(const std::vector<Rung>& rungs) {
  std::map<std::string, double> of;
  std::vector<double> all;
  for (const Rung& rung : rungs) all.push_back(of[rung.file] = of[rung.after] + rung.promise);
  return all;
}

Times with_what_is_below(const Times& measured, const std::vector<Rung>& rungs) {
  Times all = measured;
  for (std::size_t i = rungs.size(); i-- > 0;) {
    auto above = all.find(rungs[i].file);
    if (above == all.end() || above->second <= 0 || measured.contains(rungs[i].after)) continue;
    const double ms = above->second * std::exp(rungs[i].promise);
    auto [below, is_new] = all.emplace(rungs[i].after, ms);
    if (!is_new) below->second = std::min(below->second, ms);
  }
  return all;
}

Way way_between(const std::string& from, const std::string& to, const std::vector<Rung>& rungs) {
  const std::vector<std::string> of_from = down_from(from, rungs), of_to = down_from(to, rungs);
  Way way;
  for (const std::string& file : of_to) {
    if (!has(of_from, file)) way.up.insert(way.up.begin(), file);
  }
  for (const std::string& file : of_from) {
    if (!has(of_to, file) && !from.empty()) way.down.push_back(file);
  }
  // The naive kernel, on which all stands, is no change.
  if (from.empty() && way.up.size() > 1) way.up.erase(way.up.begin());
  return way;
}

std::string strategy_of(const std::vector<std::string>& brought, const std::vector<std::string>& gone,
                        const std::string& file) {
  constexpr std::size_t longest = 100;  // records cut what is much longer
  std::vector<std::string> named;
  for (const std::string& strategy : brought) {
    if (!has(named, strategy)) named.push_back(strategy);
  }
  for (const std::string& strategy : gone) {
    if (!has(named, strategy) && !has(named, "no_" + strategy)) named.push_back("no_" + strategy);
  }
  std::string text = join(named, "+");
  return text.size() > longest ? "several:" + file : text;
}

bool brings(std::string_view strategy_of_version, std::string_view strategy) {
  return has_part(strategy_of_version, '+', strategy);
}

}  // namespace explog::campaign
