#include "app/tune/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "app/calibrate/sweep_records.h"
#include "app/calibrate/sweep_store.h"
#include "app/session/progress.h"
#include "app/tune/table.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/text.h"
#include "bench/machine_code.h"
#include "bench/measure.h"
#include "store/measurements.h"

namespace explog::app {

using namespace bench;

namespace {

constexpr std::size_t most_failures_kept = 20, longest_failure = 300;

// Compiled before the first of them is timed: enough for all processors, few enough for an early best.
std::size_t rows_at_once() { return std::max<std::size_t>(4, 2 * std::thread::hardware_concurrency()); }

std::span<const std::size_t> part_from(std::span<const std::size_t> rows, std::size_t begin) {
  begin = std::min(begin, rows.size());
  return rows.subspan(begin, std::min(rows_at_once(), rows.size() - begin));
}

SweepWork tuning_work(const TuneRequest& request, const Binaries& trusted) {
  SweepWork work{.task = request.files.found,
                 .sweep = {request.files.candidate.name, request.space.space},
                 .source = request.files.candidate,
                 .configurations = request.rows.rows,
                 .trusted = trusted,
                 .baseline = {request.files.baseline.name, hash_of(request.files.baseline)},
                 .controls = request.controls};
  return work;
}

std::string first_line(const Measurement& m) {
  if (m.correctness == "compile_error")
    return first_error(m.correctness_detail.substr(m.correctness_detail.find('\n') + 1));
  return m.correctness_detail.substr(0, m.correctness_detail.find('\n'));
}

}  // namespace

TuneSearch::TuneSearch(const TuneRequest& request, const Binaries& trusted, const Session& session)
    : request_(request),
      session_(session),
      work_(tuning_work(request, trusted)),
      toolkit_(toolkit_text(request.files.toolchain)),
      outcomes_(request.rows.rows.size()),
      first_(request.rows.rows.size()) {}

void TuneSearch::recall() {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < outcomes_.size(); ++row)
    rows.emplace(hash_of(work_.configuration(row)), row);
  Measurement wanted = named_measurement(work_, 0, request_.key.shape);
  wanted.gpu = request_.key.gpu;
  wanted.toolkit = toolkit_;
  sql::Db db = session_.reader();
  for (Measurement& m : store::measurements_like(db, wanted)) {
    auto it = rows.find(m.candidate.hash);
    bool same_shape =
        !m.runs.empty() && !m.runs[0].shapes.empty() && m.runs[0].shapes[0].dims == request_.key.shape;
    if (it != rows.end() && same_shape) learn(it->second, std::move(m));
  }
}

void TuneSearch::learn(std::size_t row, Measurement m) {
  tune::Outcome& outcome = outcomes_[row];
  if (auto time = quick_time(m)) {
    outcome.ms.push_back(time->ms);
  } else {
    outcome.failed = true;
    std::string cause = m.correctness == "pass" ? "not_timed" : m.correctness;
    failures_.try_emplace(row, TuningFailure{settings(row), cause, first_line(m).substr(0, longest_failure)});
  }
  if (!first_[row]) first_[row] = std::move(m);
}

double TuneSearch::ms(std::size_t row) const {
  double time = tune::time_of(outcomes_[row]);
  return std::isinf(time) ? 0 : time;
}

SweepShape& TuneSearch::shape() {
  if (!shape_) shape_ = std::make_unique<SweepShape>(work_, request_.files.toolchain, request_.key.shape);
  return *shape_;
}

std::vector<std::size_t> TuneSearch::not_built(std::span<const std::size_t> rows) const {
  std::vector<std::size_t> list;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(list),
               [&](std::size_t row) { return !built_.contains(row); });
  return list;
}

std::vector<Built> TuneSearch::compiled(const std::vector<std::size_t>& rows, const TuneClock& clock) const {
  std::vector<Built> built(rows.size());
  std::atomic<std::size_t> next = 0;
  parallel_for(rows.size(), 1, [&](std::size_t, std::size_t) {
    Builder builder(request_.files.toolchain);
    for (std::size_t i = next++; i < rows.size() && !clock.search_is_over(); i = next++) {
      try {
        built[i] = builder.candidate(work_.task.task, work_.configuration(rows[i]));
      } catch (const Error& e) {  // a full disk, say
        built[i].log = e.what();
      }
    }
  });
  return built;
}

std::vector<std::string> TuneSearch::keep(const std::vector<std::size_t>& rows, std::vector<Built> built) {
  std::vector<std::string> products;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (built[i].ok) products.push_back(built[i].path);
    built_[rows[i]] = std::move(built[i]);
  }
  return products;
}

std::vector<std::string> TuneSearch::build(std::span<const std::size_t> wanted, const TuneClock& clock) {
  std::vector<std::size_t> rows = not_built(wanted);
  return keep(rows, compiled(rows, clock));
}

// A device's own clock does not hear the compilers; a processor's does.
std::future<std::vector<Built>> TuneSearch::compile_ahead(const std::vector<std::size_t>& rows,
                                                          const TuneClock& clock) {
  if (rows.empty() || !request_.files.toolchain.row().on_gpu || shape().compiles_late()) return {};
  return std::async(std::launch::async, [this, &rows, &clock] { return compiled(rows, clock); });
}

void TuneSearch::compile(std::span<const std::size_t> rows, const TuneClock& clock) {
  shape().compile(build(rows, clock), [&] { return clock.search_is_over(); });
}

