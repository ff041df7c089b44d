#include "intake/nvbench.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <deque>
#include <map>
#include <memory>

#include "base/text.h"
#include "intake/common.h"
#include "intake/measured_rows.h"
#include "intake/nvbench_axes.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr size_t most_axes = 64;

struct Device {
  std::string name, arch;
};

// The states of one benchmark on one device.
struct Group {
  std::string benchmark;
  Device device;
  MeasuredSpace measured;
  std::vector<AxisRole> roles;        // of the axes
  std::vector<std::uint32_t> states;  // row -> place in the file's list of states
  std::vector<double> batch_ms;       // row -> time of a launch among many; 0: not measured
  bool by_mean = false;               // times are means, for want of medians
};

// What is left out or noteworthy, told with the first record.
struct Notes {
  std::vector<std::string> remarks;
  size_t skipped = 0, unusable = 0, by_mean = 0;
  std::string first_skip, first_unusable;

  void skip(const std::string& why) {
    if (skipped++ == 0) first_skip = why;
  }
  void leave_out(const std::string& why) {
    if (unusable++ == 0) first_unusable = why;
  }
  void close() {
    if (skipped > 0)
      remarks.push_back(
          fmt::format("{} states were skipped by the benchmark; the first: {}", skipped, first_skip));
    if (unusable > 0)
      remarks.push_back(fmt::format("{} states left out; the first: {}", unusable, first_unusable));
    if (by_mean > 0)
      remarks.push_back(fmt::format("stat=mean for {} states: the file gives no median for them", by_mean));
  }
};

std::string short_text(const Json& value) { return ellipsis(printable(text_of(value)), 80); }

// "value" of the summary with this tag; nvbench writes every number as text, also "inf" and "nan".
std::optional<double> summary(const Json& state, std::string_view tag) {
  for (const Json& entry : member(state, "summaries")) {
    if (text_of(member(entry, "tag")) != tag) continue;
    for (const Json& datum : member(entry, "data")) {
      if (text_of(member(datum, "name")) == "value") return number_of(member(datum, "value"));
    }
  }
  return std::nullopt;
}

Trial trial_of(const Json& state, bool& by_mean, Notes& notes) {
  std::string name = "'" + short_text(member(state, "name")) + "'";
  auto median = summary(state, "nv/cold/time/gpu/median");
  auto seconds = median ? median : summary(state, "nv/cold/time/gpu/mean");
  if (!seconds || *seconds <= 0) {
    notes.leave_out(name + " has no GPU time above 0");
    return {};
  }
  by_mean = !median;
  notes.by_mean += by_mean ? 1 : 0;
  auto noise = summary(state, "nv/cold/time/gpu/stdev/relative");
  return {Trial::State::valid, *seconds * 1e3, noise && *noise >= 0 ? *noise : -1};
}

// What the benchmark says about the axis of this name, or null.
const Json& axis_of(const Json& benchmark, const std::string& name) {
  for (const Json& axis : member(benchmark, "axes")) {
    if (text_of(member(axis, "name")) == name) return axis;
  }
  return member(benchmark, "");
}

// Whether every listed value is a word for on or off.
bool is_switch(const Json& axis) {
  const Json& values = member(axis, "values");
  return !values.empty() && std::all_of(values.begin(), values.end(), [](const Json& value) {
    return switch_word(text_of(member(value, "input_string"))).has_value();
  });
}

AxisRole role_of(const Json& benchmark, const Json& axis_value) {
  std::string name = text_of(member(axis_value, "name"));
  const Json& axis = axis_of(benchmark, name);
  std::string type = text_of(member(axis_value, "type"));
  if (type == "string" && is_switch(axis)) return AxisRole::tuning;
  return role_of_axis(name, type, text_of(member(axis, "flags")));
}

// Numbers where numbers are meant; a switch as true or false; else the text ("I32", "F64").
Scalar value_of(const Json& axis_value, AxisRole role) {
  const Json& value = member(axis_value, "value");
  if (role != AxisRole::label) {
    if (auto number = number_of(value)) return *number;
    if (auto on = switch_word(text_of(value))) return *on;
  }
  return value.is_string() ? value.get<std::string>() : value.dump();
}

