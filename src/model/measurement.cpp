#include "model/measurement.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/text.h"
#include "model/json.h"

namespace explog {
namespace {

// Each member is written and read by one row, so that neither side can forget it.
template <class T, class Member>
using NamedMember = std::pair<std::string_view, Member T::*>;

constexpr std::array<NamedMember<Measurement, std::string>, 13> measurement_texts = {{
    {"task", &Measurement::task},
    {"task_hash", &Measurement::task_hash},
    {"harness", &Measurement::harness},
    {"harness_hash", &Measurement::harness_hash},
    {"backend", &Measurement::backend},
    {"gpu", &Measurement::gpu},
    {"arch", &Measurement::arch},
    {"driver", &Measurement::driver},
    {"toolkit", &Measurement::toolkit},
    {"clock", &Measurement::clock},
    {"mode", &Measurement::mode},
    {"correctness", &Measurement::correctness},
    {"correctness_detail", &Measurement::correctness_detail},
}};

constexpr std::array<NamedMember<ShapeRun, double>, 6> shape_numbers = {{
    {"bytes", &ShapeRun::bytes},
    {"flops", &ShapeRun::flops},
    {"sol_ms", &ShapeRun::sol_ms},
    {"floor_ms", &ShapeRun::floor_ms},
    {"empty_ms", &ShapeRun::empty_ms},
    {"warm_ms", &ShapeRun::warm_ms},
}};

[[noreturn]] void fail(const std::string& path, const std::string& why) {
  throw JsonError((path.empty() ? "measurement" : path) + ": " + why);
}

std::string element(const std::string& path, size_t i) { return path + "[" + std::to_string(i) + "]"; }

std::string text_value(const Json& json, const std::string& path) {
  if (!json.is_string()) fail(path, "expected text");
  return json.get<std::string>();
}

// Times, clocks and sizes: none of them can be below zero.
double amount(const Json& json, const std::string& path) {
  if (!json.is_number()) fail(path, "expected a number");
  auto value = json.get<double>();
  if (value < 0) fail(path, "must not be negative");
  return value;
}

const Json& list(const Json& json, const std::string& path) {
  if (!json.is_array()) fail(path, "expected a list");
  return json;
}

const Json& list_of_three(const Json& json, const std::string& path) {
  if (list(json, path).size() != 3) fail(path, "expected 3 entries, one for each pass");
  return json;
}

// An object whose every key must be asked for: what is left over in the end is a mistake.
class Object {
 public:
  Object(const Json& json, std::string path) : json_(json), path_(std::move(path)) {
    if (!json.is_object()) fail(path_, "expected an object");
  }

  std::string path(std::string_view name) const {
    return path_.empty() ? std::string(name) : path_ + "." + std::string(name);
  }

  const Json* find(std::string_view name) {
    auto it = json_.find(name);
    if (it == json_.end()) return nullptr;
    names_.push_back(name);
    return &*it;
  }
  const Json& at(std::string_view name) {
    const Json* value = find(name);
    if (value == nullptr) fail(path(name), "missing");
    return *value;
  }
  std::string text(std::string_view name) { return text_value(at(name), path(name)); }
  double number(std::string_view name) { return amount(at(name), path(name)); }
  double number(std::string_view name, double otherwise) {
    const Json* value = find(name);
    return value != nullptr ? amount(*value, path(name)) : otherwise;
  }
  bool boolean(std::string_view name) {
    const Json& value = at(name);
    if (!value.is_boolean()) fail(path(name), "expected true or false");
    return value.get<bool>();
  }

  void done() const {
    if (names_.size() == json_.size()) return;
    for (const auto& [name, value] : json_.items()) {
      if (std::find(names_.begin(), names_.end(), name) == names_.end())
        fail(path(printable(name)), "unknown field");
    }
  }

