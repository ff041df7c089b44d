// Ladders: the variants of a kernel family, each one change away from another, named after the strategy it
// shows. The first comment of a variant is its head:
//
//     // strategy: vectorized_access
//     // after: shared_tile.cu          (naive when left out)
//     // predicts: 1.3x from 4096 on, because ...
//
// A variant that only sets constants of another is a row of ladder.json (model/ladder.h) under a file's name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::bench {

struct Step {
  std::string task, file;  // "softmax", "online.cu"
  std::string strategy, after, predicts;
};

// The head of a variant; a step without strategy when there is none.
Step parse_step(std::string_view task, std::string_view file, std::string_view text,
                const std::string& baseline);

// All steps of the program's own kernels for a backend, a step behind the one it changes, families in alphabetical order.
// Those in Python are named after what they are written in: triton_online.py behind triton_naive.py.
std::vector<Step> ladder_steps(const std::string& backend);
// The file that their first steps change: naive.cu, triton_naive.py.
std::string naive_of(const std::string& backend);

}  // namespace explog::bench