class NvbenchReader {
 public:
  NvbenchReader(const std::string& path, std::istream* in) : path_(path) {
    const std::string text = read_text(path, in);
    const bool table = is_nvbench_csv(text);
    Json root = table ? nvbench_table(path, text) : json_in(text, path);
    if (!member(root, "benchmarks").is_array())
      refuse_file(path, "not nvbench JSON: no \"benchmarks\" list", "write it with --json FILE");
    if (!table) check_version(root);
    read_devices(root);
    for (const Json& benchmark : member(root, "benchmarks")) read_benchmark(benchmark);
    for (Group& group : groups_) {
      group.measured.finish();
    }
    notes_.close();
  }

  std::optional<Parsed> next() {
    for (; at_ < groups_.size(); ++at_) {
      if (auto change = groups_[at_].measured.next()) return record(groups_[at_], *change);
    }
    if (count_ > 0 || told_) return std::nullopt;
    told_ = true;
    Parsed parsed;
    parsed.where = shown_path(path_);
    parsed.remarks = std::exchange(notes_.remarks, {});
    parsed.fault = "only single measurements: nothing to compare (no two states differ in one tuning axis)";
    return parsed;
  }

 private:
  void check_version(const Json& root) {
    const Json& version = member(member(member(root, "meta"), "version"), "json");
    auto major = number_of(member(version, "major"));
    if (!major) {
      notes_.remarks.emplace_back("the file names no format version: read as version 1");
    } else if (*major != 1) {
      refuse_file(path_, "nvbench JSON version " + number_text(*major) + ", explog reads version 1");
    }
  }

  void read_devices(const Json& root) {
    for (const Json& entry : member(root, "devices")) {
      auto id = number_of(member(entry, "id"));
      auto sm = number_of(member(entry, "sm_version"));  // 900 for sm_90
      if (!id) continue;
      bool plausible = sm && *sm >= 100 && *sm < 10000;
      devices_[*id] = {text_of(member(entry, "name")),
                       plausible ? fmt::format("sm_{}", static_cast<int>(*sm / 10)) : ""};
    }
  }

  void read_benchmark(const Json& benchmark) {
    std::map<std::string, size_t> group_of_axes;  // device and axes -> group
    std::uint32_t number = 0;
    for (const Json& state : member(benchmark, "states")) {
      read_state(benchmark, state, number++, group_of_axes);
    }
  }

  void read_state(const Json& benchmark, const Json& state, std::uint32_t number,
                  std::map<std::string, size_t>& group_of_axes) {
    const Json& skipped = member(state, "is_skipped");
    if (skipped.is_boolean() && skipped.get<bool>()) {
      return notes_.skip("'" + short_text(member(state, "name")) +
                         "': " + short_text(member(state, "skip_reason")));
    }
    bool by_mean = false;
    Trial trial = trial_of(state, by_mean, notes_);
    if (trial.state != Trial::State::valid) return;
    const Json& values = member(state, "axis_values");
    bool listed = values.is_null() || values.is_array();
    if (!listed || values.size() > most_axes)
      return notes_.leave_out("axis_values is no list of at most 64 axes");
    Group& group = group_of(benchmark, state, by_mean, group_of_axes);
    std::vector<std::uint32_t> row;
    for (size_t i = 0; i < group.measured.space.parameters.size(); ++i) {
      row.push_back(group.measured.space.parameters[i].number_of(value_of(values[i], group.roles[i])));
    }
    group.measured.add(row, trial);
    group.states.push_back(number);
    group.batch_ms.push_back(summary(state, "nv/batch/time/gpu/mean").value_or(0) * 1e3);
  }

  // States are comparable when they ran on one device, have the same axes in the same order, and the same statistic.
  Group& group_of(const Json& benchmark, const Json& state, bool by_mean,
                  std::map<std::string, size_t>& group_of_axes) {
    auto device = number_of(member(state, "device"));
    std::string key = (by_mean ? "mean " : "") + (device ? number_text(*device) : "?");
    key += "\n" + member(state, "type_config_index").dump();
    for (const Json& value : member(state, "axis_values")) key += "\n" + text_of(member(value, "name"));
    auto [it, added] = group_of_axes.try_emplace(key, groups_.size());
    if (added) begin_group(benchmark, state, device);
    if (added) groups_.back().by_mean = by_mean;
    return groups_[it->second];
  }