 private:
  const Json& json_;
  std::string path_;
  std::vector<std::string_view> names_;  // asked for and there; literals of the callers
};

Dims read_dims(const Json& json, const std::string& path) {
  if (!json.is_object()) fail(path, "expected an object");
  Dims dims;
  for (const auto& [name, value] : json.items()) {
    std::string where = path + "." + printable(name);
    double size = amount(value, where);
    if (size < 1 || size != std::trunc(size) || size > 0x1p53) fail(where, "expected a whole number from 1");
    dims.emplace_back(name, static_cast<std::int64_t>(size));
  }
  return dims;
}

std::vector<double> read_samples(const Json& json, const std::string& path) {
  std::vector<double> samples;
  samples.reserve(list(json, path).size());
  for (size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_number()) fail(element(path, i), "expected a number");
    samples.push_back(json[i].get<double>());
    if (samples.back() <= 0) fail(element(path, i), "a time must be above 0");
  }
  return samples;
}

std::array<Arm, 3> read_order(const Json& json, const std::string& path) {
  std::array<Arm, 3> order{};
  for (size_t i = 0; i < 3; ++i) {
    double number = amount(list_of_three(json, path)[i], element(path, i));
    bool known = number == 0 || number == 1 || number == 2;
    order[i] = static_cast<Arm>(known ? static_cast<int>(number) : -1);
  }
  if (!std::is_permutation(order.begin(), order.end(), all_arms.begin()))
    fail(path, "expected 0, 1 and 2, each once");
  return order;
}

Block read_block(const Json& json, const std::string& path) {
  Object object(json, path);
  Block block;
  if (const Json* reason = object.find("discarded"))
    block.discarded = text_value(*reason, object.path("discarded"));
  block.order = read_order(object.at("order"), object.path("order"));
  const Json& ms = list_of_three(object.at("ms"), object.path("ms"));
  const Json* clocks = object.find("sm_mhz");
  if (clocks != nullptr) list_of_three(*clocks, object.path("sm_mhz"));
  for (size_t i = 0; i < 3; ++i) {
    std::string where = element(object.path("ms"), i);
    block.passes[i].ms = read_samples(ms[i], where);
    if (block.passes[i].ms.empty() && block.discarded.empty()) fail(where, "no samples");
    if (clocks != nullptr) block.passes[i].sm_mhz = amount((*clocks)[i], element(object.path("sm_mhz"), i));
  }
  object.done();
  return block;
}

// Each entry of a list, read by `read(entry, its path)`.
template <class Read>
auto read_list(const Json& json, const std::string& path, Read read) {
  std::vector<decltype(read(json, path))> entries;
  for (size_t i = 0; i < list(json, path).size(); ++i) entries.push_back(read(json[i], element(path, i)));
  return entries;
}

double number_of_any_sign(const Json& json, const std::string& path) {
  if (!json.is_number()) fail(path, "expected a number");
  return json.get<double>();
}

ShapeRun read_shape(const Json& json, const std::string& path) {
  Object object(json, path);
  ShapeRun shape;
  shape.dims = read_dims(object.at("dims"), object.path("dims"));
  for (const auto& [name, member] : shape_numbers) shape.*member = object.number(name);
  shape.launch_ms = object.number("launch_ms", shape.launch_ms);
  shape.weight = object.number("weight", shape.weight);
  if (shape.weight == 0) fail(object.path("weight"), "must be above 0");
  shape.stop = object.text("stop");
  shape.blocks = read_list(object.at("blocks"), object.path("blocks"), read_block);
  if (const Json* saved = object.find("apart_saved_ms"))
    shape.apart_saved_ms = read_list(*saved, object.path("apart_saved_ms"), number_of_any_sign);
  object.done();
  return shape;
}

MeasurementRun read_run(const Json& json, const std::string& path) {
  Object object(json, path);
  MeasurementRun run{read_list(object.at("shapes"), object.path("shapes"), read_shape)};
  object.done();
  return run;
}

MeasuredFile read_source(const Json& json, const std::string& path) {
  Object object(json, path);
  MeasuredFile source{object.text("file"), object.text("hash")};
  object.done();
  return source;
}

double read_format(Object& object) {
  double format = object.number("format");
  if (format >= 1 && format <= measurement_format && format == std::trunc(format)) return format;
  throw JsonError("this file is of format " + number_text(format) + ", this explog reads 1 to " +
                  std::to_string(measurement_format));
}

CheckedErrors read_checked(const Json& json, const std::string& path) {
  Object object(json, path);
  CheckedErrors errors{read_dims(object.at("dims"), object.path("dims")), object.number("max_abs"),
                       object.number("max_rel")};
  object.done();
  return errors;
}

void read_task(Object& object, Measurement& m) {
  if (const Json* origin = object.find("imported_from"))
    m.imported_from = origin_in(*origin, object.path("imported_from"));
  m.checked = read_list(object.at("checked"), "checked", read_checked);
}

constexpr std::array<std::string_view, 4> runner_words = {"replay", "in_process", "host", "external"};

void read_runner(Object& object, Measurement& m) {
  m.runner = object.text("runner");
  bool known =
      m.runner.empty() || std::find(runner_words.begin(), runner_words.end(), m.runner) != runner_words.end();
  if (!known) fail("runner", "expected replay, in_process, host or external");
  m.runner_reason = object.text("runner_reason");
  m.in_process_allowed = object.boolean("in_process_allowed");
}

void write_source(JsonWriter& json, std::string_view name, const MeasuredFile& source) {
  json.plain_key(name);
  json.begin_object();
  json.plain_key("file");
  json.text(source.file);
  json.plain_key("hash");
  json.text(source.hash);
  json.end_object();
}

template <class List, class Write>
void write_list(JsonWriter& json, const List& entries, Write write) {
  json.begin_array();
  for (const auto& entry : entries) write(entry);
  json.end_array();
}

void write_block(JsonWriter& json, const Block& block) {
  auto number = [&](double value) { json.number(value); };
  auto clock_known = [](const Pass& pass) { return pass.sm_mhz != 0; };
  json.begin_object();
  json.plain_key("order");
  write_list(json, block.order, [&](Arm arm) { json.number(static_cast<int>(arm)); });
  json.plain_key("ms");
  write_list(json, block.passes, [&](const Pass& pass) { write_list(json, pass.ms, number); });
  if (std::any_of(block.passes.begin(), block.passes.end(), clock_known)) {
    json.plain_key("sm_mhz");
    write_list(json, block.passes, [&](const Pass& pass) { json.number(pass.sm_mhz); });
  }
  if (!block.discarded.empty()) {
    json.plain_key("discarded");
    json.text(block.discarded);
  }
  json.end_object();
}

void write_shape(JsonWriter& json, const ShapeRun& shape) {
  json.begin_object();
  json.field("dims", shape.dims);
  for (const auto& [name, member] : shape_numbers) {
    json.plain_key(name);
    json.number(shape.*member);
  }
  if (shape.launch_ms > 0) json.field("launch_ms", shape.launch_ms);
  if (shape.weight != 1) json.field("weight", shape.weight);
  json.plain_key("stop");
  json.text(shape.stop);
  json.plain_key("blocks");
  write_list(json, shape.blocks, [&](const Block& block) { write_block(json, block); });
  if (!shape.apart_saved_ms.empty()) {
    json.plain_key("apart_saved_ms");
    write_list(json, shape.apart_saved_ms, [&](double ms) { json.number(ms); });
  }
  json.end_object();
}

void write_checked(JsonWriter& json, const CheckedErrors& errors) {
  json.begin_object();
  json.field("dims", errors.dims);
  json.plain_key("max_abs");
  json.number(errors.max_abs);
  json.plain_key("max_rel");
  json.number(errors.max_rel);
  json.end_object();
}

void write_run(JsonWriter& json, const MeasurementRun& run) {
  json.begin_object();
  json.plain_key("shapes");
  write_list(json, run.shapes, [&](const ShapeRun& shape) { write_shape(json, shape); });
  json.end_object();
}

}  // namespace

