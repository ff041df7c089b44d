#include "recommend/match.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "model/arch.h"
#include "model/vocabulary.h"
#include "recommend/already.h"

namespace explog::recommend {
namespace {

constexpr double denied =
    0.35;  // what is left of a probability when each signal that is known speaks against it

// What computes on tiles of matrices, and what of it takes which types.
constexpr std::array<std::string_view, 3> matrix_units = {"tensor_cores", "wgmma", "tcgen05"};

std::string quoted(std::string part) {
  RE2::GlobalReplace(&part, "\\s+", " ");
  return "`" + ellipsis(std::string(trim(part)), 48) + "`";
}

bool any_found(const Strategy& s, const std::string& source) {
  return std::any_of(s.source_patterns.begin(), s.source_patterns.end(),
                     [&](const std::string& pattern) { return found_in(source, pattern).has_value(); });
}

std::string missing_requirement(const Strategy& s, const Question& c) {
  bool dtype_wanted = false, dtype_met = false;
  for (const std::string& token : s.requirements) {
    if (token.rfind("dtype:", 0) == 0) {
      dtype_wanted = true;
      dtype_met |= token.substr(6) == c.dtype;
    } else if (token == "source") {
      if (!c.source.empty() && !any_found(s, c.source)) return "is for what the source does not do";
    } else if (has_feature(c.arch, token) == false) {
      return fmt::format("needs {}, which {} lacks", token, c.arch);
    } else if (std::find(matrix_units.begin(), matrix_units.end(), token) != matrix_units.end() &&
               multiplies(c.arch, token, c.dtype) == false) {
      return fmt::format("{} of {} {} no {}", token == "tensor_cores" ? "the tensor cores" : token, c.arch,
                         token == "tensor_cores" ? "take" : "takes", c.dtype);
    }
  }
  bool dtype_known = !c.dtype.empty();
  return dtype_wanted && dtype_known && !dtype_met ? "is not for " + c.dtype : "";
}

// A product of so few rows or columns reuses nothing: it is one of a matrix and a vector.
constexpr double few_rows = 8;

std::string type_of(const Question& c) {
  if (c.kernel_type != "gemm") return c.kernel_type;
  auto few = [&](const char* dim) {
    auto size = fact(c.shape, dim);
    return size && *size <= few_rows;
  };
  return few("M") || few("N") ? "gemv" : c.kernel_type;
}

std::string why_impossible(const Strategy& s, const Question& c) {
  auto sm = sm_number(c.arch);
  if (!s.min_arch.empty() && sm && *sm < *sm_number(s.min_arch)) return "needs " + s.min_arch + " or newer";
  if (!s.max_arch.empty() && sm && *sm > *sm_number(s.max_arch)) return "ends with " + s.max_arch;
  bool amd = c.arch.rfind("gfx", 0) == 0;
  if (amd && !s.min_arch.empty()) return "needs NVIDIA " + s.min_arch;
  if (std::string type = type_of(c); among(s.not_for, type)) return "is not for " + type;
  return missing_requirement(s, c);
}

std::string why_not_family(const Strategy& s, const Question& c) {
  bool family = s.families.empty() || among(s.families, c.family);
  return family ? "" : "the playbook means it for " + join(s.families, ", ");
}

// What a state calls otherwise, and what Nsight Compute has two names for.
constexpr auto aliases = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"dram__throughput.avg.pct_of_peak_sustained_elapsed",
     "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed"},
    {"waves", "launch__waves_per_multiprocessor"},
    {"registers_per_thread", "launch__registers_per_thread"},
    {"launch__registers_per_thread", "registers_per_thread"},
});

constexpr double blind = 0.3;  // what is left of a probability that needs a signal, when none is known
constexpr double not_meant_dtype = 0.5;  // of probability and records, for an element type not meant
constexpr double denied_records = 0.2;   // what is left of records when the profile denies every signal

bool bottleneck_known(const Question& c) {
  return c.bottleneck != Bottleneck::unknown && !c.bottleneck.empty();
}

void weigh_bottleneck(Match& m, const Strategy& s, const Question& c) {
  if (!bottleneck_known(c) || s.bottlenecks.empty()) return;
  bool meant = among(s.bottlenecks, c.bottleneck);
  m.probability *= meant ? 1.15 : 0.6;
  m.reasons.push_back(meant ? "meant for " + c.bottleneck + "-bound kernels"
                            : "meant for " + join(s.bottlenecks, "/") + "-bound kernels, this one is " +
                                  c.bottleneck + "-bound");
}

bool for_dtype(const Strategy& s, const Question& c) {
  return c.dtype.empty() || s.dtypes.empty() || among(s.dtypes, c.dtype);
}

void weigh_dtype(Match& m, const Strategy& s, const Question& c) {
  if (for_dtype(s, c)) return;
  m.probability *= not_meant_dtype, m.believed *= not_meant_dtype;
  m.reasons.push_back("meant for " + join(s.dtypes, ", ") + ", not for " + c.dtype);
}

