#include "answers/reliability.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "model/json.h"
#include "recommend/ranking_metrics.h"

namespace explog::answers {

std::string reliability_json(const app::ReliabilityReport& report) {
  const recommend::Reliability& r = report.measured;
  JsonWriter json;
  begin_answer(json);
  json.field("n", r.n);
  json.key("bins");
  json.begin_array();
  for (std::size_t i = 0; i < r.bins.size(); ++i) {
    const auto& bin = r.bins[i];
    json.begin_object();
    json.field("from", static_cast<double>(i) / 10);
    json.field("n", bin.n);
    json.field("success", bin.success);
    json.field("mean_p", bin.mean_p);
    json.end_object();
  }
  json.end_array();
  json.field("brier", r.brier);
  json.field("base_brier", r.base_brier);
  json.field("ece", r.ece);
  json.field("fitted_ece", r.fitted_ece);
  for (auto [name, curve] : {std::pair("fit", r.fit), {"kept", report.kept}}) {
    json.key(name);
    if (!curve) {
      json.null();
      continue;
    }
    json.begin_object();
    json.field("a", curve->a);
    json.field("b", curve->b);
    json.end_object();
  }
  json.end_object();
  return json.take();
}

void print_reliability(const Terminal& terminal, const app::ReliabilityReport& report) {
  const recommend::Reliability& r = report.measured;
  if (r.n == 0) {
    terminal.out << "no records to judge by\n";
    return;
  }
  terminal.out << terminal.bold(
                      fmt::format("Of the newest {} records, each foreseen from those before it", r.n))
               << '\n';
  terminal.out << fmt::format("  {:<12}{:>8}{:>12}{:>10}\n", "P(helps)", "records", "foreseen", "helped");
  for (std::size_t i = 0; i < r.bins.size(); ++i) {
    const auto& bin = r.bins[i];
    if (bin.n == 0) continue;
    auto n = static_cast<double>(bin.n), k = static_cast<double>(bin.success);
    auto [lo, hi] = recommend::wilson_interval(k, n);
    terminal.out << fmt::format("  {:.1f} to {:.1f}  {:>8}{:>11.0f}%{:>9.0f}%  ({:.0f} to {:.0f})\n",
                                static_cast<double>(i) / 10, static_cast<double>(i + 1) / 10, bin.n,
                                100 * bin.mean_p, 100 * k / n, 100 * lo, 100 * hi);
  }
  terminal.out << fmt::format(
      "\nBrier {:.3f} ({:.3f} by the one rate of all); calibration error {:.3f}: {}\n", r.brier, r.base_brier,
      r.ece, app::ruling(r));
  if (!report.kept && recommend::needs_recalibration(r))
    terminal.out << "`explog stats --recalibrate on` lets `recommend` show the recalibrated probabilities\n";
  if (report.kept)
    terminal.out << fmt::format("`recommend` shows 1 / (1 + exp(-({:.3f} + {:.3f} logit p)))\n",
                                report.kept->a, report.kept->b);
}

}  // namespace explog::answers
