// What workers write about an item, and what follows from it: who has it, whether it may be taken, what it is called.
#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "launch/work_plan.h"

namespace explog::launch {

// claim-N.json: an attempt begins. There is one at most of each N.
struct Claim {
  std::string worker, node, machine, at;  // machine: the model of the GPU or processor that times
};
// left-N.json: the attempt ended without a result, and the next may begin.
struct Left {
  std::string why, at;  // preempted, crash, unavailable
};
// done.json: the one end of an item.
struct Done {
  int attempt = 1, exit = 0;
  std::string worker, node, at, said;  // said: the first line of the command's complaint
  double wall_s = 0;
};
std::string to_json(const Claim& claim);
std::string to_json(const Left& left);
std::string to_json(const Done& done);
// Throw JsonError.
Claim parse_claim(std::string_view json);
Left parse_left(std::string_view json);
Done parse_done(std::string_view json);

// What lies in an item's folder.
struct ItemFacts {
  int attempts = 0, crashes = 0;
  std::optional<Claim> claim;  // of the last attempt
  std::optional<Left> left;    // of the same
  std::optional<Done> done;
};

enum class ItemState { waiting, running, preempted, lost, done };
std::string_view word(ItemState state);
// `silent`: its owner has not been heard of for too long.
ItemState state_of(const ItemFacts& facts, bool silent);

// Whether owners live, by what changes while we look: no clock but our own counts, and ours may not be set. Only time that
// was looked at counts: after a pause, of ours or of the folder, the silence until then says little.
class Watch {
 public:
  Watch(double beat_s, double stale_s) : longest_gap_(2 * beat_s), stale_s_(stale_s) {}
  // What a worker's file said at `now`, in seconds of a clock that only goes forward.
  void look(const std::string& worker, const std::string& beat, double now);
  bool is_silent(const std::string& worker) const;

 private:
  struct Seen {
    std::string beat;
    double looked = 0, silent = 0;
  };
  double longest_gap_, stale_s_;
  std::map<std::string, Seen> seen_;
};

struct PlanShard {
  std::size_t k = 1, n = 1;
};
// Whose item it is at first: the same for everybody who sees the plan.
bool is_of_shard(const Item& item, const PlanShard& shard);

}  // namespace explog::launch
