// What nvMatmulHeuristics thinks best for a matrix product: rows to measure first, and lines of a template. Its estimates are
// kept beside what was measured, and are never an answer.
#pragma once
#include <optional>

#include "app/tune/request.h"
#include "app/tune/templates.h"
#include "app/tune/tune.h"
#include "model/gemm_heuristics.h"

namespace explog::app {

struct HeuristicsCandidates {
  std::vector<TuneCandidate> list;
  std::string trouble;  // one line where the library could have helped and did not
};
// Empty where the kernel is no matrix product on a GPU, or the space has no knob for its tiles.
HeuristicsCandidates heuristics_candidates(const TuneRequest& request, const TuneOptions& options);

// The rows that the estimates name, each once: all of a tile as listed, of other knobs the nearest value that is listed.
std::vector<TuneCandidate> estimated_rows(const GemmEstimates& estimates, const std::string& backend,
                                          const Space& space, const std::vector<Configuration>& rows);

// Of a product for which nobody has a file yet. `gpu` empty: this machine's.
struct HeuristicsTemplate {
  std::optional<TuneTemplate> lines;
  std::string trouble;
};
HeuristicsTemplate heuristics_template(const Task& task, const Dims& shape, const std::string& backend,
                                       const std::string& gpu, const std::string& python);

}  // namespace explog::app
