#include "campaign/state.h"

#include <algorithm>
#include <array>

namespace explog::campaign {
namespace {

constexpr std::array<std::string_view, 5> phase_words = {"baseline", "asking", "judging", "finished",
                                                         "blocked"};

class Fold {
 public:
  void operator()(const Started& e) {
    if (e.resumed) state.stop.reset();
    if (!e.environment.empty()) state.environment = e.environment;
  }
  // A version whose judging was interrupted is proposed again under its number.
  void operator()(const Proposed& e) {
    auto number = static_cast<std::size_t>(e.version);
    if (state.versions.size() <= number) state.versions.resize(number + 1);
    state.versions[number] = {e, {}, {}, {}, {}};
    state.notes.clear();
    judging = false;
  }
  void operator()(const Judging&) { judging = true; }
  void operator()(const Judged& e) {
    judging = false;
    state.judging_s += e.wall_s;
    Version* v = version(e.version);
    if (v == nullptr) return;
    v->judged = e;
    if (!e.profile.by.empty()) v->profile = e.profile;
  }
  void operator()(const Profiled& e) {
    if (Version* v = version(e.version)) v->profile = e.profile;
  }
  void operator()(const Benchmarked& e) {
    Version* v = version(e.version);
    if (v == nullptr) return;
    std::erase_if(v->benchmarks, [&](const Benchmarked& earlier) { return earlier.with == e.with; });
    v->benchmarks.push_back(e);
  }
  void operator()(const Decided& e) {
    Version* v = version(e.version);
    if (v != nullptr) v->status = e.status;
    state.champion = e.champion;
    const bool untimed = v != nullptr && v->is_open() && v->judged->faster.lo <= 0;
    if (e.version > 0 && !untimed)
      state.without_gain = e.status == Decision::keep ? 0 : state.without_gain + 1;
  }
  void operator()(const Interrupted&) { judging = false; }
  void operator()(const Note& e) { state.notes.push_back(e); }
  void operator()(const Stopped& e) { state.stop = e; }
  void operator()(const Refused& e) { state.refused.push_back(e); }
  void operator()(const Unknown&) {}

  State result() {
    bool measured = !state.versions.empty() && state.versions[0].status.has_value();
    bool no_baseline = state.stop && state.stop->rule.starts_with("baseline_");
    state.phase = no_baseline  ? Phase::blocked
                  : state.stop ? Phase::finished
                  : judging    ? Phase::judging
                  : measured   ? Phase::asking
                               : Phase::baseline;
    return state;
  }

 private:
  Version* version(int number) {
    auto at = static_cast<std::size_t>(number);
    return at < state.versions.size() ? &state.versions[at] : nullptr;
  }
  State state;
  bool judging = false;
};

}  // namespace

std::string_view word(Phase phase) { return phase_words[static_cast<std::size_t>(phase)]; }

bool Version::is_open() const {
  return proposal.version > 0 && judged && judged->verdict == "inconclusive" && !kept();
}

const Benchmarked* Version::benchmark_with(std::string_view program) const {
  auto at = std::find_if(benchmarks.begin(), benchmarks.end(),
                         [&](const Benchmarked& b) { return b.with == program; });
  return at == benchmarks.end() ? nullptr : &*at;
}

int State::decided() const {
  auto decided =
      std::count_if(versions.begin(), versions.end(), [](const Version& v) { return v.status.has_value(); });
  return std::max(0, static_cast<int>(decided) - 1);
}

const Version* State::of_source(const std::string& hash) const {
  auto at = std::find_if(versions.begin(), versions.end(), [&](const Version& v) {
    return v.status && !v.is_open() && v.proposal.source == hash;
  });
  if (at != versions.end()) return &*at;
  const Refused* refusal = refusal_of(hash);
  return refusal == nullptr ? nullptr : &versions[static_cast<std::size_t>(refusal->same_as)];
}

bool State::was_judged(const std::string& source) const {
  return refusal_of(source) != nullptr ||
         std::any_of(versions.begin(), versions.end(),
                     [&](const Version& v) { return v.status && v.proposal.source == source; });
}

const Refused* State::refusal_of(const std::string& source) const {
  auto at =
      std::find_if(refused.begin(), refused.end(), [&](const Refused& r) { return r.source == source; });
  return at == refused.end() ? nullptr : &*at;
}

const Version* State::of_code(const std::string& hash) const {
  auto is_it = [&](const Version& v) {
    return v.status && !v.is_open() && !hash.empty() && v.proposal.code == hash;
  };
  auto at = std::find_if(versions.begin(), versions.end(), is_it);
  return at == versions.end() ? nullptr : &*at;
}

const Version* State::last_decided() const {
  auto at =
      std::find_if(versions.rbegin(), versions.rend(), [](const Version& v) { return v.status.has_value(); });
  return at == versions.rend() ? nullptr : &*at;
}

std::vector<const Version*> State::open_again() const {
  std::vector<const Version*> open;
  for (auto v = versions.rbegin(); v != versions.rend(); ++v) {
    const Proposed& p = v->proposal;
    auto same = [&](const Version& other) { return other.proposal.strategy == p.strategy; };
    const bool later = std::any_of(versions.rbegin(), v, same);  // kept since, tried again, or listed already
    if (v->status == Decision::revert && p.version > 0 && p.parent != champion && !later) open.push_back(&*v);
  }
  return open;
}

State state_of(const std::vector<Event>& events) {
  Fold fold;
  for (const Event& event : events) std::visit(fold, event.what);
  return fold.result();
}

}  // namespace explog::campaign
