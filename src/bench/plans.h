// The plans by which baseline and candidate are timed: a process that replays them holds no host code of theirs
// (schema/formats/plan.md).
#pragma once
#include <array>
#include <cstdint>
#include <future>
#include <set>
#include <string>
#include <vector>

#include "bench/plan/direct_calls.h"
#include "bench/plan/rules.h"
#include "bench/workbench.h"

namespace explog::bench {

class SharedCaptures;

struct ShapePlans {
  std::array<std::string, 2> files;           // by RunnerArm: plans that were read, checked and written again
  std::array<std::uint64_t, 2> activities{};  // pieces of work that a profiler must see in one call
  std::array<bool, 2> returns{};              // some results instead of writing them
  std::string chosen;                         // by the candidate, of Python's: for chosen_settings()
  std::array<DirectCalls, 2> direct;          // with the inputs of `asked`
  SampleOrder asked;
  std::array<std::set<std::string>, 2> cubins;  // of Python's: bytes of the images that were launched
};

// Who times a candidate. Refused work is a fault of the candidate's.
struct Plans {
  Judged judged = Judged::in_process;
  std::string reason;              // why it is no replay, in one line
  std::string fault;               // of a refusal: the word of the verdict
  std::vector<std::string> notes;  // what a reader of the verdict must know
  std::vector<ShapePlans> shapes;  // of a replay: by timed shape of the task
  bool captured = true;            // false: a capture failed, which says nothing of the candidate
};

// Captures both arms at the timed shapes: side by side, or, deferred, one after the other. The files lie in `folder`,
// which no candidate has seen. `shared`: where the captures are others' as well.
Plans make_plans(Workbench& bench, const Binaries& binaries, const PrivateFolder& folder, std::launch how,
                 SharedCaptures* shared = nullptr);

}  // namespace explog::bench
