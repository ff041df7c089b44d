#include "answers/backtest.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "answers/rows.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

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

// A table for people, beside what the family rate alone would have been worth.
void print_methods(const Terminal& terminal, const std::vector<recommend::MethodScore>& methods) {
  const std::vector<std::string> figures = {"succ@1", "hit@3", "NDCG@5", "regret",   "harm",
                                            "MRR",    "Brier", "ECE",    "NDCG +/-", "won"};
  std::vector<std::string> columns = {"method"};
  columns.insert(columns.end(), figures.begin(), figures.end());
  columns.insert(columns.end() - 1, "95% interval");
  RowPrinter printer(terminal, Format::text);
  printer.align_right(figures);
  printer.show_whole({"method", "95% interval"});
  printer.can_miss({"won", "95% interval", "hit@3", "MRR", "ECE", "harm"});
  printer.header(std::move(columns));
  auto shown = [](double value) { return fmt::format("{:.3f}", value); };
  for (const recommend::MethodScore& m : methods)
    printer.row({m.name, shown(m.succ1), shown(m.hit3), shown(m.ndcg5), shown(m.regret1), shown(m.harm1),
                 shown(m.mrr), m.has_probability ? shown(m.brier) : "-",
                 m.has_probability ? shown(m.ece) : "-", fmt::format("{:+.3f}", m.d_ndcg5),
                 fmt::format("{:+.3f} to {:+.3f}", m.d_ndcg5_lo, m.d_ndcg5_hi),
                 fmt::format("{:.0f}%", 100 * m.won)});
  printer.finish();
  terminal.print({Line("NDCG +/-: against the family rate; won: in so many of the clusters", Style::dim)});
}

}  // namespace

std::string backtest_json(const recommend::Backtest& r, const std::string& split) {
  JsonWriter json;
  begin_answer(json);
  json.field("split", split);
  json.field("queries", r.queries);
  json.field("candidates", r.candidates);
  json.field("clusters", r.clusters);
  json.key("methods");
  json.begin_array();
  for (const recommend::MethodScore& m : r.methods) {
    json.begin_object();
    json.field("name", m.name);
    for (auto [name, figure] : ranking_figures) json.field(name, rounded(m.*figure));
    for (auto [name, figure] : probability_figures) {
      json.key(name);
      m.has_probability ? json.number(rounded(m.*figure)) : json.null();
    }
    for (auto [name, figure] : difference_figures) json.field(name, rounded(m.*figure));
    json.end_object();
  }
  json.end_array();
  json.key("single");
  json.begin_object();
  json.field("n", r.single.n);
  json.field("brier", rounded(r.single.brier));
  json.field("base_brier", rounded(r.single.base_brier));
  json.field("auc", rounded(r.single.auc));
  json.end_object();
  json.field("flags", r.flags);
  json.end_object();
  return json.take();
}

void print_backtest(const Terminal& terminal, const recommend::Backtest& r, const std::string& split) {
  std::ostream& out = terminal.out;
  out << fmt::format("{} queries with {} candidates in {} clusters, each answered without its {}\n",
                     r.queries, r.candidates, r.clusters, split);
  if (r.queries > 0) {
    out << '\n';
    print_methods(terminal, r.methods);
  }
  out << fmt::format("\n{} single records: Brier {:.3f} ({:.3f} by the base rate), AUC {:.3f}\n", r.single.n,
                     r.single.brier, r.single.base_brier, r.single.auc);
  for (const std::string& flag : r.flags) out << "source " << printable(flag) << '\n';
}

std::string rankings_jsonl(const std::vector<recommend::Ranking>& rankings) {
  std::string lines;
  for (const recommend::Ranking& r : rankings) {
    JsonWriter json;
    json.begin_object();
    json.field("query", r.query);
    json.key("ranking");
    json.begin_array();
    for (const recommend::Ranked& s : r.strategies) {
      json.begin_object();
      json.field("strategy", s.strategy);
      json.field("p", rounded(s.p));
      json.end_object();
    }
    json.end_array();
    json.end_object();
    lines += json.str() + '\n';
  }
  return lines;
}

}  // namespace explog::answers
