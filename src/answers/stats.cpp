#include "answers/stats.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "answers/answer.h"
#include "answers/bars.h"
#include "base/text.h"
#include "model/json.h"
#include "recommend/ranking_metrics.h"

namespace explog::answers {
namespace {

// How many of a group helped.
struct Rate {
  double success = 0, n = 0;
  double lo = 0, hi = 0;  // 95% interval of success / n
};

Rate rate_of(const store::OutcomeCounts& o) {
  auto success = static_cast<double>(o.success), n = static_cast<double>(o.n());
  auto [lo, hi] = recommend::wilson_interval(success, n);
  return {success, n, lo, hi};
}

void write_groups(JsonWriter& json, const store::Breakdown& breakdown) {
  json.key("by_" + breakdown.by);
  json.begin_array();
  for (const store::GroupTotals& g : breakdown.groups) {
    Rate rate = rate_of(g.outcomes);
    json.begin_object();
    json.field("name", g.name);
    json.field("n", g.outcomes.n());
    json.field("success", g.outcomes.success);
    json.field("neutral", g.outcomes.neutral);
    json.field("failure", g.outcomes.failure);
    json.field("rate", rate.success / rate.n);
    json.field("rate_lo", rate.lo);
    json.field("rate_hi", rate.hi);
    json.end_object();
  }
  json.end_array();
}

void write_strategies(JsonWriter& json, const std::vector<store::StrategyTotals>& strategies) {
  json.key("best_strategies");
  json.begin_array();
  for (const store::StrategyTotals& s : strategies) {
    json.begin_object();
    json.field("strategy", s.strategy);
    json.field("n", s.n);
    json.field("success", s.success);
    json.field("median_gain", s.median_gain);
    json.end_object();
  }
  json.end_array();
}

void write_estimates(JsonWriter& json, const store::EstimateTotals& estimates) {
  json.key("estimates");
  json.begin_object();
  json.field("n", estimates.n);
  if (estimates.n > 0) {
    json.field("estimated_geomean", estimates.estimated);
    json.field("obtained_geomean", estimates.obtained);
  }
  json.end_object();
}

void write_rules(JsonWriter& json, const std::vector<store::RuleTotals>& rules) {
  json.key("nsight_estimates");
  json.begin_array();
  for (const store::RuleTotals& r : rules) {
    json.begin_object();
    json.field("rule", r.rule);
    json.field("n", r.n);
    json.field("estimated_pct", r.estimated_pct);
    json.field("saved_pct", r.saved_pct);
    json.field("reached_pct", r.reached_pct);
    json.end_object();
  }
  json.end_array();
}

void write_promises(JsonWriter& json, const std::vector<store::PromiseTotals>& promises) {
  json.key("promises");
  json.begin_array();
  for (const store::PromiseTotals& p : promises) {
    json.begin_object();
    json.field("strategy", p.strategy);
    json.field("n", p.n);
    json.field("kept", p.kept);
    json.field("missed", p.n - p.kept);
    json.field("mean_error", p.mean_error);
    json.end_object();
  }
  json.end_array();
}

void print_groups(const Terminal& terminal, const store::Breakdown& breakdown, std::int64_t total) {
  constexpr std::size_t shown = 12;
  const std::vector<store::GroupTotals>& list = breakdown.groups;
  terminal.out << '\n' << terminal.bold("By " + breakdown.by) << '\n';
  std::size_t widest = 12;
  for (const store::GroupTotals& g : list)
    widest = std::min<std::size_t>(24, std::max(widest, g.name.size()));
  for (std::size_t i = 0; i < std::min(list.size(), shown); ++i) {
    const store::GroupTotals& g = list[i];
    Rate rate = rate_of(g.outcomes);
    terminal.out << fmt::format("  {:<{}} {:>8}  {:>3.0f}% helped ({:.0f} to {:.0f})",
                                ellipsis(printable(g.name), widest), widest, g.outcomes.n(),
                                100 * rate.success / rate.n, 100 * rate.lo, 100 * rate.hi);
    int room = std::min(terminal.width - static_cast<int>(widest) - 38, 24);
    double share = static_cast<double>(g.outcomes.n()) / static_cast<double>(total);
    if (terminal.interactive && room >= 8)  // a group that has records has a bar
      terminal.out << "  " << bar(std::max(share, 0.125 / room), room);
    terminal.out << '\n';
  }
  if (list.size() > shown) terminal.out << fmt::format("  and {} more\n", list.size() - shown);
}

void print_strategies(const Terminal& terminal, const std::vector<store::StrategyTotals>& strategies) {
  terminal.out << '\n'
               << terminal.bold("Strategies by median gain when they helped (3 records or more)") << '\n';
  for (const store::StrategyTotals& s : strategies) {
    terminal.out << fmt::format("  {:<32} {:>7}x  {} of {} helped\n", ellipsis(printable(s.strategy), 32),
                                short_number(s.median_gain), s.success, s.n);
  }
}

void print_rules(const Terminal& terminal, const std::vector<store::RuleTotals>& rules) {
  if (rules.empty()) return;
  terminal.out << '\n'
               << terminal.bold("Nsight Compute's estimates against what was saved (medians, % of the time)")
               << '\n';
  for (const store::RuleTotals& r : rules) {
    terminal.out << fmt::format(
        "  {:<32} {:>5}  estimated {:>5.1f}%  saved {:>6.1f}%  {:.0f}% of the records met it\n",
        ellipsis(printable(r.rule), 32), r.n, r.estimated_pct, r.saved_pct, r.reached_pct);
  }
}

void print_promises(const Terminal& terminal, const std::vector<store::PromiseTotals>& promises) {
  if (promises.empty()) return;
  terminal.out << '\n'
               << terminal.bold("What --expect promised (kept: the same way and at least half as far)")
               << '\n';
  for (const store::PromiseTotals& p : promises) {
    terminal.out << fmt::format("  {:<32} {:>5}  {} kept, {} missed; mean error {:.1f} percent points\n",
                                ellipsis(printable(p.strategy), 32), p.n, p.kept, p.n - p.kept, p.mean_error);
  }
}

}  // namespace

std::string stats_json(const app::Stats& stats) {
  JsonWriter json;
  begin_answer(json);
  json.field("records", stats.records);
  json.field("retracted", stats.retracted);
  for (const store::Breakdown& breakdown : stats.breakdowns) write_groups(json, breakdown);
  write_strategies(json, stats.best_strategies);
  write_estimates(json, stats.estimates);
  write_rules(json, stats.rules);
  write_promises(json, stats.promises);
  json.end_object();
  return json.take();
}

void print_stats(const Terminal& terminal, const app::Stats& stats) {
  terminal.out << fmt::format("{} records count, {} retracted\n", stats.records, stats.retracted);
  if (stats.records == 0) return;
  for (const store::Breakdown& breakdown : stats.breakdowns) print_groups(terminal, breakdown, stats.records);
  print_strategies(terminal, stats.best_strategies);
  if (stats.estimates.n > 0) {
    terminal.out << fmt::format(
        "\nEstimated against obtained: {} records, {}x estimated, {}x obtained (geometric means)\n",
        stats.estimates.n, short_number(stats.estimates.estimated), short_number(stats.estimates.obtained));
  }
  print_rules(terminal, stats.rules);
  print_promises(terminal, stats.promises);
}

}  // namespace explog::answers
