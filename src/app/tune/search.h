// The search at one shape: configurations are compiled side by side, then checked and timed one after the
// other by the light path; each is on disk before the next begins.
#pragma once
#include <future>
#include <map>
#include <memory>
#include <span>

#include "app/tune/clock.h"
#include "app/tune/request.h"
#include "bench/sweep.h"

namespace explog::app {

class TuneSearch {
 public:
  // `trusted`: reference and baseline, built.
  TuneSearch(const TuneRequest& request, const bench::Binaries& trusted, const Session& session);

  // What the store holds of these configurations.
  void recall();

  // True when the plan is done; false when time or a signal ended it.
  bool run(const tune::Plan& plan, const TuneClock& clock);

  // Rows worth judging in full, the fastest first.
  std::vector<std::size_t> finalists() const;
  Settings settings(std::size_t row) const { return work_.settings(row); }
  bench::SourceFile source(std::size_t row) const { return work_.configuration(row); }
  double ms(std::size_t row) const;  // 0 where it did not run
  bool knows_original() const { return outcomes_[0].known(); }
  std::size_t measured() const { return measured_; }
  // Seconds of the search until the original was measured, and those after it in which only compilers worked.
  double prepare_s() const { return prepare_s_; }
  double compile_s() const { return compile_s_; }
  // Counts, failures and what equal machine code saved.
  void describe(Tuned& tuned) const;
  // What pairs of configurations one change apart taught, into the store.
  void record_changes() const;

 private:
  std::vector<std::size_t> next_rows(const tune::Plan& plan) const;
  void measure_original(const tune::Plan& plan, const TuneClock& clock);
  std::vector<std::size_t> not_built(std::span<const std::size_t> rows) const;
  std::vector<bench::Built> compiled(const std::vector<std::size_t>& rows, const TuneClock& clock) const;
  std::vector<std::string> keep(const std::vector<std::size_t>& rows, std::vector<bench::Built> built);
  // Compiles while others are timed; nothing where that would disturb. `rows` must outlive it.
  std::future<std::vector<bench::Built>> compile_ahead(const std::vector<std::size_t>& rows,
                                                       const TuneClock& clock);
  // Those that are not built yet; the products that this made.
  std::vector<std::string> build(std::span<const std::size_t> wanted, const TuneClock& clock);
  void compile(std::span<const std::size_t> rows, const TuneClock& clock);
  void take(std::size_t row);
  void measure(std::size_t row);
  void learn(std::size_t row, Measurement m);
  Measurement compile_failure(std::size_t row);
  bench::SweepShape& shape();
  void tell(std::size_t at, std::size_t all, const TuneClock& clock, const std::string& doing) const;
  std::size_t best() const;

  const TuneRequest& request_;
  const Session& session_;
  bench::SweepWork work_;
  std::string toolkit_;
  std::unique_ptr<bench::SweepShape> shape_;  // once something is to be measured
  std::vector<tune::Outcome> outcomes_;
  std::vector<std::optional<Measurement>> first_;  // of each row, for what is derived
  std::map<std::size_t, bench::Built> built_;
  std::map<std::string, std::size_t> by_code_;    // machine code -> the first row that has it
  std::map<std::size_t, std::size_t> same_code_;  // row -> an earlier one with the same machine code
  std::map<std::size_t, TuningFailure> failures_;
  std::size_t measured_ = 0;
  double prepare_s_ = 0, compile_s_ = 0;
};

}  // namespace explog::app
