#include "app/advice/backtest_searches.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "model/kernel_type.h"
#include "recommend/knob_steps.h"
#include "recommend/replay.h"
#include "tune/expected.h"
#include "tune/search.h"

namespace explog::app {
namespace {

constexpr double good_enough = 0.95;     // of the best's speed
constexpr std::size_t fewest_rows = 20;  // smaller spaces are measured in full
constexpr std::size_t seeds = 100;       // of a random search
constexpr std::array starts = {0.5, 0.75, 0.95};

using Search = tune::Strategy;

struct KnownSpace {
  SearchedSpace name;
  Question question;
  std::string group;
  std::map<Facts, double> times;  // ms of a configuration; 0: it does not run
};

std::string shape_words(const Facts& shape) {
  std::string text;
  for (const auto& [name, value] : shape) text += (text.empty() ? "" : ",") + name + "=" + number_text(value);
  return text;
}

// The configuration that a change leads to; nothing where the record does not say.
std::optional<Facts> changed(const Experience& e) {
  std::string knob(knob_of(e.strategy));
  Facts after = e.state;
  for (const auto& [name, value] : e.params) {
    if (name != "to" || !std::holds_alternative<double>(value)) continue;
    for (auto& [own, setting] : after) {
      if (own != knob) continue;
      setting = std::get<double>(value);
      return after;
    }
  }
  return std::nullopt;
}

void add_record(KnownSpace& space, const Experience& e) {
  auto after = changed(e);
  if (!after || !e.latency_before_ms) return;
  auto sorted = [](Facts facts) {
    std::sort(facts.begin(), facts.end());
    return facts;
  };
  space.times[sorted(e.state)] = *e.latency_before_ms;
  double& time = space.times[sorted(*after)];
  if (e.latency_after_ms) time = *e.latency_after_ms;
}

std::vector<KnownSpace> known_spaces(const std::vector<recommend::Dated>& records, recommend::Split split) {
  std::map<std::string, KnownSpace> spaces;
  for (const recommend::Dated& dated : records) {
    const Experience& e = dated.record;
    if (knob_of(e.strategy).empty()) continue;
    std::string shape = shape_words(e.shape), gpu = e.gpu.empty() ? e.arch : e.gpu;
    KnownSpace& space = spaces[e.kernel + "\n" + gpu + "\n" + shape + "\n" + e.dtype];
    if (space.times.empty()) {
      space.name.kernel = e.kernel, space.name.gpu = gpu, space.name.shape = shape;
      space.question = recommend::question_of(e);
      space.question.latency_ms.reset();
      space.group = recommend::group_of(e, split, 0, 1);
    }
    add_record(space, e);
  }
  std::vector<KnownSpace> list;
  for (auto& [name, space] : spaces) {
    if (space.times.size() >= fewest_rows) list.push_back(std::move(space));
  }
  return list;
}

// A space whose measurements are read from a table.
struct Table {
  Space space;
  std::vector<Configuration> rows;
  std::vector<double> ms;
  double enough = 0;  // ms

  explicit Table(const KnownSpace& known) {
    for (const auto& [facts, time] : known.times) {
      for (const auto& [name, value] : facts) parameter(name);
    }
    for (const auto& [facts, time] : known.times) {
      Configuration row;
      for (Parameter& p : space.parameters) row.push_back(p.number_of(fact(facts, p.name).value_or(0)));
      rows.push_back(std::move(row));
      ms.push_back(time);
      if (time > 0 && (enough == 0 || time / good_enough < enough)) enough = time / good_enough;
    }
  }
  bool is_good(std::size_t row) const { return ms[row] > 0 && ms[row] <= enough; }

