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

void print_method(std::ostream& out, const recommend::MethodScore& m) {
  out << fmt::format("{:<14}{:>7.3f}{:>7.3f}{:>7.3f}{:>8.3f}{:>7.3f}{:>7.3f}", m.name, m.succ1, m.hit3,
                     m.ndcg5, m.regret1, m.harm1, m.mrr);
  out << (m.has_probability ? fmt::format("{:>7.3f}{:>7.3f}", m.brier, m.ece)
                            : fmt::format("{:>7}{:>7}", "-", "-"));
  out << fmt::format("  {:+.3f} ({:+.3f} to {:+.3f}), {:.0f}% of clusters\n", m.d_ndcg5, m.d_ndcg5_lo,
                     m.d_ndcg5_hi, 100 * m.won);
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
    out << fmt::format("\n{:<14}{:>7}{:>7}{:>7}{:>8}{:>7}{:>7}{:>7}{:>7}  {}\n", "method", "succ@1", "hit@3",
                       "NDCG@5", "regret", "harm", "MRR", "Brier", "ECE", "NDCG against the family rate");
    for (const recommend::MethodScore& m : r.methods) print_method(out, m);
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
