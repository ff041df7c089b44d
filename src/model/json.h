// JSON in and out, strictly: RFC 8259 with the limits of I-JSON (RFC 7493), because lines come from
// strangers.
#pragma once
#include <concepts>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace explog {

using Json = nlohmann::ordered_json;

// What is wrong with a JSON text; caught where the line's number is known.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};
// What a parser says of a document that it refuses.
[[noreturn]] inline void bad(const std::string& what) { throw JsonError(what); }

// Called for each part of a JSON text in order.
class JsonVisitor {
 public:
  virtual ~JsonVisitor() = default;
  virtual void begin_object() = 0;
  virtual void end_object() = 0;
  virtual void begin_array() = 0;
  virtual void end_array() = 0;
  virtual void key(std::string& name) = 0;
  virtual void text(std::string& value) = 0;
  virtual void number(double value) = 0;
  virtual void boolean(bool value) = 0;
  virtual void null() = 0;
};

constexpr int max_json_depth = 32;
constexpr size_t max_json_keys = 256;  // in one object

// Walks `text`. Throws JsonError for anything but one valid document: bad UTF-8, lone surrogates, duplicate
// keys, NaN, numbers beyond a double, integers beyond 2^53, more than 32 levels, more than 256 keys in an
// object. `key_limit` 0 lifts the last two limits for trusted formats with large objects (tuning caches).
void visit_json(std::string_view text, JsonVisitor& visitor, size_t key_limit = max_json_keys);

// The same checks, as a document.
Json parse_json(std::string_view text, size_t key_limit = max_json_keys);

// Throws JsonError when a file says that it is of another format than those this program reads. Comes before
// its keys are looked at: a later format may differ in everything else.
void refuse_other_format(const Json& file, int reads);
void refuse_other_format(const Json& file, int first, int last);
// Throws JsonError, naming `where`, when this is no object or has a key that is not known.
void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& where);

// Writes JSON text front to back; numbers in their shortest form. The caller keeps the structure right.
class JsonWriter {
 public:
  explicit JsonWriter(size_t expected_size = 0) { out_.reserve(expected_size); }
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);
  void plain_key(std::string_view name);  // a key known to need no escape
  void text(std::string_view value);
  void number(double value);
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  void texts(std::span<const std::string> list);  // a list of them
  void raw(std::string_view json);                // a value that is JSON text already

  // A key and its value.
  void field(std::string_view name, std::string_view value) { key(name), text(value); }
  void field(std::string_view name, const char* value) { key(name), text(value); }
  void field(std::string_view name, double value) { key(name), number(value); }
  void field(std::string_view name, bool value) { key(name), boolean(value); }
  void field(std::string_view name, std::span<const std::string> list) { key(name), texts(list); }
  template <std::integral Integer>
  void field(std::string_view name, Integer value) {
    key(name), number(static_cast<double>(value));
  }
  // An enum by its word().
  template <class Word>
  requires std::is_enum_v<Word>
  void field(std::string_view name, Word value) { key(name), text(word(value)); }
  // Named numbers, as an object.
  template <class Number>
  void field(std::string_view name, const std::vector<std::pair<std::string, Number>>& numbers) {
    key(name);
    begin_object();
    for (const auto& [each, value] : numbers) field(each, value);
    end_object();
  }

  std::string take() { return std::move(out_); }
  const std::string& str() const { return out_; }
  bool empty() const { return out_.empty(); }

 private:
  void open(char bracket);
  void close(char bracket);
  void comma();
  std::string out_;
};

// JSON text from a stranger, its value unchanged: on one line, what could drive a terminal written as \u
// escapes.
std::string printable_json(std::string_view json);

// `text` as a JSON string with quotes. Control and bidi characters are written as \u escapes.
std::string json_quote(std::string_view text);

}  // namespace explog
