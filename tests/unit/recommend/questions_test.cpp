// What people ask, on the evidence that ships, with what an expert would sign about each answer:
// tests/questions/questions.jsonl.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answers/recommendation.h"
#include "app/advice/recommend.h"
#include "intake/explog_jsonl.h"
#include "intake/source_work.h"
#include "model/claim.h"
#include "model/comments.h"
#include "model/kernel_type.h"
#include "model/recipe.h"
#include "recommend/rank.h"

using namespace explog;
using nlohmann::ordered_json;

namespace {

// Cells of the records that ship, by family.
std::map<std::string, std::vector<Cell>> shipped_cells() {
  std::map<std::string, std::vector<Cell>> families;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(EXPLOG_SOURCE_DIR) + "/strategies/evidence")) {
    Source source = intake::explog_jsonl(file.path(), nullptr);
    while (auto parsed = source()) {
      if (!parsed->experience || prepare(*parsed->experience, "replicated").refused) continue;
      for (Cell& cell : cells_of(*parsed->experience)) families[cell.family].push_back(std::move(cell));
    }
  }
  for (auto& [family, cells] : families) {
    std::stable_sort(cells.begin(), cells.end(),
                     [](const Cell& a, const Cell& b) { return a.strategy < b.strategy; });
  }
  return families;
}

Facts facts(const ordered_json& ask, const char* key) {
  Facts list;
  if (!ask.contains(key)) return list;
  for (const auto& [name, value] : ask[key].items()) list.emplace_back(name, value.get<double>());
  return list;
}

Question question_in(const ordered_json& ask) {
  Question q;
  q.kernel_type = canonical_kernel_type(ask["kernel"].get<std::string>());
  q.family = family_of(q.kernel_type);
  q.backend = ask["backend"], q.arch = ask["arch"];
  q.dtype = ask.value("dtype", ""), q.bottleneck = ask.value("bottleneck", "unknown");
  q.state = facts(ask, "state"), q.metrics = facts(ask, "metrics"), q.shape = facts(ask, "shape");
  q.source = without_comments(ask.value("source", ""), {.python_comments = true});
  q.shown = intake::what_is_shown(q.source);
  return q;
}

constexpr std::size_t nowhere = 1'000'000;

// One check of one answer: a word and one or two names, as in the file's first lines.
class Checked {
 public:
  explicit Checked(const recommend::Recommendation& answer) : answer_(answer) {}

  bool holds(const std::vector<std::string>& check) const {
    const std::string &word = check[0], &name = check[1];
    if (word == "first") return place(name) == 0;
    if (word == "not_first") return place(name) != 0;
    if (word.starts_with("top")) return place(name) < std::stoul(word.substr(3));
    if (word.starts_with("not_top")) return place(name) >= std::stoul(word.substr(7));
    if (word == "above") return place(name) < place(check[2]);
    if (word == "not_listed" || word == "not_advised") return place(name) == nowhere;
    if (word == "status") return answer_.status == name;
    if (word == "there")
      return std::any_of(answer_.already_there.begin(), answer_.already_there.end(),
                         [&](const recommend::Filtered& f) { return f.strategy == name; });
    if (word == "prior_below")
      return std::all_of(answer_.items.begin(), answer_.items.end(),
                         [&](const recommend::Item& i) { return !i.prior_only() || i.p < std::stod(name); });
    FAIL("unknown check " << word);
    return false;
  }

 private:
  std::size_t place(const std::string& strategy) const {
    for (std::size_t i = 0; i < answer_.items.size(); ++i) {
      if (answer_.items[i].strategy == strategy) return i;
    }
    return nowhere;
  }
  const recommend::Recommendation& answer_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

TEST_CASE("questions as people ask them get answers that an expert would sign") {
  Playbook playbook = Playbook::load("");
  auto families = shipped_cells();
  REQUIRE(families["gemm"].size() > 1000);
  std::ifstream file(std::string(EXPLOG_SOURCE_DIR) + "/tests/questions/questions.jsonl");
  int questions = 0;
  for (std::string line; std::getline(file, line); ++questions) {
    ordered_json entry = ordered_json::parse(line);
    Question question = question_in(entry["ask"]);
    auto answer = recommend::rank(question, families[question.family], playbook);
    for (const auto& check : entry["checks"].get<std::vector<std::vector<std::string>>>()) {
      INFO(entry["ask"].dump());
      INFO(joined(check));
      CHECK(Checked(answer).holds(check));
    }
  }
  CHECK(questions >= 100);
}

TEST_CASE("of 76 questions with a type and an arch alone, few are led by what nobody has tried") {
  Playbook playbook = Playbook::load("");
  auto families = shipped_cells();
  int led_by_prior = 0, asked = 0;
  for (const char* type : {"gemm", "gemv", "conv2d", "attention", "softmax", "layernorm", "rmsnorm",
                           "reduction", "scan", "histogram", "transpose", "vector_add", "activation",
                           "cross_entropy", "rope", "gather", "sort", "spmv", "stencil"}) {
    for (const char* arch : {"sm_80", "sm_89", "sm_90", "sm_100"}) {
      Question question = question_in({{"kernel", type}, {"backend", "cuda"}, {"arch", arch}});
      auto answer = recommend::rank(question, families[question.family], playbook);
      ++asked;
      REQUIRE(!answer.items.empty());
      bool better = std::any_of(answer.items.begin(), answer.items.end(),
                                [](const recommend::Item& i) { return i.counts.n >= 4; });
      led_by_prior += better && answer.items.front().prior_only();
    }
  }
  CHECK(asked == 76);
  CHECK(led_by_prior <= 4);
}

TEST_CASE("ten items are less than 6 KB of JSON, with what to do, how to falsify it and where to read on") {
  Playbook playbook = Playbook::load("");
  auto families = shipped_cells();
  for (const char* type : {"gemm", "conv2d", "attention", "softmax", "rmsnorm", "reduction", "transpose"}) {
    for (const char* arch : {"sm_80", "sm_90", "sm_100"}) {
      INFO(type << " " << arch);
      app::Advice advice;
      advice.question = question_in({{"kernel", type},
                                     {"backend", "cuda"},
                                     {"arch", arch},
                                     {"dtype", "f32"},
                                     {"bottleneck", "memory"}});
      advice.ranking = recommend::rank(advice.question, families[advice.question.family], playbook);
      advice.shown = 10;
      REQUIRE(advice.ranking.items.size() >= 10);
      for (recommend::Item& item : advice.ranking.items) {
        if (!item.rids.empty()) item.ids = {"0123abcd"};
        const Strategy* known = playbook.find(item.strategy);
        if (known == nullptr) continue;
        std::string prose = Playbook::prose(*known);
        item.first_step = first_step(prose), item.falsifier = falsifier(prose);
      }
      for (recommend::Avoid& avoid : advice.ranking.avoid) avoid.ids = {"0123abcd"};
      std::string json = answers::advice_json(advice, false);
      CHECK(json.size() < 6000);
      CHECK(json.find("\"falsify\":\"") != std::string::npos);
    }
  }
}
