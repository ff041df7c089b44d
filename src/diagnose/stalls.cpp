#include <algorithm>
#include <array>

#include "diagnose/findings.h"

namespace explog::diagnose {
namespace {

struct Reason {
  const char* word;
  bool benign;
  const char* meaning;
  const char* hint;
};

// Meanings from the Nsight Compute manual's list of warp states.
constexpr auto reasons = std::to_array<Reason>({
    {"long_scoreboard", false, "waits for global, local or texture memory",
     "more bytes in flight: wider or asynchronous loads, more independent work, coalescing"},
    {"short_scoreboard", false, "waits for shared memory or a special function",
     "fewer bank conflicts, fewer or cheaper special functions"},
    {"lg_throttle", false, "the queue of global and local accesses is full",
     "fewer and wider accesses (128 bit), no spills"},
    {"mio_throttle", false, "the queue of shared memory and special functions is full",
     "fewer and wider shared memory accesses"},
    {"tex_throttle", false, "the texture queue is full", "fewer and wider fetches"},
    {"math_pipe_throttle", true, "the arithmetic pipe is busy", "move work to another pipe (tensor cores)"},
    {"wait", false, "waits out a fixed latency", "more independent instructions"},
    {"barrier", false, "waits for the block at a barrier",
     "fewer barriers, smaller blocks, work of equal length between them"},
    {"membar", false, "waits for a memory fence", "fewer or weaker fences"},
    {"branch_resolving", false, "waits for a branch target", "unroll, use predication"},
    {"no_instruction", false, "waits for code to be fetched", "smaller code, less unrolling"},
    {"not_selected", true, "could issue, another warp did", ""},
    {"selected", true, "issues", ""},
    {"drain", false, "waits for stores at its end", "fewer and wider stores at the end"},
    {"imc_miss", false, "waits for a constant", "fewer indexed constants"},
    {"dispatch_stall", false, "the dispatcher holds it back", "look for conflicts between pipes"},
    {"sleeping", false, "sleeps (nanosleep)", "look at the spin wait"},
    {"misc", false, "other", ""},
    {"gmma", false, "waits for a warpgroup's matrix product",
     "more stages, two consumer groups that take turns"},
});

}  // namespace

std::vector<Stall> stalls_of(const Launch& launch) {
  std::vector<Stall> stalls;
  double sum = 0;
  for (const Reason& reason : reasons) {
    auto warps = metric(
        launch, std::string("smsp__average_warps_issue_stalled_") + reason.word + "_per_issue_active.ratio");
    if (!warps || *warps <= 0) continue;
    sum += *warps;
    stalls.push_back({reason.word, *warps, reason.meaning, reason.hint, reason.benign});
  }
  for (Stall& stall : stalls) stall.share /= sum;
  std::erase_if(stalls, [](const Stall& s) { return s.share < 0.01; });
  std::stable_sort(stalls.begin(), stalls.end(),
                   [](const Stall& a, const Stall& b) { return a.share > b.share; });
  return stalls;
}

std::string dominant_stall(const Launch& launch, const std::vector<Stall>& stalls) {
  auto issue = metric(launch, "smsp__issue_active.avg.per_cycle_active");
  if (!issue || *issue >= 0.8) return "";
  auto it = std::find_if(stalls.begin(), stalls.end(), [](const Stall& s) { return !s.benign; });
  return it != stalls.end() && it->share > 0.3 ? it->reason : "";
}

}  // namespace explog::diagnose
