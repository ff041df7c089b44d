#include "cli/sweep_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "bench/statistics.h"
#include "model/json.h"

namespace explog::cli {
namespace {

using namespace bench;

void write_shares(JsonWriter& json, const SweepResult& r) {
  json.key("strategies");
  json.begin_array();
  for (const auto& [strategy, share] : r.shares) {
    json.begin_object();
    json.key("strategy"), json.text(strategy);
    for (auto [key, value] :
         {std::pair("success", share.success), {"neutral", share.neutral}, {"failure", share.failure}})
      json.key(key), json.number(static_cast<double>(value));
    json.key("median_speedup"), json.number(median(share.speedups));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void SweepResult::add(const SweepWork& work, const Measured& all) {
  std::vector<double> noises, baselines;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i]) continue;
    ++measured;
    auto time = light_time(*all[i]);
    if (!time && failed++ == 0) first_failure = settings_text(work.settings[i]) + ": " + all[i]->correctness;
    if (!time) continue;
    noises.push_back(time->noise);
    baselines.push_back(median(all[i]->runs[0].shapes[0].blocks[0].passes[0].ms));
    if (best_ms == 0 || time->ms < best_ms) best_ms = time->ms, best = settings_text(work.settings[i]);
  }
  if (baselines.empty()) return;
  noise = median(noises);
  baseline_ms = median(baselines);
  auto [least, most] = std::minmax_element(baselines.begin(), baselines.end());
  drift = *most / *least - 1;
}

void SweepResult::add(const std::vector<Experience>& changes) {
  records = changes.size();
  for (const Experience& e : changes) {
    StrategyShare& share = shares[e.strategy];
    ++(e.outcome == "success" ? share.success : e.outcome == "neutral" ? share.neutral : share.failure);
    if (e.speedup) share.speedups.push_back(*e.speedup);
  }
}

void print_sweep(Context& context, const SweepResult& r) {
  context.out << fmt::format("{}/{} {}: {} of {} configurations measured, {} of them wrong or not running; ",
                             r.task, r.file, r.shape, r.measured, r.configurations, r.failed);
  context.out << fmt::format("{} changes, {} new records\n", r.records, r.added);
  if (r.failed > 0) context.out << "  the first that failed: " << printable(r.first_failure) << '\n';
  if (r.best_ms <= 0) return;
  context.out << fmt::format("  best {:.6f} ms, {:.2f}x the baseline: {}\n", r.best_ms,
                             r.baseline_ms / r.best_ms, r.best);
  context.out << fmt::format(
      "  noise of a configuration {:.1f}% (median); the baseline moved {:.1f}% over the run\n", 100 * r.noise,
      100 * r.drift);
}

void print_shares(Context& context, const std::vector<SweepResult>& results) {
  std::map<std::pair<std::string, std::string>, StrategyShare> all;
  for (const SweepResult& r : results) {
    for (const auto& [strategy, share] : r.shares) {
      StrategyShare& sum = all[{r.task, strategy}];
      sum.success += share.success, sum.neutral += share.neutral, sum.failure += share.failure;
      sum.speedups.insert(sum.speedups.end(), share.speedups.begin(), share.speedups.end());
    }
  }
  if (all.empty()) return;
  context.out << '\n' << context.bold("Single changes, over all shapes") << '\n';
  context.out << fmt::format("  {:<12} {:<22} {:>6} {:>8} {:>8} {:>8} {:>10}\n", "family", "strategy", "n",
                             "success", "neutral", "failure", "median");
  for (const auto& [key, share] : all) {
    auto part = [n = share.n()](std::size_t k) {
      return fmt::format("{:.0f}%", 100.0 * static_cast<double>(k) / static_cast<double>(n));
    };
    context.out << fmt::format("  {:<12} {:<22} {:>6} {:>8} {:>8} {:>8} {:>9.3f}x\n", key.first, key.second,
                               share.n(), part(share.success), part(share.neutral), part(share.failure),
                               median(share.speedups));
  }
}

void print_sweeps_json(Context& context, const std::vector<SweepResult>& results, std::size_t left) {
  JsonWriter json;
  json.begin_object();
  json.key("sweeps");
  json.begin_array();
  for (const SweepResult& r : results) {
    json.begin_object();
    for (auto [key, text] :
         {std::pair("task", &r.task), {"file", &r.file}, {"shape", &r.shape}, {"best", &r.best}})
      json.key(key), json.text(*text);
    for (auto [key, value] : {std::pair("configurations", r.configurations),
                              {"measured", r.measured},
                              {"failed", r.failed},
                              {"records", r.records},
                              {"added", r.added}})
      json.key(key), json.number(static_cast<double>(value));
    for (auto [key, value] : {std::pair("best_ms", r.best_ms),
                              {"baseline_ms", r.baseline_ms},
                              {"noise", r.noise},
                              {"drift", r.drift}})
      json.key(key), json.number(value);
    write_shares(json, r);
    json.end_object();
  }
  json.end_array();
  json.key("left"), json.number(static_cast<double>(left));
  json.end_object();
  context.out << json.str() << '\n';
}

}  // namespace explog::cli
