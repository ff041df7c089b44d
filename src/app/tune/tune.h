// tune: a kernel's knobs -> every configuration checked and timed, the best judged in full against the
// original, and the answer kept for good.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "app/judge/bench_request.h"
#include "app/tune/table.h"
#include "model/tuned.h"
#include "tune/search.h"

namespace explog::app {

struct TuneOptions {
  BenchNames names;
  std::string space;               // a file, or "BLOCK=128,256;VEC=1,4"; empty: what the source declares
  std::vector<std::string> where;  // more conditions
  std::string controls;            // files for nvcc --apply-controls: a knob more
  std::string shapes;              // a file, or "M=512,N=512"; empty: the largest that the task times
  tune::Plan plan;
  bool strategy_given = false;    // else: all rows where there are few, halving where there are many
  double budget_s = 0;            // begin nothing more after this time; 0: no limit
  double max_seconds = 30;        // of timing a finalist's shape
  bool sanitizer = true;          // of finalists
  bool allow_in_process = false;  // a finalist that cannot be replayed may win (GPU)
  bool again = false;             // search although the store has the answer
};

// A row to measure first, because something like it was found good elsewhere.
struct TuneCandidate {
  std::size_t row = 0;
  Settings settings;
  std::string from;         // "gemm/triton_x.py, M=512,N=512,K=512, NVIDIA H200"
  Settings no_counterpart;  // what was set there and means nothing here
  Settings moved =
      {};  // of what was estimated: wanted values for which the nearest one that is listed stands
  Settings asked = {};     // all of what was estimated, by its names there
  double estimate_ms = 0;  // 0: nobody estimated it
};

struct TuneAnswer {
  Tuned tuned;
  std::string record;               // id; empty when nothing was recorded
  bool from_store = false;          // nothing was measured
  std::size_t measured = 0;         // configurations measured by this run
  double wall_s = 0, search_s = 0;  // in all; until the finalists were known
  double prepare_s = 0;             // of the search: until the original was measured
  double compile_s = 0;             // and after that while only compilers worked
  std::vector<TuneCandidate> candidates = {};
  std::vector<TimedRow> fastest = {};  // ten at most
  std::vector<KnobShare> shares = {};  // which knobs mattered
};

struct TuneRun {
  std::vector<TuneAnswer> answers;  // one a shape
  int signal = 0;                   // SIGINT or SIGTERM when one ended it; the same command goes on
};

// Told when a shape begins and when it has its answer.
struct TuneListener {
  std::function<void(const Dims& shape, std::size_t rows, const std::vector<PrunedCount>& pruned,
                     const std::vector<TuneCandidate>& candidates)>
      begins;
  std::function<void(const TuneAnswer&)> answer;
};

TuneRun tune_kernel(const TuneOptions& options, const Session& session, const TuneListener& listener);

}  // namespace explog::app
