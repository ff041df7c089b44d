#include "model/experience.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <unordered_map>

#include "base/text.h"
#include "base/text_hash.h"
#include "model/json.h"

namespace explog {
namespace {

using E = Experience;

const std::array<Field, 42> fields = {{
    {"kernel_type", &E::kernel_type, "kind of kernel: softmax, gemm, ..."},
    {"kernel", &E::kernel, "the kernel's own name"},
    {"backend", &E::backend, "cuda, triton, cutile, cutedsl, hip, other"},
    {"arch", &E::arch, "sm_90, gfx90a"},
    {"gpu", &E::gpu, "card: H200"},
    {"dtype", &E::dtype, "element type: f32, bf16"},
    {"shape", &E::shape, "problem size: N=4096,D=1024"},
    {"bottleneck", &E::bottleneck, "memory, compute, latency, occupancy, balanced, unknown"},
    {"stall", &E::stall, "dominant warp stall"},
    {"strategy", &E::strategy, "what was changed: a playbook id"},
    {"strategy_text", &E::strategy_text, "what was written for it, where an id was read from words"},
    {"params", &E::params, "its settings: num_warps=8"},
    {"hypothesis", &E::hypothesis, "why it should help"},
    {"state", &E::state, "facts of the kernel before the change: block_x=128,registers=64"},
    {"metrics_before", &E::metrics_before, "Nsight Compute metrics before"},
    {"metrics_after", &E::metrics_after, "Nsight Compute metrics after"},
    {"latency_before_ms", &E::latency_before_ms, "milliseconds before"},
    {"latency_after_ms", &E::latency_after_ms, "milliseconds after"},
    {"speedup", &E::speedup, "latency before / after"},
    {"speedup_lo", &E::speedup_lo, "lower end of its interval"},
    {"speedup_hi", &E::speedup_hi, "upper end of its interval"},
    {"correctness", &E::correctness, "pass, fail"},
    {"decision", &E::decision, "what the loop did: keep, revert, crash"},
    {"outcome", &E::outcome, "what it showed: success, neutral, failure"},
    {"cause", &E::cause, "of a failure: regression, wrong_values, compile_error, ..."},
    {"level", &E::level, "how it is known: claimed, imported, measured, replicated"},
    {"campaign", &E::campaign, "the series of attempts it belongs to"},
    {"iteration", &E::iteration, "its number in the series"},
    {"parent", &E::parent, "id of the attempt it builds on"},
    {"source_before", &E::source_before, "hash or name of the source before"},
    {"source_after", &E::source_after, "hash or name of the source after"},
    {"code_before", &E::code_before, "hash of the machine code before"},
    {"code_after", &E::code_after, "hash of the machine code after"},
    {"toolkit", &E::toolkit, "compiler and version"},
    {"driver", &E::driver, "driver version"},
    {"condition", &E::condition, "under which a failure holds"},
    {"tags", &E::tags, "free labels"},
    {"notes", &E::notes, "anything else"},
    {"source", &E::source, "where the figures come from"},
    {"idempotency_key", &E::idempotency_key, "a retry with the same key adds nothing"},
    {"at", &E::at, ""},
    {"id", &E::id, ""},
}};
constexpr size_t stored_fields = fields.size() - 2;  // `at` and `id` belong to the event

// Builds an Experience from the events of one JSON object.
class Reader : public JsonVisitor {
 public:
  explicit Reader(Experience& e) : e_(e) {}

  void begin_object() override { open(true); }
  void end_object() override { close(true); }
  void begin_array() override { open(false); }
  void end_array() override { close(false); }

  void key(std::string& name) override {
    if (in_extra_) return extra_.key(name);
    if (depth_ == 2) {
      entry_ = name;
      return;
    }
    field_ = find_field(name);
    field_name_ = name;
    if (field_ == nullptr) in_extra_ = true;
  }

  void text(std::string& value) override {
    if (in_extra_) return extra_value([&] { extra_.text(value); });
    if (auto* params = at_depth<Params>(2)) return add(*params, Scalar(value));
    if (auto* tags = at_depth<Tags>(2)) return tags->push_back(value);
    if (depth_ == 1 && is<std::string>()) return set_text(std::move(value));
    if (depth_ == 1 && value.empty()) return;
    mismatch("\"" + ellipsis(printable(value), 40) + "\"");
  }

  void number(double value) override {
    if (in_extra_) return extra_value([&] { extra_.number(value); });
    if (auto* facts = at_depth<Facts>(2)) return add(*facts, value);
    if (auto* params = at_depth<Params>(2)) return add(*params, Scalar(value));
    if (depth_ == 1 && is<std::optional<double>>()) {
      e_.*std::get<std::optional<double> E::*>(field_->member) = value;
    } else if (field_ != nullptr && (field_->name == "at" || field_->name == "id")) {
      set_text(number_text(value));
    } else {
      mismatch(number_text(value));
    }
  }

  void boolean(bool value) override {
    if (in_extra_) return extra_value([&] { extra_.boolean(value); });
    if (auto* params = at_depth<Params>(2)) return add(*params, Scalar(value));
    if (auto* facts = at_depth<Facts>(2)) return add(*facts, value ? 1.0 : 0.0);
    mismatch(value ? "true" : "false");
  }

  void null() override {
    if (in_extra_) return extra_value([&] { extra_.null(); });
    if (depth_ == 0) mismatch("null");
  }

