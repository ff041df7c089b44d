#include "model/evidence.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "model/code_facts.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog {
namespace {

// Metrics that tell kernels apart, by their short name: shares of peak in percent, and plain numbers.
struct MetricFeature {
  std::string_view metric, name;
  bool percent;
};
constexpr auto metric_features = std::to_array<MetricFeature>({
    {"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "%dram", true},
    {"l1tex__throughput.avg.pct_of_peak_sustained_active", "%l1", true},
    {"lts__throughput.avg.pct_of_peak_sustained_elapsed", "%l2", true},
    {"sm__maximum_warps_per_active_cycle_pct", "%occupancy_limit", true},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%sm", true},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", "%warps", true},
    {"launch__registers_per_thread", "registers_per_thread", false},
    {"launch__waves_per_multiprocessor", "waves", false},
});
constexpr std::size_t most_features = 32;

double in_steps(double value) {
  if (value == 0) return -1;
  return value > 0 ? std::clamp(std::log2(value), -16.0, 48.0) : -2;
}

void set_opposite_strategy(Experience& e, std::string_view knob, double from) {
  std::string_view direction = std::string_view(e.strategy).substr(knob.size() + 1);
  std::string opposite = "to" + number_text(from);
  for (auto [a, b] : {std::pair("up", "down"), {"down", "up"}, {"on", "off"}, {"off", "on"}}) {
    if (direction == a) opposite = b;
  }
  e.strategy = std::string(knob) + ":" + opposite;
}

std::optional<double> setting(const Params& params, std::string_view name) {
  for (const auto& [key, value] : params) {
    if (key == name && std::holds_alternative<double>(value)) return std::get<double>(value);
  }
  return std::nullopt;
}

using NamedFeatures = std::vector<std::pair<std::string_view, double>>;

// Whether what separates features in a key is not part of the name.
bool fits_in_key(std::string_view name) {
  auto has = [&](char c) { return name.find(c) != std::string_view::npos; };
  return !has(';') && !has('=') && !has('\x1f');
}

// features() with names that are views into the facts.
NamedFeatures named_features(const Facts& state, const Facts& metrics) {
  NamedFeatures list;
  list.reserve(state.size() + (metrics.empty() ? 0 : metric_features.size()));
  for (const auto& [name, value] : state) {
    if (is_code_fact(name)) continue;
    if (fits_in_key(name)) list.emplace_back(name, in_steps(value));
  }
  for (const MetricFeature& m : metric_features) {
    if (metrics.empty()) break;
    auto value = fact(metrics, m.metric);
    bool there =
        std::any_of(list.begin(), list.end(), [&](const auto& known) { return known.first == m.name; });
    if (value && !there) list.emplace_back(m.name, m.percent ? *value / 25 : in_steps(*value));
  }
  std::sort(list.begin(), list.end());
  if (list.size() > most_features) list.resize(most_features);
  return list;
}

template <class Features>
std::string key_of(const Features& features, int step) {
  std::string key;
  for (const auto& [name, value] : features) {
    char digits[24];
    auto [end, fault] = std::to_chars(digits, digits + sizeof digits, std::lround(value / step));
    if (!key.empty()) key += ';';
    key.append(name).append(1, '=').append(digits, end);
  }
  return key;
}

std::string counted_level(const Experience& e) {
  bool measured = e.level == Level::measured || e.level == Level::replicated;
  bool in_process = std::find(e.tags.begin(), e.tags.end(), in_process_tag) != e.tags.end();
  return measured && in_process ? std::string(in_process_level) : e.level;
}

Cell cell_of(const Experience& e) {
  Cell c;
  c.family = family_of(e.kernel_type);
  c.strategy = e.strategy, c.backend = e.backend, c.arch = e.arch, c.bottleneck = e.bottleneck;
  c.kernel_type = e.kernel_type, c.dtype = e.dtype, c.source = e.source;
  c.size = log2_size(e.shape), c.latency = log2_latency(e.latency_before_ms);
  c.state = key_of(named_features(e.state, e.metrics_before), 1);
  bool success = e.outcome == Outcome::success, failure = e.outcome == Outcome::failure;
  (success ? c.success : failure ? c.failure : c.neutral) = 1;
  c.broken = failure && !e.cause.empty() && e.cause != Cause::regression;
  if (!e.speedup) return c;
  std::int64_t gain = log2_speedup_e4(*e.speedup);
  if (success) c.gain_n = 1, c.gain_sum = gain;
  if (failure) c.loss_n = 1, c.loss_sum = gain;
  return c;
}

}  // namespace

