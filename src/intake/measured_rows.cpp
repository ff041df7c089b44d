#include "intake/measured_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <utility>

#include "base/text.h"
#include "intake/common.h"
#include "model/kernel_type.h"

namespace explog::intake {
namespace {

constexpr size_t most_settings = 64;

bool is_text(const Scalar& value) { return std::holds_alternative<std::string>(value); }

// The names of all rows in the order in which they come, each with whether its values are text.
std::vector<std::pair<std::string, bool>> columns_of(const std::vector<MeasuredRow>& rows) {
  std::vector<std::pair<std::string, bool>> columns;
  for (const MeasuredRow& row : rows) {
    for (const auto& setting : row.settings) {
      auto it = std::find_if(columns.begin(), columns.end(),
                             [&](const auto& c) { return c.first == setting.first; });
      if (it == columns.end() && columns.size() < most_settings)
        columns.emplace_back(setting.first, is_text(setting.second));
      else if (it != columns.end())
        it->second |= is_text(setting.second);
    }
  }
  return columns;
}

// What the values of a setting are, over all rows.
struct Kinds {
  bool none = false, flag = false, number = false, zero = false, word = false;

  void take(const Scalar& value) {
    if (const auto* size = std::get_if<double>(&value)) {
      number = true;
      zero |= *size == 0;
    }
    flag |= std::holds_alternative<bool>(value);
    const auto* text = std::get_if<std::string>(&value);
    if (text != nullptr) (*text == python_none ? none : word) = true;
  }
  // None says "not set" there, and no row sets 0.
  bool lacks() const { return none && !flag && !word && !zero; }
};

bool is_none(const Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == python_none;
}

// Makes None one of the values that its setting can be compared with.
void settle_none(std::vector<MeasuredRow>& rows) {
  std::map<std::string, Kinds> kinds;
  for (const MeasuredRow& row : rows) {
    for (const auto& [name, value] : row.settings) kinds[name].take(value);
  }
  for (MeasuredRow& row : rows) {
    std::erase_if(row.settings, [&](const auto& s) { return is_none(s.second) && kinds[s.first].lacks(); });
    for (auto& [name, value] : row.settings) {
      const bool* flag = std::get_if<bool>(&value);
      if (flag != nullptr && kinds[name].none) value = std::string(*flag ? "True" : "False");
    }
  }
}

// Zero stands for "off" or "automatic" in every tuner, and a single change never doubles or halves it.
Scalar value_in(const MeasuredRow& row, const std::string& name, bool text) {
  auto it =
      std::find_if(row.settings.begin(), row.settings.end(), [&](const auto& s) { return s.first == name; });
  if (it != row.settings.end()) return it->second;
  return text ? Scalar(std::string()) : Scalar(0.0);
}

MeasuredSpace space_of(const std::vector<MeasuredRow>& rows) {
  MeasuredSpace measured;
  auto columns = columns_of(rows);
  for (const auto& column : columns) measured.space.parameters.emplace_back(column.first);
  std::vector<std::uint32_t> numbers(columns.size());
  for (const MeasuredRow& row : rows) {
    for (size_t i = 0; i < columns.size(); ++i)
      numbers[i] = measured.space.parameters[i].number_of(value_in(row, columns[i].first, columns[i].second));
    measured.add(numbers, row.trial);
  }
  measured.finish();
  return measured;
}

class ChangesReader {
 public:
  ChangesReader(const std::string& path, Groups groups) : path_(path), groups_(std::move(groups)) {}

  std::optional<Parsed> next() {
    for (;;) {
      if (measured_) {
        if (auto change = measured_->next()) return record(*change);
        measured_.reset();
      }
      auto group = groups_();
      if (!group) return nothing();
      if (!group->fault.empty()) return fault(std::move(*group));
      begin(std::move(*group));
    }
  }

