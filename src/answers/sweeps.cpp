#include "answers/sweeps.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "answers/rows.h"
#include "base/text.h"
#include "bench/judge/statistics.h"
#include "model/json.h"

namespace explog::answers {
namespace {

using app::StrategyShare;
using app::SweepResult;
using bench::median;

void write_shares(JsonWriter& json, const SweepResult& r) {
  json.key("strategies");
  json.begin_array();
  for (const auto& [strategy, share] : r.shares) {
    json.begin_object();
    json.field("strategy", strategy);
    for (auto [key, value] :
         {std::pair("success", share.success), {"neutral", share.neutral}, {"failure", share.failure}})
      json.field(key, value);
    json.field("median_speedup", median(share.speedups));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void print_spaces(const Terminal& terminal, const std::vector<bench::FoundSweep>& sweeps) {
  RowPrinter printer(terminal, Format::text);
  printer.header({"sweep", "configurations", "parameters"});
  for (const bench::FoundSweep& found : sweeps) {
    std::vector<std::string> names;
    for (const Parameter& p : found.sweep.space.parameters) names.push_back(p.name);
    printer.row({found.task + "/" + found.sweep.file,
                 static_cast<std::int64_t>(configurations(found.sweep).size()), join(names, ", ")});
  }
  printer.finish();
}

void print_spaces_json(const Terminal& terminal, const std::vector<bench::FoundSweep>& sweeps) {
  JsonWriter json;
  begin_answer(json);
  json.key("sweeps");
  json.begin_array();
  for (const bench::FoundSweep& found : sweeps) {
    std::vector<std::string> names;
    for (const Parameter& p : found.sweep.space.parameters) names.push_back(p.name);
    json.begin_object();
    json.field("task", found.task);
    json.field("file", found.sweep.file);
    json.field("configurations", configurations(found.sweep).size());
    json.field("parameters", names);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  terminal.out << json.str() << '\n';
}

void print_sweep(const Terminal& terminal, const SweepResult& r) {
  terminal.out << fmt::format("{}/{} {}: {} of {} configurations measured, {} of them wrong or not running; ",
                              r.task, r.file, r.shape, r.measured, r.configurations, r.failed);
  terminal.out << fmt::format("{} changes, {} new records\n", r.records, r.added);
  if (r.failed > 0) terminal.out << "  the first that failed: " << printable(r.first_failure) << '\n';
  if (r.best_ms <= 0) return;
  terminal.out << fmt::format("  best {:.6f} ms, {:.2f}x the baseline: {}\n", r.best_ms,
                              r.baseline_ms / r.best_ms, r.best);
  terminal.out << fmt::format(
      "  noise of a configuration {:.1f}% (median); the baseline moved {:.1f}% over the run\n", 100 * r.noise,
      100 * r.drift);
}

void print_shares(const Terminal& terminal, const std::vector<SweepResult>& results) {
  std::map<std::pair<std::string, std::string>, StrategyShare> all;
  for (const SweepResult& r : results) {
    for (const auto& [strategy, share] : r.shares) {
      StrategyShare& sum = all[{r.task, strategy}];
      sum.success += share.success, sum.neutral += share.neutral, sum.failure += share.failure;
      sum.speedups.insert(sum.speedups.end(), share.speedups.begin(), share.speedups.end());
    }
  }
  if (all.empty()) return;
  terminal.out << '\n' << terminal.bold("Single changes, over all shapes") << '\n';
  terminal.out << fmt::format("  {:<12} {:<22} {:>6} {:>8} {:>8} {:>8} {:>10}\n", "family", "strategy", "n",
                              "success", "neutral", "failure", "median");
  for (const auto& [key, share] : all) {
    auto part = [n = share.n()](std::size_t k) {
      return fmt::format("{:.0f}%", 100.0 * static_cast<double>(k) / static_cast<double>(n));
    };
    terminal.out << fmt::format("  {:<12} {:<22} {:>6} {:>8} {:>8} {:>8} {:>9.3f}x\n", key.first, key.second,
                                share.n(), part(share.success), part(share.neutral), part(share.failure),
                                median(share.speedups));
  }
}

void print_sweeps_json(const Terminal& terminal, const app::SweepResults& results) {
  JsonWriter json;
  begin_answer(json);
  json.key("sweeps");
  json.begin_array();
  for (const SweepResult& r : results.sweeps) {
    json.begin_object();
    for (auto [key, text] :
         {std::pair("task", &r.task), {"file", &r.file}, {"shape", &r.shape}, {"best", &r.best}})
      json.field(key, *text);
    for (auto [key, value] : {std::pair("configurations", r.configurations),
                              {"measured", r.measured},
                              {"failed", r.failed},
                              {"records", r.records},
                              {"added", r.added}})
      json.field(key, value);
    for (auto [key, value] : {std::pair("best_ms", r.best_ms),
                              {"baseline_ms", r.baseline_ms},
                              {"noise", r.noise},
                              {"drift", r.drift}})
      json.field(key, value);
    write_shares(json, r);
    json.end_object();
  }
  json.end_array();
  json.field("left", results.left);
  json.end_object();
  terminal.out << json.str() << '\n';
}

}  // namespace explog::answers
