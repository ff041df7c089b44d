#include "intake/kernel_tuner_t4.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"
#include "intake/common.h"
#include "intake/dims.h"
#include "intake/measured_rows.h"
#include "intake/python_repr.h"
#include "model/arch.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr size_t most_results = 2'000'000;

constexpr std::array<std::string_view, 4> time_words = {"time", "runtime", "latency", "duration"};
// Times that are spent around a kernel.
constexpr std::array<std::string_view, 8> overhead_words = {
    "compile", "compilation", "framework", "strategy", "search", "verification", "validation", "benchmark"};

bool is_one_of(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Whether a measurement is how long the kernel ran: "time", "runtime", "latency_us"; no rate, score or energy.
bool is_time(const Json& measurement) {
  std::string name = lower(text_of(member(measurement, "name")));
  std::replace(name.begin(), name.end(), '_', ' ');
  bool time = false;
  for (std::string_view word : split(name, ' ')) {
    if (is_one_of(overhead_words, word)) return false;
    time |= is_one_of(time_words, word);
  }
  std::string unit = text_of(member(measurement, "unit"));
  return unit.empty() ? time : milliseconds_in(unit).has_value();
}

// What the tuner looked for, where that is a time; else the time that was measured beside it. Null: there is none.
const Json& time_of(const Json& result) {
  const Json* found = &member(result, "");
  const Json& objectives = member(result, "objectives");
  for (const Json& measurement : member(result, "measurements")) {
    if (!is_time(measurement)) continue;
    const Json& name = member(measurement, "name");
    if (objectives.is_array() && std::find(objectives.begin(), objectives.end(), name) != objectives.end())
      return measurement;
    if (found->is_null()) found = &measurement;
  }
  return *found;
}

std::string names_measured(const Json& result) {
  std::vector<std::string> names;
  for (const Json& measurement : member(result, "measurements"))
    names.push_back("'" + ellipsis(printable(text_of(member(measurement, "name"))), 30) + "'");
  return names.empty() ? "nothing" : join(std::span(names).first(std::min<size_t>(names.size(), 4)), ", ");
}

std::string_view unit_word(std::string_view unit) {
  double ms = milliseconds_in(unit).value_or(1);
  return ms == 1e-6 ? "ns" : ms == 1e-3 ? "us" : ms == 1 ? "ms" : "s";
}

class T4File {
 public:
  T4File(const std::string& path, std::istream* in) : path_(path) {
    Json root = read(in);
    const Json& results = member(root, "results");
    if (!results.is_array() || results.size() > most_results)
      refuse_file(path, "not T4 results: no list \"results\" of at most 2 million");
    std::string version = text_of(member(root, "schema_version"));
    if (!version.empty() && !version.starts_with("1."))
      refuse_file(path, "T4 results of version " + printable(version) + ", explog reads version 1");
    describe(root);
    for (const Json& result : results) take(result);
    if (group_.rows.empty() && timeless_ > 0)
      refuse_file(
          path,
          fmt::format("none of {} results has a time above 0; measured is {}", results.size(), measured_),
          "explog compares times: tune with the objective \"time\", or keep it among the measurements");
    close();
  }

  MeasuredGroup group() { return std::move(group_); }

 private:
  Json read(std::istream* in) const {
    try {
      return parse_json(python_to_json(read_text(path_, in)), 0);
    } catch (const JsonError& e) {
      refuse_file(path_, std::string("not valid JSON: ") + printable(e.what()));
    }
  }

  void describe(const Json& root) {
    const Json& metadata = member(root, "metadata");
    unit_ = text_of(member(metadata, "timeunit"));
    group_.where = shown_path(path_);
    Experience& e = group_.common;
    e.kernel = text_of(member(metadata, "kernel_name"));
    e.kernel_type = text_of(member(metadata, "kernel_type"));
    if (e.kernel_type.empty() && !e.kernel.empty()) e.kernel_type = kernel_type_of(e.kernel);
    e.gpu = text_of(member(metadata, "device_name"));
    e.arch = canonical_arch(e.gpu).value_or(text_of(member(metadata, "arch")));
    e.backend = canonical(Vocabulary::backend, text_of(member(metadata, "backend"))).value_or("");
    group_.usual_backend = usual_backend_on(e.gpu);
    e.dtype = text_of(member(metadata, "dtype"));
    e.toolkit = text_of(member(metadata, "toolkit"));
    if (auto dims = read_dims(member(metadata, "problem_size"))) e.shape = std::move(dims->shape);
    e.source = "T4 results " + file_name(path_);
  }

  void take(const Json& result) {
    MeasuredRow row;
    for (const auto& [name, value] : member(result, "configuration").items()) {
      if (value.is_boolean())
        add_named(row.settings, name, Scalar(value.get<bool>()));
      else if (value.is_number())
        add_named(row.settings, name, Scalar(value.get<double>()));
      else if (!value.is_null())
        add_named(row.settings, name,
                  Scalar(value.is_string() ? value.get<std::string>() : json_text(value)));
    }
    row.trial = trial_of_result(result);
    if (row.settings.empty()) {
      ++nameless_;
    } else if (row.trial.state != Trial::State::unusable) {
      group_.rows.push_back(std::move(row));
    }
  }

  // Constraints are what a configuration was never tried for: nothing was learned.
  Trial trial_of_result(const Json& result) {
    std::string invalidity = text_of(member(result, "invalidity"));
    if (invalidity == "compile") return {Trial::State::build_failed};
    if (invalidity == "runtime") return {Trial::State::launch_failed};
    if (invalidity == "timeout") return {Trial::State::timed_out};
    if (invalidity == "correctness") return {Trial::State::wrong_values};
    if (invalidity != "correct" && !invalidity.empty()) {
      ++constrained_;
      return {};
    }
    const Json& time = time_of(result);
    auto value = number_of(member(time, "value"));
    std::string unit = text_of(member(time, "unit"));
    auto scale = milliseconds_in(unit.empty() ? unit_ : unit);
    bool named = !unit.empty() || !unit_.empty();
    if (!value || *value <= 0 || (named && !scale)) {
      if (timeless_++ == 0) measured_ = names_measured(result);
      return {};
    }
    if (seen_unit_.empty()) seen_unit_ = unit;
    return {Trial::State::valid, *value * scale.value_or(1)};
  }

  void close() {
    if (constrained_ > 0)
      group_.remarks.push_back(fmt::format("{} results left out: outside the constraints", constrained_));
    if (timeless_ > 0)
      group_.remarks.push_back(fmt::format(
          "{} results left out: without a time above 0; measured of the first is {}", timeless_, measured_));
    if (nameless_ > 0)
      group_.remarks.push_back(fmt::format("{} results left out: without a configuration", nameless_));
    bool named = milliseconds_in(unit_).has_value();
    if (!named && seen_unit_.empty())
      group_.remarks.emplace_back("the file names no unit of time: taken as milliseconds");
    group_.common.condition = timing(unit_word(named ? unit_ : seen_unit_), "mean", "warm");
    if (group_.common.kernel.empty())
      group_.remarks.emplace_back("the file names neither kernel nor GPU: give --kernel and --gpu or --arch");
  }

  std::string path_, unit_, seen_unit_;  // of the whole file; of the first result that names one
  std::string measured_;                 // of the first result without a time
  MeasuredGroup group_;
  size_t constrained_ = 0, timeless_ = 0, nameless_ = 0;  // results that are left out, by why
};

}  // namespace

Source kernel_tuner_t4(const std::string& path, std::istream* in) {
  std::vector<MeasuredGroup> list;
  list.push_back(T4File(path, in).group());
  return changes_of(path, list_groups(std::move(list)));
}

bool looks_like_t4(std::string_view head) {
  auto has = [&](const char* key) { return head.find(key) != std::string_view::npos; };
  return head[0] == '{' && has("\"results\"") && has("\"configuration\"") && has("\"invalidity\"");
}

}  // namespace explog::intake
