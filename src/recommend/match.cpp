#include "recommend/match.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "model/arch.h"

namespace explog::recommend {
namespace {

constexpr double denied =
    0.35;  // what is left of a probability when each signal that is known speaks against it

bool among(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string missing_requirement(const Strategy& s, const Context& c) {
  bool dtype_wanted = false, dtype_met = false;
  for (const std::string& token : s.requirements) {
    if (token.rfind("dtype:", 0) == 0) {
      dtype_wanted = true;
      dtype_met |= token.substr(6) == c.dtype;
    } else if (token.rfind("after:", 0) != 0 && has_feature(c.arch, token) == false) {
      return fmt::format("needs {}, which {} lacks", token, c.arch);
    }
  }
  bool dtype_known = !c.dtype.empty();
  return dtype_wanted && dtype_known && !dtype_met ? "is not for " + c.dtype : "";
}

std::string why_impossible(const Strategy& s, const Context& c) {
  if (!among(s.backends, c.backend)) return "is for " + join(s.backends, ", ");
  auto sm = sm_number(c.arch);
  if (!s.min_arch.empty() && sm && *sm < *sm_number(s.min_arch)) return "needs " + s.min_arch + " or newer";
  if (!s.max_arch.empty() && sm && *sm > *sm_number(s.max_arch)) return "ends with " + s.max_arch;
  bool amd = c.arch.rfind("gfx", 0) == 0;
  if (amd && !s.min_arch.empty()) return "needs NVIDIA " + s.min_arch;
  return missing_requirement(s, c);
}

// What a state calls otherwise, and what Nsight Compute has two names for.
constexpr auto aliases = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed",
     "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"waves", "launch__waves_per_multiprocessor"},
    {"registers_per_thread", "launch__registers_per_thread"},
    {"launch__registers_per_thread", "registers_per_thread"},
});

// State facts and metrics alike; the state is asked first.
std::optional<double> measured(const Context& c, const std::string& metric) {
  auto value = fact(c.state, metric);
  if (!value) value = fact(c.metrics, metric);
  for (const auto& [name, other] : aliases) {
    if (!value && name == metric) value = fact(c.state, other);
    if (!value && name == metric) value = fact(c.metrics, other);
  }
  return value;
}

}  // namespace

Match match(const Strategy& s, const Context& c) {
  Match m;
  m.why_not = why_impossible(s, c);
  m.possible = m.why_not.empty();
  m.meant = s.families.empty() || among(s.families, c.family);
  if (m.possible && !m.meant) m.why_not = "the playbook means it for " + join(s.families, ", ");
  if (!m.possible || !m.meant) return m;
  double p = s.prior.success;
  bool bottleneck_known = c.bottleneck != "unknown" && !c.bottleneck.empty();
  if (bottleneck_known && !s.bottlenecks.empty()) {
    bool meant = among(s.bottlenecks, c.bottleneck);
    p *= meant ? 1.15 : 0.6;
    m.reasons.push_back(meant ? "meant for " + c.bottleneck + "-bound kernels"
                              : "meant for " + join(s.bottlenecks, "/") + "-bound kernels, this one is " +
                                    c.bottleneck + "-bound");
  }
  bool checked = s.signals.empty();
  int hold = 0, fail = 0;
  for (const Signal& signal : s.signals) {
    auto value = measured(c, signal.metric);
    if (!value) continue;
    checked = true;
    bool holds = signal.holds(*value);
    ++(holds ? hold : fail);
    m.reasons.push_back(fmt::format("{} = {} is {}{} {}", signal.metric, short_number(*value),
                                    holds ? "" : "not ", signal.op, number_text(signal.value)));
  }
  p *= hold > 0 ? std::pow(1.15, hold) * std::pow(0.6, fail) : fail > 0 ? denied : 1;
  for (const std::string& pattern : c.source.empty() ? std::vector<std::string>{} : s.source_patterns) {
    if (!RE2::PartialMatch(c.source, RE2(pattern))) continue;
    p *= 1.15;
    m.reasons.push_back("the source matches " + pattern);
  }
  if (!checked && c.source.empty()) {
    p *= 0.75;
    m.reasons.push_back("its signal is not known here: " + s.signals[0].metric + " " + s.signals[0].op + " " +
                        number_text(s.signals[0].value));
  }
  for (const std::string& token : s.requirements) {
    if (token.rfind("after:", 0) == 0) m.reasons.push_back("comes after " + token.substr(6));
  }
  m.probability = std::min(p, 0.95);
  return m;
}

}  // namespace explog::recommend