  // The row that this share of the others is faster than, as the first: that is the original.
  Table from(double share) const {
    std::vector<std::size_t> order;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (ms[row] > 0) order.push_back(row);
    }
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return ms[a] < ms[b]; });
    auto first = static_cast<std::ptrdiff_t>(
        order[static_cast<std::size_t>(share * static_cast<double>(order.size() - 1))]);
    Table begun = *this;
    std::rotate(begun.rows.begin(), begun.rows.begin() + first, begun.rows.begin() + first + 1);
    std::rotate(begun.ms.begin(), begun.ms.begin() + first, begun.ms.begin() + first + 1);
    return begun;
  }

 private:
  void parameter(const std::string& name) {
    for (const Parameter& p : space.parameters) {
      if (p.name == name) return;
    }
    space.parameters.emplace_back(name);
  }
};

// Measurements until the first of a good row; all of them where none comes.
double needed(const Table& table, const tune::Plan& plan) {
  std::vector<tune::Outcome> outcomes(table.rows.size());
  double measured = 0;
  while (true) {
    std::vector<std::size_t> next = tune::next_rows(table.space, table.rows, outcomes, plan);
    if (next.empty()) return measured;
    for (std::size_t row : next) {
      ++measured;
      if (table.is_good(row)) return measured;
      table.ms[row] > 0 ? outcomes[row].ms.push_back(table.ms[row]) : void(outcomes[row].failed = true);
    }
  }
}

double needed(const Table& table, Search strategy, const std::vector<KnobStep>& steps) {
  tune::Plan plan{.strategy = strategy};
  if (strategy == Search::local) plan.most = table.rows.size();  // goes on from other rows
  if (strategy == Search::predicted) plan.expected = tune::expected_times(table.space, table.rows, steps);
  if (strategy != Search::random) return needed(table, plan);
  double sum = 0;
  for (plan.seed = 1; plan.seed <= seeds; ++plan.seed) sum += needed(table, plan);
  return sum / static_cast<double>(seeds);
}

std::vector<KnobStep> steps_without(const KnownSpace& space, const std::vector<recommend::Dated>& train,
                                    recommend::Split split) {
  std::vector<Cell> cells;
  for (const recommend::Dated& dated : train) {
    const Experience& e = dated.record;
    if (family_of(e.kernel_type) != space.question.family) continue;
    if (recommend::group_of(e, split, 0, 1) == space.group) continue;
    for (Cell& cell : cells_of(e)) {
      cell.source = recommend::group_of(e, recommend::Split::source, 0, 1);
      cells.push_back(std::move(cell));
    }
  }
  return cells.empty() ? std::vector<KnobStep>() : recommend::knob_steps(space.question, cells);
}

}  // namespace

std::vector<SearchedSpace> searched_spaces(const BacktestRecords& records, recommend::Split split,
                                           const Listener& progress) {
  std::vector<SearchedSpace> answer;
  for (const KnownSpace& known : known_spaces(records.test, split)) {
    SearchedSpace searched = known.name;
    Table table(known);
    if (table.enough == 0) continue;
    progress(searched.kernel + " on " + searched.gpu);
    searched.rows = table.rows.size();
    for (std::size_t row = 0; row < table.rows.size(); ++row) searched.good += table.is_good(row);
    std::vector<KnobStep> steps = steps_without(known, records.train, split);
    searched.evidence = steps.size();
    for (Search s : {Search::exhaustive, Search::halving, Search::local, Search::random, Search::predicted}) {
      std::array<double, starts.size()> times{};
      for (std::size_t i = 0; i < starts.size(); ++i) times[i] = needed(table.from(starts[i]), s, steps);
      std::sort(times.begin(), times.end());
      searched.needed.emplace_back(tune::word(s), times[starts.size() / 2]);
    }
    answer.push_back(std::move(searched));
  }
  progress("");
  return answer;
}

std::vector<SearchedSpace> backtest_searches(const BacktestRequest& request, const Session& session) {
  if (request.split == recommend::Split::time)
    throw Error(Exit::usage, "backtest: --searches leaves no time out",
                "--split gpu, arch, shape, family or source");
  return searched_spaces(read_backtest_records(request, session), request.split, session.progress);
}

}  // namespace explog::app
