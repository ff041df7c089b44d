// stats: totals and rates from the evidence, medians from the records.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/calibration_report.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "model/json.h"
#include "recommend/ranking_metrics.h"
#include "store/open.h"
#include "store/query.h"
#include "store/read.h"

namespace explog::cli {
namespace {

struct Group {
  std::string name;
  std::int64_t n = 0, success = 0, neutral = 0, failure = 0;
};

struct Best {
  std::string strategy;
  std::int64_t n = 0, success = 0;
  double median_gain = 0;
};

std::vector<Group> groups(sql::Db& db, const std::string& column) {
  sql::Stmt read(db, "SELECT " + column +
                         ", sum(success + neutral + failure), sum(success), sum(neutral), sum(failure) FROM "
                         "cell WHERE grain IN (0, 3) AND mirrored = 0 GROUP BY 1 ORDER BY 2 DESC, 1");
  std::vector<Group> list;
  while (read.step())
    list.push_back(
        {std::string(read.text(0)), read.integer(1), read.integer(2), read.integer(3), read.integer(4)});
  return list;
}

// Strategies with at least three records, by the median gain of those that helped.
std::vector<Best> best_strategies(sql::Db& db, int limit) {
  sql::Stmt read(db,
                 "SELECT strategy, count(*), sum(outcome = 'success'), median(CASE WHEN outcome = 'success' "
                 "THEN speedup END)"
                 " FROM attempt WHERE strategy <> '' GROUP BY strategy HAVING count(*) >= 3 AND sum(outcome "
                 "= 'success') > 0"
                 " ORDER BY 4 DESC, 2 DESC, 1 LIMIT ?");
  read.bind(1, limit);
  std::vector<Best> list;
  while (read.step())
    list.push_back({std::string(read.text(0)), read.integer(1), read.integer(2), read.real(3)});
  return list;
}

struct Calibration {
  std::int64_t n = 0;
  double estimated = 0, obtained = 0;  // geometric means
};

// Records that carry an estimate (metrics_before.estimated_speedup) beside what was obtained.
Calibration calibration(sql::Db& db) {
  sql::Stmt read(db,
                 "SELECT count(*), geomean(json_extract(e.body, '$.metrics_before.estimated_speedup')), "
                 "geomean(a.speedup)"
                 " FROM event e JOIN attempt a ON a.rid = e.rid WHERE a.speedup IS NOT NULL"
                 " AND e.body LIKE '%\"estimated_speedup\"%' AND json_extract(e.body, "
                 "'$.metrics_before.estimated_speedup') > 0");
  return read.step() ? Calibration{read.integer(0), read.real(1), read.real(2)} : Calibration{};
}

struct RuleCalibration {
  std::string rule;
  std::int64_t n = 0;
  double estimated = 0, saved = 0,
         reached = 0;  // medians in percent of the time; percent of records that met it
};

// By rule of Nsight Compute, from profiles that were recorded.
std::vector<RuleCalibration> rule_calibration(sql::Db& db) {
  store::create_views(db);
  std::vector<RuleCalibration> list;
  for (const store::NamedQuery& query : store::named_queries()) {
    if (query.name != "nsight_estimates") continue;
    sql::Stmt read(db, query.sql);
    while (read.step())
      list.push_back({std::string(read.text(0)), read.integer(1), read.real(2), read.real(3), read.real(4)});
  }
  return list;
}

void write_rule_calibration(JsonWriter& json, const std::vector<RuleCalibration>& rules) {
  json.key("nsight_estimates");
  json.begin_array();
  for (const RuleCalibration& r : rules) {
    json.begin_object();
    json.key("rule"), json.text(r.rule);
    json.key("n"), json.number(static_cast<double>(r.n));
    json.key("estimated_pct"), json.number(r.estimated);
    json.key("saved_pct"), json.number(r.saved);
    json.key("reached_pct"), json.number(r.reached);
    json.end_object();
  }
  json.end_array();
}

void print_rule_calibration(Context& context, const std::vector<RuleCalibration>& rules) {
  if (rules.empty()) return;
  context.out << '\n'
              << context.bold("Nsight Compute's estimates against what was saved (medians, % of the time)")
              << '\n';
  for (const RuleCalibration& r : rules) {
    context.out << fmt::format(
        "  {:<32} {:>5}  estimated {:>5.1f}%  saved {:>6.1f}%  {:.0f}% of the records met it\n",
        ellipsis(printable(r.rule), 32), r.n, r.estimated, r.saved, r.reached);
  }
}

std::string bar(double share, int width) {
  static constexpr const char* eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  auto steps = static_cast<int>(std::lround(share * width * 8));
  std::string text;
  for (int i = 0; i < steps / 8; ++i) text += "█";
  return text + eighths[steps % 8];
}

void write_groups(JsonWriter& json, const char* key, const std::vector<Group>& list) {
  json.key(key);
  json.begin_array();
  for (const Group& g : list) {
    auto [lo, hi] = recommend::wilson_interval(static_cast<double>(g.success), static_cast<double>(g.n));
    json.begin_object();
    json.key("name"), json.text(g.name);
    json.key("n"), json.number(static_cast<double>(g.n));
    json.key("success"), json.number(static_cast<double>(g.success));
    json.key("neutral"), json.number(static_cast<double>(g.neutral));
    json.key("failure"), json.number(static_cast<double>(g.failure));
    json.key("rate"), json.number(static_cast<double>(g.success) / static_cast<double>(g.n));
    json.key("rate_lo"), json.number(lo);
    json.key("rate_hi"), json.number(hi);
    json.end_object();
  }
  json.end_array();
}

void print_groups(Context& context, const char* title, const std::vector<Group>& list, std::int64_t total) {
  constexpr size_t shown = 12;
  context.out << '\n' << context.bold(title) << '\n';
  size_t widest = 12;
  for (const Group& g : list) widest = std::min<size_t>(24, std::max(widest, g.name.size()));
  for (size_t i = 0; i < std::min(list.size(), shown); ++i) {
    const Group& g = list[i];
    auto [lo, hi] = recommend::wilson_interval(static_cast<double>(g.success), static_cast<double>(g.n));
    context.out << fmt::format(
        "  {:<{}} {:>8}  {:>3.0f}% helped ({:.0f} to {:.0f})", ellipsis(printable(g.name), widest), widest,
        g.n, 100.0 * static_cast<double>(g.success) / static_cast<double>(g.n), 100 * lo, 100 * hi);
    if (context.terminal)
      context.out << "  " << bar(static_cast<double>(g.n) / static_cast<double>(total), 24);
    context.out << '\n';
  }
  if (list.size() > shown) context.out << fmt::format("  and {} more\n", list.size() - shown);
}

int run_stats(int limit, Context& context) {
  sql::Db db = context.reader();
  db.exec("BEGIN");  // one state for all of it: others may be writing; closing the connection ends it
  const std::vector<std::pair<const char*, const char*>> columns = {{"backend", "backend"},
                                                                    {"family", "family"},
                                                                    {"arch", "arch"},
                                                                    {"bottleneck", "bottleneck"},
                                                                    {"level", "level"}};
  std::int64_t total = store::count_records(db);
  std::int64_t retracted = db.integer("SELECT count(DISTINCT rid) FROM retraction");
  auto best = best_strategies(db, limit);
  Calibration estimates = calibration(db);
  auto rules = rule_calibration(db);
  if (context.json) {
    JsonWriter json;
    json.begin_object();
    json.key("records"), json.number(static_cast<double>(total));
    json.key("retracted"), json.number(static_cast<double>(retracted));
    for (const auto& [name, column] : columns)
      write_groups(json, (std::string("by_") + name).c_str(), groups(db, column));
    json.key("best_strategies");
    json.begin_array();
    for (const Best& b : best) {
      json.begin_object();
      json.key("strategy"), json.text(b.strategy);
      json.key("n"), json.number(static_cast<double>(b.n));
      json.key("success"), json.number(static_cast<double>(b.success));
      json.key("median_gain"), json.number(b.median_gain);
      json.end_object();
    }
    json.end_array();
    json.key("estimates");
    json.begin_object();
    json.key("n"), json.number(static_cast<double>(estimates.n));
    if (estimates.n > 0) {
      json.key("estimated_geomean"), json.number(estimates.estimated);
      json.key("obtained_geomean"), json.number(estimates.obtained);
    }
    json.end_object();
    write_rule_calibration(json, rules);
    json.end_object();
    context.out << json.str() << '\n';
    return static_cast<int>(total > 0 ? Exit::ok : Exit::negative);
  }
  context.out << fmt::format("{} records count, {} retracted\n", total, retracted);
  if (total == 0) return static_cast<int>(Exit::negative);
  for (const auto& [name, column] : columns)
    print_groups(context, (std::string("By ") + name).c_str(), groups(db, column), total);
  context.out << '\n'
              << context.bold("Strategies by median gain when they helped (3 records or more)") << '\n';
  for (const Best& b : best) {
    context.out << fmt::format("  {:<32} {:>7}x  {} of {} helped\n", ellipsis(printable(b.strategy), 32),
                               short_number(b.median_gain), b.success, b.n);
  }
  if (estimates.n > 0) {
    context.out << fmt::format(
        "\nEstimated against obtained: {} records, {}x estimated, {}x obtained (geometric means)\n",
        estimates.n, short_number(estimates.estimated), short_number(estimates.obtained));
  }
  print_rule_calibration(context, rules);
  return 0;
}

}  // namespace

Action setup_stats(CLI::App& app) {
  auto limit = std::make_shared<int>(10);
  auto calibration = std::make_shared<CalibrationOptions>();
  app.add_option("-n,--limit", *limit, "strategies shown")
      ->type_name("N")
      ->check(zero_or_more())
      ->capture_default_str();
  app.add_flag(
      "--calibration", calibration->report,
      "whether the probabilities were true of the newest 500 records, each foreseen from those before");
  app.add_option("--svg", calibration->svg, "with --calibration: write the reliability plot as a picture")
      ->type_name("FILE");
  app.add_option("--recalibrate", calibration->recalibrate,
                 "let `recommend` bend its probabilities to what really happened, if that is needed; or not")
      ->type_name("on|off")
      ->check(CLI::IsMember({"on", "off"}));
  return [limit, calibration](Context& context) {
    bool asked = calibration->report || !calibration->svg.empty() || !calibration->recalibrate.empty();
    return asked ? report_calibration(*calibration, context) : run_stats(*limit, context);
  };
}

}  // namespace explog::cli
