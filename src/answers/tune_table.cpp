// The ten best configurations of a search with their intervals, and which knobs mattered: as the report has them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "answers/tune.h"
#include "base/text.h"

namespace explog::answers {
namespace {

std::string tie_word(const app::TuneAnswer& a, const app::TimedRow& row) {
  if (&row == &a.fastest.front()) return "first";
  return app::is_tie(row, a.fastest.front()) ? "tie" : "";
}

void print_fastest(const Terminal& terminal, const app::TuneAnswer& a) {
  RowPrinter printer(terminal, Format::text);
  printer.header({"configuration", "ms", "99% interval", "original / this", ""});
  printer.can_miss({"99% interval", "original / this"});
  printer.align_right({"ms", "99% interval", "original / this"});
  double original = a.tuned.original_ms;
  for (const app::TimedRow& row : a.fastest)
    printer.row({app::settings_words(row), short_number(row.ms, 4),
                 short_number(row.lo(), 4) + " to " + short_number(row.hi(), 4),
                 original > 0 ? fmt::format("{:.3f}x", original / row.ms) : std::string(), tie_word(a, row)});
  printer.finish();
}

void print_shares(const Terminal& terminal, const app::TuneAnswer& a) {
  RowPrinter printer(terminal, Format::text);
  printer.header({"knob", "share of variance", "spread"});
  printer.align_right({"share of variance", "spread"});
  double rest = 1;
  for (const app::KnobShare& k : a.shares) {
    rest -= k.share;
    printer.row({k.knob, fmt::format("{:.0f}%", 100 * k.share), fmt::format("{:.3f}x", k.spread)});
  }
  printer.row({std::string("knobs together, and noise"), fmt::format("{:.0f}%", 100 * std::max(rest, 0.0)),
               std::string()});
  printer.finish();
}

}  // namespace

void print_tune_table(const Terminal& terminal, const app::TuneAnswer& a) {
  if (a.fastest.size() < 2) return;
  terminal.print({fmt::format("the {} fastest as the search timed them", a.fastest.size())});
  print_fastest(terminal, a);
  if (a.shares.empty()) return;
  terminal.print(
      {std::string("what mattered: share of the variance of log time that a knob explains alone")});
  print_shares(terminal, a);
}

Json fastest_json(const app::TuneAnswer& a) {
  Json list = Json::array();
  for (const app::TimedRow& row : a.fastest) {
    Json params = Json::object();
    for (const auto& [name, value] : row.settings) {
      auto number = parse_number(value);
      params[name] = number ? json_value(*number) : Json(value);
    }
    list.push_back({{"params", params},
                    {"ms", row.ms},
                    {"lo", row.lo()},
                    {"hi", row.hi()},
                    {"tie", app::is_tie(row, a.fastest.front())}});
  }
  return list;
}

Json shares_json(const app::TuneAnswer& a) {
  Json list = Json::array();
  for (const app::KnobShare& k : a.shares)
    list.push_back({{"knob", k.knob}, {"share", rounded(k.share)}, {"spread", rounded(k.spread)}});
  return list;
}

}  // namespace explog::answers