 private:
  template <class T>
  bool is() const {
    return field_ != nullptr && std::holds_alternative<T E::*>(field_->member);
  }
  // The container being filled, when the field is of type T and we are inside it.
  template <class T>
  T* at_depth(int depth) const {
    return depth_ == depth && is<T>() ? &(e_.*std::get<T E::*>(field_->member)) : nullptr;
  }
  template <class List, class Value>
  void add(List& list, Value value) const {
    list.emplace_back(entry_, std::move(value));
  }

  void set_text(std::string value) { e_.*std::get<std::string E::*>(field_->member) = std::move(value); }

  [[noreturn]] void mismatch(const std::string& got) const {
    const char* expected = "text";
    if (depth_ == 0) throw JsonError("record: expected an object, got " + got);
    if (depth_ == 2) {
      expected = is<Tags>() ? "a list of text" : "numbers only";
    } else if (is<std::optional<double>>()) {
      expected = "a number";
    } else if (is<Facts>() || is<Params>()) {
      expected = "an object";
    } else if (is<Tags>()) {
      expected = "a list of text";
    }
    std::string where = depth_ == 2 && !entry_.empty() ? field_name_ + "." + entry_ : field_name_;
    throw JsonError(printable(where) + ": expected " + expected + ", got " + got);
  }

  void open(bool object) {
    if (in_extra_) {
      object ? extra_.begin_object() : extra_.begin_array();
    } else if (depth_ == 0) {
      if (!object) throw JsonError("expected an object, got a list");
    } else {
      bool fits = depth_ == 1 && (object ? is<Facts>() || is<Params>() : is<Tags>());
      if (!fits) mismatch(object ? "an object" : "a list");
      entry_.clear();
    }
    ++depth_;
  }

  void close(bool object) {
    --depth_;
    if (in_extra_) {
      object ? extra_.end_object() : extra_.end_array();
      if (depth_ == 1) finish_extra();
    }
  }

  template <class Write>
  void extra_value(Write write) {
    write();
    if (depth_ == 1) finish_extra();
  }
  void finish_extra() {
    e_.extra.emplace_back(field_name_, extra_.take());
    extra_ = JsonWriter();
    in_extra_ = false;
  }

  Experience& e_;
  int depth_ = 0;
  const Field* field_ = nullptr;
  std::string field_name_, entry_;
  bool in_extra_ = false;
  JsonWriter extra_;
};

struct WriteField {
  JsonWriter& json;
  const Experience& e;
  std::string_view name;

  void operator()(std::string E::*member) const {
    if ((e.*member).empty()) return;
    json.plain_key(name);
    json.text(e.*member);
  }
  void operator()(std::optional<double> E::*member) const {
    if (!(e.*member)) return;
    json.plain_key(name);
    json.number(*(e.*member));
  }
  void operator()(Facts E::*member) const {
    if ((e.*member).empty()) return;
    json.plain_key(name);
    json.begin_object();
    for (const auto& [key, value] : e.*member) {
      json.key(key);
      json.number(value);
    }
    json.end_object();
  }
  void operator()(Params E::*member) const {
    if ((e.*member).empty()) return;
    json.plain_key(name);
    json.begin_object();
    for (const auto& [key, value] : e.*member) {
      json.key(key);
      if (const auto* number = std::get_if<double>(&value)) json.number(*number);
      if (const auto* flag = std::get_if<bool>(&value)) json.boolean(*flag);
      if (const auto* text = std::get_if<std::string>(&value)) json.text(*text);
    }
    json.end_object();
  }
  void operator()(Tags E::*member) const {
    if ((e.*member).empty()) return;
    json.plain_key(name);
    json.texts(e.*member);
  }
};

}  // namespace

std::span<const Field> experience_fields() { return std::span(fields).first(stored_fields); }

FieldType type_of(const Field& field) {
  struct TypeOfMember {
    FieldType operator()(std::string E::*) const { return FieldType::text; }
    FieldType operator()(std::optional<double> E::*) const { return FieldType::number; }
    FieldType operator()(Facts E::*) const { return FieldType::facts; }
    FieldType operator()(Params E::*) const { return FieldType::params; }
    FieldType operator()(Tags E::*) const { return FieldType::tags; }
  };
  return std::visit(TypeOfMember{}, field.member);
}

const Field* find_field(std::string_view name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Field*, TextHash> by_name;
    for (const Field& field : fields) by_name.emplace(field.name, &field);
    return by_name;
  }();
  auto it = index.find(name);
  return it != index.end() ? it->second : nullptr;
}

Experience parse_experience(std::string_view json) {
  Experience e;
  parse_experience(json, e);
  return e;
}

void parse_experience(std::string_view json, Experience& into) {
  Reader reader(into);
  visit_json(json, reader);
}

std::string to_json(const Experience& e) {
  JsonWriter json(768);
  json.begin_object();
  for (const Field& field : experience_fields()) std::visit(WriteField{json, e, field.name}, field.member);
  for (const auto& [key, value] : e.extra) {
    json.key(key);
    json.raw(value);
  }
  json.end_object();
  return json.take();
}

std::optional<double> fact(const Facts& facts, std::string_view name) {
  auto it = std::find_if(facts.begin(), facts.end(), [&](const auto& entry) { return entry.first == name; });
  return it != facts.end() ? std::optional<double>(it->second) : std::nullopt;
}

std::int64_t log2_speedup_e4(double speedup) { return std::llround(std::log2(speedup) * 1e4); }

int log2_size(const Facts& shape) {
  double size = 0;
  for (const auto& [name, value] : shape) {
    if (value < 1) return -1;
    size += std::log2(value);
  }
  return shape.empty() ? -1 : static_cast<int>(std::lround(std::min(size, 299.0)));
}

}  // namespace explog
