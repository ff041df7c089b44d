#include "intake/kernel_tuner_cache.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "intake/common.h"

namespace explog::intake {
namespace {

constexpr size_t most_parameters = 64;
constexpr double old_failure_marker = 1e20;  // what early versions wrote for a configuration that failed

Trial trial_of_time(double ms) {
  if (ms >= old_failure_marker) return {Trial::State::launch_failed};
  if (!(ms > 0)) return {};
  return {Trial::State::valid, ms};
}

// The classes of errors that Kernel Tuner writes; nothing for another word.
std::optional<Trial> failure_of(std::string_view word) {
  if (word == "CompilationFailedConfig") return Trial{Trial::State::build_failed};
  // A configuration beyond the limits of the device never ran: it asks for too many threads or too much
  // shared memory.
  bool failed = word == "RuntimeFailedConfig" || word == "InvalidConfig" || word == "ErrorConfig";
  return failed ? std::optional(Trial{Trial::State::launch_failed}) : std::nullopt;
}

// What the visitor sees: {"device_name", ..., "tune_params": {p: [values]}, "cache": {key: {p: value, "time":
// ms, ...}}}. Parameter values that are lists or objects count as opaque text.
class CacheVisitor : public JsonVisitor {
 public:
  explicit CacheVisitor(TunerCache& cache) : cache_(cache) {}

  void begin_object() override { open(true); }
  void end_object() override { close(true); }
  void begin_array() override { open(false); }
  void end_array() override { close(false); }

  void key(std::string& name) override {
    if (capture_ > 0) return opaque_.key(name);
    if (depth_ == 1) top_ = name;
    if (depth_ == 2) second_ = name;
    if (depth_ == 3) third_ = name;
  }
  void text(std::string& value) override {
    if (capture_ > 0) return opaque_.text(value);
    if (depth_ == 1 && top_ == "device_name") cache_.device_name = value;
    if (depth_ == 1 && top_ == "kernel_name") cache_.kernel_name = value;
    if (depth_ == 1 && (top_ == "language" || top_ == "lang")) cache_.language = value;
    if (depth_ == 2 && top_ == "tune_params_keys") add_parameter(value);
    if (in_entry() && parameter_at(third_) == npos) take_failure(value);
    take(value);
  }
  void number(double value) override {
    if (capture_ > 0) return opaque_.number(value);
    if (top_ == "problem_size" && (depth_ == 1 || depth_ == 2)) add_problem_size(value);
    if (in_entry() && third_ == "time" && !failed_) now_ = trial_of_time(value);
    take(value);
  }
  void boolean(bool value) override {
    if (capture_ > 0) return opaque_.boolean(value);
    take(value);
  }
  void null() override {
    if (capture_ > 0) opaque_.null();
  }

  // The cache came before the parameters it is about.
  bool out_of_order() const { return out_of_order_; }
  bool has_cache() const { return has_cache_; }

 private:
  bool in_entry() const { return depth_ == 3 && top_ == "cache"; }

  void open(bool object) {
    bool value_list = depth_ == 3 && top_ == "tune_params";
    bool value = in_entry() && parameter_at(third_) != npos;
    if (capture_ > 0 || value_list || value) {
      ++capture_;
      object ? opaque_.begin_object() : opaque_.begin_array();
    }
    ++depth_;
    if (in_entry()) begin_entry();
    if (depth_ == 2 && top_ == "cache") has_cache_ = object;
  }

  void close(bool object) {
    if (in_entry()) end_entry();
    --depth_;
    if (capture_ == 0) return;
    object ? opaque_.end_object() : opaque_.end_array();
    if (--capture_ == 0) {
      take(opaque_.take());
      opaque_ = JsonWriter();
    }
  }

  // Until 1.3 an error stood in place of the time or of what else was looked for; since 1.4 it has the key "__error__",
  // and there may be no time.
  void take_failure(std::string_view word) {
    auto failure = failure_of(word);
    if (!failure && third_ == "__error__") failure = Trial{Trial::State::launch_failed};
    if (!failure) return;
    now_ = *failure;
    failed_ = true;
  }

  // A value of a parameter: one of its list, or an entry's own.
  void take(const Scalar& value) {
    if (depth_ == 3 && top_ == "tune_params") {
      cache_.measured.space.parameters[add_parameter(second_)].number_of(value);
    } else if (in_entry()) {
      size_t at = parameter_at(third_);
      if (at != npos) values_[at] = cache_.measured.space.parameters[at].number_of(value);
    }
  }

  void begin_entry() {
    values_.assign(cache_.measured.space.parameters.size(), no_value);
    now_ = {};
    failed_ = false;
    third_.clear();
    out_of_order_ |= values_.empty();
  }

  void end_entry() {
    if (values_.empty()) return;  // out of order: read again later
    auto missing = std::find(values_.begin(), values_.end(), no_value);
    if (missing != values_.end()) {
      left_out("no value for " +
               cache_.measured.space.parameters[static_cast<size_t>(missing - values_.begin())].name);
      return;
    }
    if (now_.state == Trial::State::unusable) left_out("no time above 0");
    cache_.failed += now_.state == Trial::State::build_failed || now_.state == Trial::State::launch_failed;
    cache_.measured.add(values_, now_);
  }

  void left_out(const std::string& why) {
    if (cache_.unusable++ == 0)
      cache_.first_unusable = "\"" + ellipsis(printable(second_), 60) + "\": " + printable(why);
  }

  static constexpr size_t npos = SIZE_MAX;

  size_t parameter_at(std::string_view name) const {
    const auto& list = cache_.measured.space.parameters;
    auto it = std::find_if(list.begin(), list.end(), [&](const Parameter& p) { return p.name == name; });
    return it != list.end() ? static_cast<size_t>(it - list.begin()) : npos;
  }

  size_t add_parameter(const std::string& name) {
    size_t at = parameter_at(name);
    if (at != npos) return at;
    auto& list = cache_.measured.space.parameters;
    if (list.size() == most_parameters) throw JsonError("more than 64 tuning parameters");
    if (cache_.measured.rows() > 0) throw JsonError("the parameters come behind the entries");
    list.emplace_back().name = name;
    return list.size() - 1;
  }

  void add_problem_size(double value) {
    constexpr const char* names[] = {"x", "y", "z"};
    if (cache_.problem_size.size() < 3)
      cache_.problem_size.emplace_back(names[cache_.problem_size.size()], value);
  }

  TunerCache& cache_;
  int depth_ = 0, capture_ = 0;
  std::string top_, second_, third_;
  std::vector<std::uint32_t> values_;  // of the entry being read
  Trial now_;
  bool failed_ = false;  // an error of it was read
  JsonWriter opaque_;
  bool out_of_order_ = false, has_cache_ = false;
};

}  // namespace

TunerCache parse_tuner_cache(std::string_view json) {
  TunerCache cache;
  CacheVisitor visitor(cache);
  visit_json(json, visitor, 0);
  if (!visitor.has_cache()) throw JsonError("no \"cache\" object");
  if (cache.measured.space.parameters.empty())
    throw JsonError("no \"tune_params_keys\" and no \"tune_params\"");
  if (visitor.out_of_order()) {  // a file with sorted keys: now that the parameters are known, read it again
    TunerCache again;
    for (const Parameter& p : cache.measured.space.parameters) again.measured.space.parameters.push_back(p);
    CacheVisitor second(again);
    visit_json(json, second, 0);
    cache = std::move(again);
  }
  cache.measured.finish();
  return cache;
}

}  // namespace explog::intake