Facts features(const Facts& state, const Facts& metrics) {
  Facts list;
  for (const auto& [name, value] : named_features(state, metrics)) list.emplace_back(name, value);
  return list;
}

std::string feature_key(const Facts& features, int step) { return key_of(features, step); }

std::optional<double> feature_value(std::string_view text) {
  std::string_view digits = text.substr(text.starts_with('-') ? 1 : 0);
  int value = 0;
  if (digits.empty() || digits.size() > 4) return parse_number(text);
  for (char c : digits) {
    if (c < '0' || c > '9') return parse_number(text);
    value = 10 * value + (c - '0');
  }
  return digits.size() < text.size() ? -value : value;
}

Facts parse_feature_key(std::string_view key) {
  auto list = features_in(key);
  return {list.begin(), list.end()};
}

std::vector<std::pair<std::string_view, double>> features_in(std::string_view key) {
  std::vector<std::pair<std::string_view, double>> list;
  list.reserve(most_features);
  while (!key.empty()) {
    std::size_t end = std::min(key.find(';'), key.size()), equals = std::min(key.find('='), end);
    auto value = feature_value(key.substr(equals + 1, end - equals - 1));
    if (value) list.emplace_back(key.substr(0, equals), *value);
    key.remove_prefix(std::min(end + 1, key.size()));
  }
  return list;
}

int log2_latency(std::optional<double> milliseconds) {
  if (!milliseconds || *milliseconds <= 0) return unknown_latency;
  return static_cast<int>(std::lround(std::clamp(std::log2(*milliseconds * 1e3), -20.0, 60.0)));
}

std::string_view knob_of(std::string_view strategy) {
  std::size_t colon = strategy.rfind(':');
  if (colon == std::string_view::npos) return {};
  std::string_view direction = strategy.substr(colon + 1);
  bool known = direction == "up" || direction == "down" || direction == "on" || direction == "off";
  bool numbered = direction.starts_with("to") && parse_number(direction.substr(2));
  return known || numbered ? strategy.substr(0, colon) : std::string_view{};
}

std::optional<Experience> reversed(const Experience& e) {
  std::string_view knob = knob_of(e.strategy);
  auto from = setting(e.params, "from"), to = setting(e.params, "to");
  if (knob.empty() || !from || !to || !e.speedup || !fact(e.state, knob)) return std::nullopt;
  bool regression = e.outcome == Outcome::failure && (e.cause.empty() || e.cause == Cause::regression);
  if (e.outcome == Outcome::failure && !regression) return std::nullopt;
  Experience m;  // what cells say: neither the profile, which was the other kernel's, nor prose
  m.kernel_type = e.kernel_type, m.kernel = e.kernel, m.backend = e.backend, m.arch = e.arch, m.gpu = e.gpu;
  m.dtype = e.dtype, m.bottleneck = e.bottleneck, m.source = e.source;
  m.shape = e.shape, m.state = e.state, m.strategy = e.strategy;
  for (auto& [name, value] : m.state) value = name == knob ? *to : value;
  set_opposite_strategy(m, knob, *from);
  m.speedup = 1 / *e.speedup;
  m.latency_before_ms = e.latency_after_ms, m.latency_after_ms = e.latency_before_ms;
  bool success = e.outcome == Outcome::success;
  m.outcome = word(success ? Outcome::failure : regression ? Outcome::success : Outcome::neutral);
  m.cause = success ? word(Cause::regression) : "";
  return m;
}

std::vector<Cell> cells_of(const Experience& e) {
  std::vector<Cell> cells{cell_of(e)};
  if (auto m = reversed(e)) {
    cells.push_back(cell_of(*m));
    cells.back().reversed = true;
  }
  for (Cell& cell : cells) cell.level = counted_level(e);
  return cells;
}

}  // namespace explog
