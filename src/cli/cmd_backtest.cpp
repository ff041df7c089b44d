// backtest: how good the ranking would have been on records whose outcome is known, beside simpler rankings.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/history.h"
#include "cli/print.h"
#include "intake/explog_jsonl.h"
#include "model/check.h"
#include "model/json.h"
#include "recommend/backtest.h"

namespace explog::cli {
namespace {

struct Options {
  std::string train, test, split = "gpu", order, rankings;
  int at_most = -1;  // records to learn from, of each kernel on each GPU; -1: all
};

std::vector<recommend::Dated> records_of_file(const std::string& path, Context& context) {
  std::vector<recommend::Dated> list;
  std::size_t refused = 0;
  std::string first;
  Source source = intake::explog_jsonl(path, context.in);
  while (auto parsed = source()) {
    std::string problem = parsed->fault;
    if (parsed->experience) {
      if (auto remarks = prepare(*parsed->experience, "replicated"); remarks.refused)
        problem = *remarks.refused;
    }
    if (parsed->experience && problem.empty()) {
      list.push_back({std::move(*parsed->experience), 0});
    } else if (refused++ == 0) {
      first = parsed->where + ": " + problem;
    }
  }
  if (refused > 0)
    context.warn(fmt::format("{}: {} {} left out, the first: {}", path, refused,
                             refused == 1 ? "record" : "records", first));
  return list;
}

// At most `n` records of each kernel on each GPU, chosen by a hash of what they say, so that a smaller choice
// is part of a larger one whatever order they stand in.
void thin(std::vector<recommend::Dated>& records, std::size_t n) {
  std::map<std::string, std::vector<std::pair<Bytes16, std::size_t>>> cells;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const Experience& e = records[i].record;
    cells[e.kernel_type + "/" + e.kernel + "/" + e.gpu + "/" + e.arch].emplace_back(blake2b_128(to_json(e)),
                                                                                    i);
  }
  std::vector<recommend::Dated> kept;
  for (auto& [name, list] : cells) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 0; i < std::min(n, list.size()); ++i)
      kept.push_back(std::move(records[list[i].second]));
  }
  std::stable_sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) { return a.at_ms < b.at_ms; });
  records = std::move(kept);
}

// strategy,prior_factor: the place of a line is the strategy's place in the playbook's order.
recommend::PlaybookOrder order_of(const std::string& path) {
  recommend::PlaybookOrder order;
  if (path.empty()) return order;
  std::size_t number = 0;
  std::string text = read_file(path);
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty() || number == 1) continue;
    std::size_t comma = line.rfind(',');
    auto factor = comma == std::string_view::npos ? std::nullopt : parse_number(trim(line.substr(comma + 1)));
    if (!factor || *factor <= 0)
      throw Error(Exit::usage, fmt::format("{}:{}: not strategy,prior_factor", printable(path), number),
                  "a line is a strategy's name and the factor of the base rate, as block_x:up,1.3");
    order.emplace(std::string(trim(line.substr(0, comma))), recommend::OrderEntry{order.size(), *factor});
  }
  return order;
}

void write_rankings(const std::string& path, const std::vector<recommend::Ranking>& rankings) {
  std::string lines;
  for (const recommend::Ranking& r : rankings) {
    JsonWriter json;
    json.begin_object();
    json.key("query"), json.text(r.query);
    json.key("ranking");
    json.begin_array();
    for (const recommend::Ranked& s : r.strategies) {
      json.begin_object();
      json.key("strategy"), json.text(s.strategy);
      json.key("p"), json.number(rounded(s.p));
      json.end_object();
    }
    json.end_array();
    json.end_object();
    lines += json.str() + '\n';
  }
  write_file(path, lines);
}

using Figure = std::pair<const char*, double recommend::MethodScore::*>;
constexpr Figure ranking_figures[] = {
    {"succ1", &recommend::MethodScore::succ1}, {"hit3", &recommend::MethodScore::hit3},
    {"ndcg5", &recommend::MethodScore::ndcg5}, {"regret1", &recommend::MethodScore::regret1},
    {"harm1", &recommend::MethodScore::harm1}, {"mrr", &recommend::MethodScore::mrr}};
constexpr Figure probability_figures[] = {{"brier", &recommend::MethodScore::brier},
                                          {"ece", &recommend::MethodScore::ece}};
constexpr Figure difference_figures[] = {{"d_ndcg5", &recommend::MethodScore::d_ndcg5},
                                         {"d_ndcg5_lo", &recommend::MethodScore::d_ndcg5_lo},
                                         {"d_ndcg5_hi", &recommend::MethodScore::d_ndcg5_hi},
                                         {"won", &recommend::MethodScore::won}};