std::string to_json(const Measurement& m) {
  JsonWriter json;
  json.begin_object();
  json.plain_key("format");
  json.number(measurement_format);
  for (const auto& [name, member] : measurement_texts) {
    json.plain_key(name);
    json.text(m.*member);
  }
  write_source(json, "baseline", m.baseline);
  write_source(json, "candidate", m.candidate);
  json.plain_key("flush_bytes");
  json.number(m.flush_bytes);
  json.plain_key("sync_inside");
  json.boolean(m.sync_inside);
  json.plain_key("runner");
  json.text(m.runner);
  json.plain_key("runner_reason");
  json.text(m.runner_reason);
  json.plain_key("in_process_allowed");
  json.boolean(m.in_process_allowed);
  if (m.imported_from) {
    json.plain_key("imported_from");
    json.raw(origin_json(*m.imported_from).dump());
  }
  json.plain_key("checked");
  write_list(json, m.checked, [&](const CheckedErrors& errors) { write_checked(json, errors); });
  json.plain_key("warnings");
  write_list(json, m.warnings, [&](const std::string& warning) { json.text(warning); });
  json.plain_key("runs");
  write_list(json, m.runs, [&](const MeasurementRun& run) { write_run(json, run); });
  json.end_object();
  return json.take();
}

Measurement parse_measurement(std::string_view text) {
  Json json = parse_json(text);
  Object object(json, "");
  double format = read_format(object);  // first: a later format may differ in everything else
  Measurement m;
  if (format > 1) read_runner(object, m);
  if (format > 2) read_task(object, m);
  for (const auto& [name, member] : measurement_texts) m.*member = object.text(name);
  if (m.correctness.empty()) fail("correctness", "must not be empty");
  m.baseline = read_source(object.at("baseline"), "baseline");
  m.candidate = read_source(object.at("candidate"), "candidate");
  m.flush_bytes = object.number("flush_bytes");
  m.sync_inside = object.boolean("sync_inside");
  m.warnings = read_list(object.at("warnings"), "warnings", text_value);
  m.runs = read_list(object.at("runs"), "runs", read_run);
  object.done();
  return m;
}

}  // namespace explog