const Shown* shown(const Question& c, const std::string& name) {
  auto at = std::find_if(c.shown.begin(), c.shown.end(), [&](const Shown& s) { return s.name == name; });
  return at != c.shown.end() ? &*at : nullptr;
}

void weigh_signals(Match& m, const Strategy& s, const Question& c) {
  int hold = 0, fail = 0, in_profile = 0;
  for (const Signal& signal : s.signals) {
    auto value = measured(c, signal.metric);
    if (!value) continue;
    bool holds = signal.holds(*value);
    ++(holds ? hold : fail);
    if (const Shown* place = shown(c, signal.metric)) {
      m.reasons.push_back(fmt::format("the source has {}: {}", quoted(place->quote), signal.metric));
      continue;
    }
    in_profile += !holds && !fact(c.state, signal.metric);
    m.reasons.push_back(fmt::format("{} = {} is {}{} {}", signal.metric, short_number(*value),
                                    holds ? "" : "not ", signal.op, number_text(signal.value)));
  }
  m.supported |= hold > 0;
  m.called_for = hold > 1 && fail == 0;
  m.probability *= hold > 0 ? std::pow(1.15, hold) * std::pow(0.6, fail) : fail > 0 ? denied : 1;
  if (hold == 0 && in_profile > 0) m.believed *= denied_records;
  if (hold + fail > 0 || s.signals.empty() || m.supported) return;
  if (!c.source.empty()) {  // which does not show what it would mend
    if (s.needs_signal) m.probability *= blind, m.believed *= denied;
    return;
  }
  m.probability *= s.needs_signal ? blind : 0.75;
  m.reasons.push_back("its signal is not known here: " + s.signals[0].metric + " " + s.signals[0].op + " " +
                      number_text(s.signals[0].value));
}

void weigh_source(Match& m, const Strategy& s, const Question& c) {
  for (const std::string& pattern : s.source_patterns) {
    auto found = found_in(c.source, pattern);
    if (!found) continue;
    m.probability *= 1.15, m.supported = true;
    m.reasons.push_back("the source has " + *found);
  }
}

// Can be done here, and is not: the source shows it, or a fact of the state by its own name.
bool is_missing(const Strategy& base, const Question& c, const Playbook& playbook) {
  bool apt = among(base.backends, c.backend) && why_impossible(base, c).empty() &&
             why_not_family(base, c).empty() && for_dtype(base, c);
  if (!apt || !why_there(base.id, &base, c, playbook).empty()) return false;
  return !c.source.empty() || fact(c.state, base.id) == 0;
}

// Its records were made on kernels that had what it builds on.
void weigh_foundations(Match& m, const Strategy& s, const Question& c, const Playbook& playbook) {
  for (const std::string& id : s.builds_on) {
    const Strategy* base = playbook.find(id);
    if (base != nullptr && is_missing(*base, c, playbook)) m.lacks.push_back(id);
  }
  if (m.lacks.empty()) return;
  m.probability *= blind, m.believed *= denied_records;
  m.reasons.push_back("builds on " + join(m.lacks, ", ") + ", which the kernel does not have");
}

// Of a kernel whose type nobody knows the source alone says which families' strategies are for it.
void weigh_unknown_type(Match& m, const Strategy& s, const Question& c) {
  if (c.family != "other" || c.source.empty() || s.families.empty() || m.supported) return;
  m.probability *= blind;
  m.reasons.push_back("its type is not known, and the source does not show what this is for");
}

}  // namespace

bool among(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// The state is asked first.
std::optional<double> measured(const Question& c, const std::string& metric) {
  auto value = fact(c.state, metric);
  if (!value) value = fact(c.metrics, metric);
  for (const auto& [name, other] : aliases) {
    if (!value && name == metric) value = fact(c.state, other);
    if (!value && name == metric) value = fact(c.metrics, other);
  }
  if (!value && shown(c, metric) != nullptr) value = 1;
  return value;
}

std::optional<std::string> found_in(const std::string& source, const std::string& pattern) {
  std::string found;
  if (source.empty() || !RE2::PartialMatch(source, RE2("(" + pattern + ")"), &found)) return std::nullopt;
  return quoted(std::move(found));
}

Match match(const Strategy& s, const Question& c, const Playbook& playbook) {
  Match m;
  const bool backend = among(s.backends, c.backend);
  const std::string impossible = why_impossible(s, c), family = why_not_family(s, c);
  m.possible = impossible.empty();
  m.meant = backend && family.empty();
  m.why_not = !backend ? "is for " + join(s.backends, ", ") : !m.possible ? impossible : family;
  if (!m.possible || !m.meant) return m;
  m.probability = s.prior.success;
  weigh_bottleneck(m, s, c);
  weigh_dtype(m, s, c);
  weigh_source(m, s, c);
  weigh_signals(m, s, c);
  weigh_foundations(m, s, c, playbook);
  weigh_unknown_type(m, s, c);
  m.probability = std::min(m.probability, 0.95);
  return m;
}

}  // namespace explog::recommend
