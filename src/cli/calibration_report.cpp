#include "cli/calibration_report.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/history.h"
#include "cli/reliability_svg.h"
#include "model/json.h"
#include "recommend/ranking_metrics.h"

namespace explog::cli {
namespace {

void print_json(Context& context, const recommend::Reliability& r,
                const std::optional<recommend::Recalibration>& kept) {
  JsonWriter json;
  json.begin_object();
  json.key("n"), json.number(static_cast<double>(r.n));
  json.key("bins");
  json.begin_array();
  for (std::size_t i = 0; i < r.bins.size(); ++i) {
    const auto& bin = r.bins[i];
    json.begin_object();
    json.key("from"), json.number(static_cast<double>(i) / 10);
    json.key("n"), json.number(static_cast<double>(bin.n));
    json.key("success"), json.number(static_cast<double>(bin.success));
    json.key("mean_p"), json.number(bin.mean_p);
    json.end_object();
  }
  json.end_array();
  json.key("brier"), json.number(r.brier);
  json.key("base_brier"), json.number(r.base_brier);
  json.key("ece"), json.number(r.ece);
  json.key("fitted_ece"), json.number(r.fitted_ece);
  for (auto [name, curve] : {std::pair("fit", r.fit), {"kept", kept}}) {
    json.key(name);
    if (!curve) {
      json.null();
      continue;
    }
    json.begin_object();
    json.key("a"), json.number(curve->a);
    json.key("b"), json.number(curve->b);
    json.end_object();
  }
  json.end_object();
  context.out << json.str() << '\n';
}

std::string verdict(const recommend::Reliability& r) {
  if (recommend::needs_recalibration(r))
    return fmt::format("above {}; a recalibration brings it to {:.3f} on records it was not fitted to",
                       recommend::tolerable_ece, r.fitted_ece);
  if (r.ece <= recommend::tolerable_ece) return fmt::format("within {}", recommend::tolerable_ece);
  return r.fit ? "no recalibration lowers it" : "too few outcomes for a recalibration";
}

void print_text(Context& context, const recommend::Reliability& r,
                const std::optional<recommend::Recalibration>& kept) {
  if (r.n == 0) {
    context.out << "no records to judge by\n";
    return;
  }
  context.out << context.bold(
                     fmt::format("Of the newest {} records, each foreseen from those before it", r.n))
              << '\n';
  context.out << fmt::format("  {:<12}{:>8}{:>12}{:>10}\n", "P(helps)", "records", "foreseen", "helped");
  for (std::size_t i = 0; i < r.bins.size(); ++i) {
    const auto& bin = r.bins[i];
    if (bin.n == 0) continue;
    auto n = static_cast<double>(bin.n), k = static_cast<double>(bin.success);
    auto [lo, hi] = recommend::wilson_interval(k, n);
    context.out << fmt::format("  {:.1f} to {:.1f}  {:>8}{:>11.0f}%{:>9.0f}%  ({:.0f} to {:.0f})\n",
                               static_cast<double>(i) / 10, static_cast<double>(i + 1) / 10, bin.n,
                               100 * bin.mean_p, 100 * k / n, 100 * lo, 100 * hi);
  }
  context.out << fmt::format("\nBrier {:.3f} ({:.3f} by the one rate of all); calibration error {:.3f}: {}\n",
                             r.brier, r.base_brier, r.ece, verdict(r));
  if (kept)
    context.out << fmt::format("`recommend` shows 1 / (1 + exp(-({:.3f} + {:.3f} logit p)))\n", kept->a,
                               kept->b);
}

void recalibrate(const recommend::Reliability& r, Context& context) {
  if (!recommend::needs_recalibration(r)) {
    context.warn(fmt::format("not recalibrated: the calibration error {:.3f} is {}", r.ece, verdict(r)));
    return;
  }
  keep_recalibration(context.writer().db(), r.fit);
  context.warn("recalibrated; `explog stats --recalibrate off` takes it back");
}

}  // namespace

int report_calibration(const CalibrationOptions& options, Context& context) {
  if (options.recalibrate == "off") {
    keep_recalibration(context.writer().db(), std::nullopt);
    context.warn("`recommend` shows probabilities as the evidence gives them");
    if (!options.report && options.svg.empty()) return 0;
  }
  sql::Db db = context.reader();
  recommend::Reliability r = recommend::reliability(recommend::foresee(history(db), context.playbook()));
  if (options.recalibrate == "on") recalibrate(r, context);
  auto kept = kept_recalibration(db);
  if (!options.svg.empty()) {
    write_file(options.svg, reliability_svg(r));
    context.warn("reliability plot written to " + printable(options.svg));
  }
  context.json ? print_json(context, r, kept) : print_text(context, r, kept);
  return static_cast<int>(r.n > 0 ? Exit::ok : Exit::negative);
}

}  // namespace explog::cli
