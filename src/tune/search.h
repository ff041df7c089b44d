// Which configurations of a space to measure next, from what is known of them: a pure function, so that a
// search that was cut goes on where it stopped, and the same seed asks for the same rows.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "model/space.h"

namespace explog::tune {

enum class Strategy { exhaustive, halving, local, random, predicted };
std::string_view word(Strategy strategy);

// One of several machines that share the rows: it takes every n-th, from the k-th on, and the original.
struct Shard {
  std::size_t k = 1, n = 1;
};

struct Plan {
  Strategy strategy = Strategy::exhaustive;
  std::uint64_t seed = 1;
  std::size_t most = 0;  // rows to measure, the original among them; 0: no limit
  Shard shard = {};
  // Of `predicted`: log2 of the time of each row over the original's, as the store's evidence has it
  // (expected_times); empty where nothing is known.
  std::vector<double> expected = {};
  std::vector<std::size_t> first = {};  // rows that come before all others but the original
};

// What is known of one row.
struct Outcome {
  bool failed = false;     // wrong, or it does not run: never asked for again
  std::vector<double> ms;  // one a measurement, in the order they were made
  bool known() const { return failed || !ms.empty(); }
};
// The median of its measurements, infinite where it failed or has none.
double time_of(const Outcome& outcome);

// Rows to measure once more each, in this order; empty when the search is done. Row 0 is the original and
// comes first. `rows` and `outcomes` are of one length.
std::vector<std::size_t> next_rows(const Space& space, std::span<const Configuration> rows,
                                   std::span<const Outcome> outcomes, const Plan& plan);

// Those that were faster than the original, the fastest first, at most `most`: what is worth judging in full.
std::vector<std::size_t> finalists(std::span<const Outcome> outcomes, std::size_t most);

}  // namespace explog::tune