  void begin_group(const Json& benchmark, const Json& state, std::optional<double> device) {
    Group& group = groups_.emplace_back();
    group.benchmark = text_of(member(benchmark, "name"));
    if (auto it = device ? devices_.find(*device) : devices_.end(); it != devices_.end())
      group.device = it->second;
    for (const Json& value : member(state, "axis_values")) {
      Parameter& axis = group.measured.space.parameters.emplace_back();
      axis.name = text_of(member(value, "name"));
      group.roles.push_back(role_of(benchmark, value));
      if (group.roles.back() != AxisRole::tuning) axis.kind = Parameter::Kind::context;
    }
  }

  Parsed record(const Group& group, const SingleChange& change) {
    Parsed parsed;
    ++count_;
    parsed.remarks = std::exchange(notes_.remarks, {});
    parsed.where = fmt::format("{}:{} state {}", shown_path(path_), printable(group.benchmark),
                               group.states[change.target] + 1);
    parsed.experience = experience(group, change);
    return parsed;
  }

  Experience experience(const Group& group, const SingleChange& change) const {
    Experience e = experience_of(group.measured, change);
    e.kernel_type = group.benchmark.empty() ? "" : kernel_type_of(group.benchmark);
    e.kernel = group.benchmark;
    e.backend = word(RecordBackend::cuda);
    e.gpu = group.device.name;
    e.arch = group.device.arch;
    add_context(group, change.base, e);
    add_noise(group.measured.trial(change.base), e.metrics_before);
    add_noise(group.measured.trial(change.target), e.metrics_after);
    add_batch(group.batch_ms[change.base], e.metrics_before);
    add_batch(group.batch_ms[change.target], e.metrics_after);
    e.condition = timing("s", group.by_mean ? "mean" : "median", "cold");
    e.source_before = fmt::format("{}/{}/{}", group.benchmark, group.device.name, group.states[change.base]);
    e.source = "nvbench " + file_name(path_);
    return e;
  }

  static void add_noise(const Trial& trial, Facts& metrics) {
    if (trial.noise >= 0) metrics.emplace_back("noise_rel", trial.noise);
  }

  // Many launches one behind the other, with warm caches: kept beside the cold time, never compared with it.
  static void add_batch(double ms, Facts& metrics) {
    if (ms > 0) metrics.emplace_back("warm_batch_ms", ms);
  }

  // The problem: numbers as its shape, the element type, other types and texts as tags.
  static void add_context(const Group& group, size_t row, Experience& e) {
    for (size_t i = 0; i < group.roles.size(); ++i) {
      if (group.roles[i] == AxisRole::tuning) continue;
      const std::string& name = group.measured.space.parameters[i].name;
      const Scalar& value = group.measured.value(row, i);
      if (const auto* number = std::get_if<double>(&value)) {
        add_named(e.shape, plain_axis_name(name), *number);
      } else if (const auto* text = std::get_if<std::string>(&value)) {
        auto dtype = names_element_type(name) ? canonical(Vocabulary::dtype, *text) : std::nullopt;
        if (dtype && e.dtype.empty())
          e.dtype = *dtype;
        else
          e.tags.push_back(ellipsis(name + "=" + *text, 100));
      }
    }
  }

  std::string path_;
  std::map<double, Device> devices_;
  std::deque<Group> groups_;
  Notes notes_;
  size_t at_ = 0, count_ = 0;
  bool told_ = false;
};

}  // namespace

Source nvbench(const std::string& path, std::istream* in) {
  auto reader = std::make_shared<NvbenchReader>(path, in);
  return [reader] { return reader->next(); };
}

bool looks_like_nvbench(std::string_view head) {
  auto has = [&](const char* key) { return head.find(key) != std::string_view::npos; };
  if (is_nvbench_csv(head)) return true;
  return head[0] == '{' &&
         ((has("\"nvbench\"") && has("\"meta\"")) || (has("\"devices\"") && has("\"sm_version\"")));
}

}  // namespace explog::intake
