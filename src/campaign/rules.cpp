#include "campaign/rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace explog::campaign {
namespace {

constexpr double near_the_roof = 0.95;
constexpr int unknown_in_a_row = 2;
constexpr double any_noise = 1;  // who allows as much does not ask how well the baseline is known

// The judge is sure of less than it calls a gain.
bool small_gain(const Judged& judged) { return judged.reason == "below_threshold" && judged.faster.lo > 1; }

bool at_the_roof(const Judged& best) {
  return !best.shapes.empty() && std::all_of(best.shapes.begin(), best.shapes.end(),
                                             [](const ShapeResult& s) { return s.roof >= near_the_roof; });
}

// The last versions that were judged, each with counters that do not say what bounds it.
bool nobody_knows_the_bound(const State& state) {
  int unknown = 0;
  for (auto v = state.versions.rbegin(); v != state.versions.rend() && unknown < unknown_in_a_row; ++v) {
    if (!v->judged || !v->status) continue;
    if (!v->profile || v->profile->bound != "unknown") return false;
    ++unknown;
  }
  return unknown == unknown_in_a_row;
}

double half_width(const Faster& faster) { return (faster.hi - faster.lo) / 2; }

std::optional<Stopped> stop(const State& state, const char* rule, std::string sentence) {
  return Stopped{rule, std::move(sentence), state.champion};
}

std::string why_broken(const Contract& contract, const Judged& baseline) {
  if (baseline.reason == "baseline" || contract.external.given()) return baseline.detail;
  return baseline.detail.empty() ? baseline.reason : baseline.reason + ": " + baseline.detail;
}

std::optional<Stopped> stops_at_the_baseline(const Contract& contract, const State& state,
                                             const Judged& baseline) {
  if (!baseline.correct || baseline.verdict == "crash")
    return stop(state, "baseline_broken", "the baseline will not do: " + why_broken(contract, baseline));
  if (!is_noisy(contract, baseline)) return std::nullopt;
  if (baseline.faster.lo <= 0)
    return stop(state, "baseline_noisy", "the baseline could not be timed: " + baseline.reason);
  return stop(
      state, "baseline_noisy",
      fmt::format(
          "the baseline against itself is known to {:.1f}% only, {:.1f}% is wanted: another process on the "
          "device, or its clocks",
          100 * half_width(baseline.faster), 100 * contract.limits.noise));
}

}  // namespace

bool is_noisy(const Contract& contract, const Judged& baseline) {
  if (contract.limits.noise >= any_noise) return false;
  return baseline.faster.lo <= 0 || half_width(baseline.faster) > contract.limits.noise;
}

Decision decide(const Contract& contract, const Judged& judged) {
  if (judged.version == 0) return judged.verdict == "crash" ? Decision::crash : Decision::keep;
  if (judged.verdict == "crash") return Decision::crash;
  if (judged.verdict == "keep") return Decision::keep;
  return contract.rules == Rules::seed && small_gain(judged) ? Decision::keep : Decision::revert;
}

std::optional<Stopped> rule_that_stops(const Contract& contract, const State& state) {
  const Version* last = state.last_decided();
  if (last == nullptr || !last->judged) return std::nullopt;
  if (state.decided() == 0) return stops_at_the_baseline(contract, state, *last->judged);
  const Limits& limits = contract.limits;
  const Version& best = state.versions[static_cast<std::size_t>(state.champion)];
  if (state.decided() >= limits.max_versions)
    return stop(state, "max_versions",
                fmt::format("{} versions were judged, as many as agreed", state.decided()));
  if (last->kept() && contract.rules == Rules::seed && small_gain(*last->judged))
    return stop(state, "small_gain", "the last gain is certain and below 2%");
  const bool goes_on = contract.rules == Rules::explore && state.without_gain < limits.no_gain;
  if (best.judged && at_the_roof(*best.judged) && !goes_on)
    return stop(state, "at_the_roof", "every shape runs at 95% of the speed of light or more");
  if (contract.rules != Rules::explore && nobody_knows_the_bound(state))
    return stop(state, "escalate",
                "counters do not say what bounds the kernel, twice running: somebody must look at it");
  if (contract.rules != Rules::explore && state.without_gain >= limits.no_gain)
    return stop(state, "no_gain", fmt::format("{} in a row without gain", state.without_gain));
  if (limits.budget_s > 0 && state.judging_s >= limits.budget_s)
    return stop(state, "budget", fmt::format("{:.0f} s of judging are used", state.judging_s));
  return std::nullopt;
}

bool is_escalated(const State& state) { return state.stop && state.stop->rule == "escalate"; }

std::string after_the_end(const Stopped& stop) {
  if (stop.rule == "stopped") return "`explog campaign resume` goes on";
  if (stop.rule == "baseline_broken") return "mend the kernel, then start a new one: --out names its folder";
  if (stop.rule == "baseline_noisy")
    return "start a new one when the machine is quiet, or with a larger --noise: --out names its folder";
  if (stop.rule == "escalate")
    return fmt::format(
        "`explog campaign show v{}` has the counters; a new one with --rules explore goes on without knowing",
        stop.champion);
  if (stop.champion == 0)
    return std::string("`explog campaign report` tells what was tried") +
           (stop.rule == "no_gain" ? "; a new one with --rules explore goes on without gain" : "");
  return fmt::format(
      "`explog campaign apply v{}` writes the best over the kernel's file; a new one may start from it",
      stop.champion);
}

std::optional<Happening> due(const Contract& contract, const State& state) {
  if (state.stop || state.phase == Phase::judging) return std::nullopt;
  if (!state.versions.empty()) {
    const Version& last = state.versions.back();
    if (last.judged && !last.status) {
      Decision status = decide(contract, *last.judged);
      int number = last.proposal.version;
      return Decided{number, status, status == Decision::keep ? number : state.champion};
    }
  }
  if (auto end = rule_that_stops(contract, state)) return *end;
  return std::nullopt;
}

}  // namespace explog::campaign
