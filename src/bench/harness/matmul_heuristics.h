// nvMatmulHeuristics, a library of NVIDIA's that estimates how configurations of a matrix product do on a GPU. It is never
// part of explog, and never in its process: a program of the harness loads it, answers one question, and ends.
#pragma once
#include <optional>
#include <string>

#include "model/gemm_heuristics.h"

namespace explog::bench {

// $EXPLOG_NVMMH, else what the interpreter (said, or the one that is found) has among its packages, else the name under which
// the loader may find it; empty where $EXPLOG_NVMMH is "off".
std::string find_matmul_heuristics(const std::string& python = "");

struct HeuristicsQuestion {
  int gpu = 0, target = 0;
  GemmProduct product;
};
// One line where there is no answer.
struct HeuristicsAnswer {
  std::string trouble;
  GemmEstimates estimates;
};
// Without a question: its version alone. Takes seconds at most.
HeuristicsAnswer ask_matmul_heuristics(const std::string& library,
                                       const std::optional<HeuristicsQuestion>& question = std::nullopt);

}  // namespace explog::bench