 private:
  void begin(MeasuredGroup group) {
    settle_none(group.rows);
    measured_.emplace(space_of(group.rows));
    group.rows = {};
    group_ = std::move(group);
    for (std::string& remark : group_.remarks) remarks_.push_back(std::move(remark));
    if (measured_->repeated() > 0)
      remarks_.push_back(
          fmt::format("{} rows repeat an earlier configuration and are left out", measured_->repeated()));
    const std::string& type = group_.common.kernel_type;
    if (!type.empty() && !is_known_kernel_type(type) && type != told_type_) {
      told_type_ = type;
      remarks_.push_back("kernel '" + printable(group_.common.kernel) +
                         "' is of no known type: filed under its own name");
    }
  }

  Parsed record(const SingleChange& change) {
    Parsed parsed;
    ++count_;
    parsed.remarks = std::exchange(remarks_, {});
    parsed.where = fmt::format("{}:change {} (row {})", group_.where, count_, change.base + 1);
    Experience made = experience_of(*measured_, change);
    parsed.usual_backend = group_.usual_backend;
    Experience& e = parsed.experience.emplace(group_.common);
    e.strategy = std::move(made.strategy);
    e.params = std::move(made.params);
    e.state = std::move(made.state);
    e.latency_before_ms = made.latency_before_ms;
    e.latency_after_ms = made.latency_after_ms;
    e.outcome = std::move(made.outcome);
    e.cause = std::move(made.cause);
    e.source_before = fmt::format("{}/{}/{}", e.kernel, e.gpu, change.base);
    return parsed;
  }

  Parsed fault(MeasuredGroup group) {
    ++count_;
    Parsed parsed;
    parsed.where = std::move(group.where);
    parsed.fault = std::move(group.fault);
    return parsed;
  }

  std::optional<Parsed> nothing() {
    if (count_ > 0) return std::nullopt;
    ++count_;
    Parsed parsed;
    parsed.where = shown_path(path_);
    parsed.remarks = std::exchange(remarks_, {});
    parsed.fault =
        "no two configurations that differ in one parameter, the first of them valid: nothing to compare";
    return parsed;
  }

  std::string path_, told_type_;
  Groups groups_;
  MeasuredGroup group_;  // without its rows
  std::optional<MeasuredSpace> measured_;
  std::vector<std::string> remarks_;  // for the next record
  size_t count_ = 0;
};

}  // namespace

Groups list_groups(std::vector<MeasuredGroup> list) {
  auto groups = std::make_shared<std::vector<MeasuredGroup>>(std::move(list));
  auto at = std::make_shared<size_t>(0);
  return [groups, at]() -> std::optional<MeasuredGroup> {
    if (*at == groups->size()) return std::nullopt;
    return std::move((*groups)[(*at)++]);
  };
}

Source changes_of(const std::string& path, Groups groups) {
  auto reader = std::make_shared<ChangesReader>(path, std::move(groups));
  return [reader] { return reader->next(); };
}

std::string timing(std::string_view unit, std::string_view stat, std::string_view cache) {
  return fmt::format("time={} stat={} cache={}", unit, stat, cache);
}

std::optional<double> milliseconds_in(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 15> units = {{{"ns", 1e-6},
                                                                          {"nanoseconds", 1e-6},
                                                                          {"us", 1e-3},
                                                                          {"microseconds", 1e-3},
                                                                          {"\xC2\xB5s", 1e-3},
                                                                          {"ms", 1},
                                                                          {"millisecond", 1},
                                                                          {"milliseconds", 1},
                                                                          {"miliseconds", 1},
                                                                          {"s", 1e3},
                                                                          {"sec", 1e3},
                                                                          {"second", 1e3},
                                                                          {"seconds", 1e3},
                                                                          {"nanosecond", 1e-6},
                                                                          {"microsecond", 1e-3}}};
  std::string low = lower(trim(unit));
  auto it = std::find_if(units.begin(), units.end(), [&](const auto& u) { return u.first == low; });
  return it != units.end() ? std::optional<double>(it->second) : std::nullopt;
}

}  // namespace explog::intake
