#include "model/packed_strategy.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace explog {
namespace {

constexpr char field_end = '\x1e';
constexpr char item_end = '\x1f';

std::string packed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += item + item_end;
  return text;
}

std::vector<std::string> items(std::string_view text) {
  std::vector<std::string> list;
  list.reserve(static_cast<size_t>(std::count(text.begin(), text.end(), item_end)));
  for (size_t end = text.find(item_end); end != std::string_view::npos; end = text.find(item_end)) {
    list.emplace_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  return list;
}

double number(std::string_view text) { return parse_number(text).value_or(0); }

std::string packed(const std::vector<Signal>& signals) {
  std::vector<std::string> parts;
  for (const Signal& signal : signals) {
    for (const std::string& part : {signal.metric, signal.op, number_text(signal.value)})
      parts.push_back(part);
  }
  return packed(parts);
}

std::vector<Signal> signals_in(std::string_view text) {
  std::vector<Signal> signals;
  auto parts = items(text);
  signals.reserve(parts.size() / 3);
  for (size_t i = 0; i + 2 < parts.size(); i += 3)
    signals.push_back({std::move(parts[i]), std::move(parts[i + 1]), number(parts[i + 2])});
  return signals;
}

}  // namespace

std::string pack_strategy(const Strategy& s) {
  std::vector<std::string> params;
  for (const auto& [knob, values] : s.params) {
    params.push_back(knob);
    params.push_back(values);
  }
  std::string text;
  for (const std::string& part : {s.id,
                                  s.title,
                                  s.category,
                                  s.min_arch,
                                  s.max_arch,
                                  packed(s.aliases),
                                  packed(s.backends),
                                  packed(s.families),
                                  packed(s.bottlenecks),
                                  packed(s.requirements),
                                  packed(s.conflicts),
                                  packed(s.source_patterns),
                                  packed(s.after),
                                  packed(s.builds_on),
                                  packed(s.replaces),
                                  packed(s.supersedes),
                                  packed(s.not_for),
                                  packed(s.dtypes),
                                  packed(s.done_patterns),
                                  packed(s.signals),
                                  packed(s.done_when),
                                  std::string(s.needs_signal ? "1" : "0"),
                                  packed(params),
                                  number_text(s.prior.success),
                                  number_text(s.prior.speedup_lo),
                                  number_text(s.prior.speedup_hi),
                                  s.prior.source}) {
    text += part;
    text += field_end;
  }
  return text;
}

Strategy unpack_strategy(std::string_view text) {
  auto next = [&] {
    size_t end = text.find(field_end);
    std::string_view field = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return field;
  };
  Strategy s;
  for (std::string* part : {&s.id, &s.title, &s.category, &s.min_arch, &s.max_arch}) *part = next();
  for (auto* list : {&s.aliases, &s.backends, &s.families, &s.bottlenecks, &s.requirements, &s.conflicts,
                     &s.source_patterns, &s.after, &s.builds_on, &s.replaces, &s.supersedes, &s.not_for,
                     &s.dtypes, &s.done_patterns}) {
    *list = items(next());
  }
  s.signals = signals_in(next());
  s.done_when = signals_in(next());
  s.needs_signal = next() == "1";
  auto params = items(next());
  for (size_t i = 0; i + 1 < params.size(); i += 2) s.params[params[i]] = params[i + 1];
  for (double* value : {&s.prior.success, &s.prior.speedup_lo, &s.prior.speedup_hi}) *value = number(next());
  s.prior.source = next();
  return s;
}

}  // namespace explog