void print_json(Context& context, const Options& o, const recommend::Backtest& r) {
  JsonWriter json;
  json.begin_object();
  json.key("split"), json.text(o.split);
  json.key("queries"), json.number(static_cast<double>(r.queries));
  json.key("candidates"), json.number(static_cast<double>(r.candidates));
  json.key("clusters"), json.number(static_cast<double>(r.clusters));
  json.key("methods");
  json.begin_array();
  for (const recommend::MethodScore& m : r.methods) {
    json.begin_object();
    json.key("name"), json.text(m.name);
    for (auto [name, figure] : ranking_figures) json.key(name), json.number(rounded(m.*figure));
    for (auto [name, figure] : probability_figures) {
      json.key(name);
      m.has_probability ? json.number(rounded(m.*figure)) : json.null();
    }
    for (auto [name, figure] : difference_figures) json.key(name), json.number(rounded(m.*figure));
    json.end_object();
  }
  json.end_array();
  json.key("single");
  json.begin_object();
  json.key("n"), json.number(static_cast<double>(r.single.n));
  json.key("brier"), json.number(rounded(r.single.brier));
  json.key("base_brier"), json.number(rounded(r.single.base_brier));
  json.key("auc"), json.number(rounded(r.single.auc));
  json.end_object();
  json.key("flags"), json.texts(r.flags);
  json.end_object();
  context.out << json.str() << '\n';
}

void print_text(Context& context, const Options& o, const recommend::Backtest& r) {
  context.out << fmt::format("{} queries with {} candidates in {} clusters, each answered without its {}\n",
                             r.queries, r.candidates, r.clusters, o.split);
  if (r.queries > 0) {
    context.out << fmt::format("\n{:<14}{:>7}{:>7}{:>7}{:>8}{:>7}{:>7}{:>7}{:>7}  {}\n", "method", "succ@1",
                               "hit@3", "NDCG@5", "regret", "harm", "MRR", "Brier", "ECE",
                               "NDCG against the family rate");
    for (const recommend::MethodScore& m : r.methods) {
      context.out << fmt::format("{:<14}{:>7.3f}{:>7.3f}{:>7.3f}{:>8.3f}{:>7.3f}{:>7.3f}", m.name, m.succ1,
                                 m.hit3, m.ndcg5, m.regret1, m.harm1, m.mrr);
      context.out << (m.has_probability ? fmt::format("{:>7.3f}{:>7.3f}", m.brier, m.ece)
                                        : fmt::format("{:>7}{:>7}", "-", "-"));
      context.out << fmt::format("  {:+.3f} ({:+.3f} to {:+.3f}), {:.0f}% of clusters\n", m.d_ndcg5,
                                 m.d_ndcg5_lo, m.d_ndcg5_hi, 100 * m.won);
    }
  }
  context.out << fmt::format("\n{} single records: Brier {:.3f} ({:.3f} by the base rate), AUC {:.3f}\n",
                             r.single.n, r.single.brier, r.single.base_brier, r.single.auc);
  for (const std::string& flag : r.flags) context.out << "source " << printable(flag) << '\n';
}

int run_backtest(const Options& o, Context& context) {
  recommend::BacktestInput input;
  Playbook playbook = context.playbook();
  input.playbook = &playbook;
  input.split = recommend::split_of(o.split);
  input.order = order_of(o.order);
  if (o.train.empty()) {
    sql::Db db = context.reader();
    input.train = history(db);
  } else {
    input.train = records_of_file(o.train, context);
  }
  input.test = o.test.empty() ? input.train : records_of_file(o.test, context);
  if (o.at_most >= 0) thin(input.train, static_cast<std::size_t>(o.at_most));
  recommend::Backtest result = recommend::backtest(input);
  if (!o.rankings.empty()) write_rankings(o.rankings, result.rankings);
  context.json ? print_json(context, o, result) : print_text(context, o, result);
  if (result.single.n == 0) context.warn("no records to test on: give --train FILE, or add some");
  return static_cast<int>(result.single.n > 0 ? Exit::ok : Exit::negative);
}

}  // namespace

Action setup_backtest(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("--train", o->train,
                 "records to learn from, explog JSON lines, gzip or not; else the database")
      ->type_name("FILE");
  app.add_option("--test", o->test, "records to answer for; else those learnt from")->type_name("FILE");
  app.add_option("--split", o->split, "what each query is answered without: all records of its ...")
      ->check(CLI::IsMember({"gpu", "arch", "source", "family", "shape", "time"}))
      ->type_name("gpu|arch|source|family|shape|time")
      ->capture_default_str();
  app.add_option("--order", o->order, "a playbook's order, CSV: strategy,prior_factor; else the playbook")
      ->type_name("FILE");
  app.add_option("--at-most", o->at_most,
                 "learn from so many records of each kernel on each GPU: how much is enough?")
      ->type_name("N")
      ->check(zero_or_more());
  app.add_option("--rankings", o->rankings, "write explog's rankings here, a JSON line a query")
      ->type_name("FILE");
  return [o](Context& context) { return run_backtest(*o, context); };
}

}  // namespace explog::cli