Measurement TuneSearch::compile_failure(std::size_t row) {
  Measurement m = named_measurement(work_, row, request_.key.shape);
  describe_device(m, shape().device(), request_.files.toolchain);
  m.clock = shape().device().clock;
  set_fault(m, {"compile_error", "the compiler said:\n" + built_[row].log});
  return m;
}

// A configuration stopped by a signal has shown nothing: its compiler may have been ended with us.
void TuneSearch::measure(std::size_t row) {
  const Built& built = built_[row];
  Measurement m = built.ok ? shape().measure(row, built) : compile_failure(row);
  if (stop_signal() != 0) return;
  m.toolkit = toolkit_;
  record_measurement(session_, m);
  learn(row, std::move(m));
  ++measured_;
}

// Equal machine code is measured once.
void TuneSearch::take(std::size_t row) {
  const Built& built = built_[row];
  if (built.ok) {
    std::string code = machine_code_of_product(built.path);
    auto [it, added] = code.empty() ? std::pair(by_code_.end(), true) : by_code_.emplace(code, row);
    if (!added && it->second != row && outcomes_[it->second].known()) {
      const tune::Outcome& twin = outcomes_[it->second];
      same_code_[row] = it->second;
      twin.failed ? void(outcomes_[row].failed = true) : outcomes_[row].ms.push_back(tune::time_of(twin));
      return;
    }
  }
  measure(row);
}

std::size_t TuneSearch::best() const {
  std::size_t best = 0;
  for (std::size_t row = 1; row < outcomes_.size(); ++row) {
    if (tune::time_of(outcomes_[row]) < tune::time_of(outcomes_[best])) best = row;
  }
  return best;
}

void TuneSearch::tell(std::size_t at, std::size_t all, const TuneClock& clock,
                      const std::string& doing) const {
  std::string left = time_left_text(clock.seconds(), static_cast<double>(at), static_cast<double>(all));
  std::size_t row = best();
  std::string so_far =
      ms(row) > 0 ? fmt::format("; best so far {:.6f} ms: {}", ms(row), settings_text(settings(row))) : "";
  session_.progress(fmt::format("{} of {}, {}{}{}", at, all, left.empty() ? "" : left + ", ", doing, so_far));
}

// However little time there is: nothing is said of the best before this is known. Compilers that take seconds to begin get
// those that come next along with it.
void TuneSearch::measure_original(const tune::Plan& plan, const TuneClock& clock) {
  session_.progress("the original");
  constexpr std::size_t original = 0;
  std::vector<std::string> products = build(std::span(&original, 1), TuneClock(0));
  if (shape().compiles_late()) {
    std::vector<std::size_t> next = next_rows(plan);
    next.resize(std::min(next.size(), rows_at_once()));
    for (std::string& product : build(next, clock)) products.push_back(std::move(product));
    shape().compile(products, [&] { return clock.search_is_over(); });
  }
  if (stop_signal() == 0) take(original);
}

std::vector<std::size_t> TuneSearch::next_rows(const tune::Plan& plan) const {
  return tune::next_rows(work_.sweep.space, work_.configurations, outcomes_, plan);
}

bool TuneSearch::run(const tune::Plan& plan, const TuneClock& clock) {
  if (!knows_original()) measure_original(plan, clock);
  prepare_s_ = clock.seconds();
  std::size_t done = 0;
  while (true) {
    std::vector<std::size_t> rows = next_rows(plan);
    if (rows.empty()) return true;
    std::size_t all = done + rows.size();
    for (std::size_t begin = 0; begin < rows.size(); begin += rows_at_once()) {
      const std::span<const std::size_t> part = part_from(rows, begin);
      if (clock.search_is_over()) return false;
      tell(done, all, clock, fmt::format("compiling {}", part.size()));
      double began = clock.seconds();
      compile(part, clock);
      compile_s_ += clock.seconds() - began;
      const std::vector<std::size_t> next = not_built(part_from(rows, begin + part.size()));
      std::future<std::vector<Built>> ahead = compile_ahead(next, clock);
      for (std::size_t row : part) {
        if (clock.search_is_over()) return false;
        tell(done++, all, clock, settings_text(settings(row)));
        take(row);
      }
      began = clock.seconds();
      if (ahead.valid()) keep(next, ahead.get());
      compile_s_ += clock.seconds() - began;
    }
  }
}

std::vector<std::size_t> TuneSearch::finalists() const {
  constexpr std::size_t judged_in_full = 3;
  std::vector<tune::Outcome> alone = outcomes_;
  for (const auto& [row, earlier] : same_code_) alone[row].failed = true;
  return tune::finalists(alone, judged_in_full);
}

void TuneSearch::describe(Tuned& tuned) const {
  tuned.configurations = outcomes_.size();
  tuned.pruned = request_.rows.pruned;
  tuned.pruned.push_back({"same_code", same_code_.size()});
  for (const tune::Outcome& outcome : outcomes_) {
    if (outcome.known()) ++(outcome.failed ? tuned.failed : tuned.successes);
  }
  for (const auto& [row, failure] : failures_) {
    if (tuned.failures.size() < most_failures_kept) tuned.failures.push_back(failure);
  }
  for (const std::optional<Measurement>& m : first_) {
    if (m) tuned.rows += m->candidate.hash.substr(0, row_digits);
  }
  tuned.original_ms = ms(0);
}

void TuneSearch::record_changes() const {
  std::vector<Experience> changes = sweep_experiences(work_, first_);
  app::record_changes(session_, changes);
}

}  // namespace explog::app
