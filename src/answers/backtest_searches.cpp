#include "answers/backtest_searches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "answers/answer.h"
#include "answers/rows.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

double needed_by(const app::SearchedSpace& space, const std::string& search) {
  for (const auto& [name, n] : space.needed) {
    if (name == search) return n;
  }
  return 0;
}

// Of what `random` needs, by search: the geometric mean over the spaces.
std::map<std::string, double> shares_of_random(const std::vector<app::SearchedSpace>& spaces) {
  std::map<std::string, double> shares;
  for (const app::SearchedSpace& space : spaces) {
    for (const auto& [name, n] : space.needed) shares[name] += std::log(n / needed_by(space, "random"));
  }
  for (auto& [name, sum] : shares) sum = std::exp(sum / static_cast<double>(spaces.size()));
  return shares;
}

}  // namespace

void print_searches(const Terminal& terminal, const std::vector<app::SearchedSpace>& spaces,
                    const std::string& split) {
  if (spaces.empty())
    return terminal.print(Lines{std::string("no space of 20 configurations or more in these records")});
  Lines lines = {fmt::format("measurements to 95% of the best of {} spaces, without evidence of their {}",
                             spaces.size(), split),
                 std::string()};
  std::string head, total;
  auto shares = shares_of_random(spaces);
  for (const auto& [name, n] : spaces.front().needed) {
    head += fmt::format("{:>11}", name);
    total += fmt::format("{:>11.2f}", shares[name]);
  }
  lines.emplace_back(fmt::format("{:<56}{:>6}{:>6}{:>9}{}", "space", "rows", "good", "evidence", head));
  for (const app::SearchedSpace& space : spaces) {
    std::string name = space.kernel + ", " + space.gpu + (space.shape.empty() ? "" : ", " + space.shape), row;
    for (const auto& [search, n] : space.needed) row += fmt::format("{:>11.0f}", n);
    lines.emplace_back(fmt::format("{:<56}{:>6}{:>6}{:>9}{}", ellipsis(printable(name), 55), space.rows,
                                   space.good, space.evidence, row));
  }
  lines.emplace_back(fmt::format("{:<77}{}", "of random's, geometric mean", total));
  terminal.print(lines);
}

std::string searches_json(const std::vector<app::SearchedSpace>& spaces, const std::string& split) {
  JsonWriter json;
  begin_answer(json);
  json.field("split", split);
  json.key("spaces");
  json.begin_array();
  for (const app::SearchedSpace& space : spaces) {
    json.begin_object();
    json.field("kernel", space.kernel);
    json.field("gpu", space.gpu);
    json.field("shape", space.shape);
    json.field("rows", space.rows);
    json.field("good", space.good);
    json.field("evidence", space.evidence);
    json.key("needed");
    json.begin_object();
    for (const auto& [name, n] : space.needed) json.field(name, rounded(n));
    json.end_object();
    json.end_object();
  }
  json.end_array();
  json.key("of_random");
  json.begin_object();
  for (const auto& [name, share] : shares_of_random(spaces)) json.field(name, rounded(share));
  json.end_object();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
