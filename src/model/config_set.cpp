#include "model/config_set.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/json.h"

namespace explog {
namespace {

constexpr std::size_t most_rows = 4096, longest_word = 200;
const std::vector<std::string> runtimes = {"vllm", "sglang", "triton", "helion", "cutile"};

// Words become names of files: nothing that leaves a folder, hides a file or divides a name otherwise.
bool is_file_word(std::string_view text) {
  return text.size() <= longest_word && std::all_of(text.begin(), text.end(), [](char c) {
           return c > ' ' && c < 0x7f && c != '/' && c != '\\' && c != '=';
         });
}

void check_word(const std::string& text, const std::string& key) {
  if (!is_file_word(replace_all(text, " ", "_"))) bad("\"" + key + "\" must be a short word");
}

void check_whole_number(std::int64_t value, const std::string& what) {
  if (value < 1) bad(what + " must be a whole number from 1");
}

std::string word_in(const Json& object, const char* key) {
  if (!object.contains(key)) return "";
  if (!object[key].is_string()) bad(std::string("\"") + key + "\" must be a short word");
  return object[key].get<std::string>();
}

std::int64_t whole_number(const Json& value, const std::string& what) {
  if (!value.is_number_integer()) bad(what + " must be a whole number from 1");
  return value.get<std::int64_t>();
}

const Json& object_in(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_object())
    bad(std::string("\"") + key + "\" must be an object");
  return object[key];
}

ConfigRow row_in(const Json& row) {
  if (!row.is_object() || !row.contains("params")) bad("a row must have \"params\"");
  ConfigRow r;
  if (row.contains("size")) r.size = whole_number(row["size"], "\"size\"");
  const Json& params = row["params"];
  if (!params.is_object() && !params.is_null()) bad("\"params\" must be an object or null");
  r.params = params.dump();
  return r;
}

}  // namespace

std::string to_json(const ConfigSet& s) {
  constexpr std::size_t usual_row = 120;
  JsonWriter json(200 + usual_row * s.rows.size());
  json.begin_object();
  json.field("format", config_set_format);
  json.field("runtime", s.runtime);
  json.field("kernel", s.kernel);
  json.key("shape"), json.begin_object();
  for (const auto& [name, value] : s.shape) json.field(name, value);
  json.end_object();
  json.field("gpu", s.gpu);
  json.field("toolkit", s.toolkit);
  json.key("labels"), json.begin_object();
  for (const auto& [name, value] : s.labels) json.field(name, value);
  json.end_object();
  json.key("rows"), json.begin_array();
  for (const ConfigRow& row : s.rows) {
    json.begin_object();
    if (row.size) json.field("size", *row.size);
    json.key("params"), json.raw(row.params);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

template <class Pairs>
static void check_names(const Pairs& pairs, const std::string& key) {
  std::vector<std::string_view> seen;
  for (const auto& [name, value] : pairs) {
    if (!is_file_word(name)) bad("\"" + key + "\" must have short names");
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      bad("\"" + key + "\" has '" + name + "' twice");
    seen.push_back(name);
  }
}

void check_config_set(const ConfigSet& s) {
  if (std::find(runtimes.begin(), runtimes.end(), s.runtime) == runtimes.end())
    bad("\"runtime\" must be one of " + join(runtimes, ", "));
  check_word(s.kernel, "kernel");
  check_word(s.gpu, "gpu");
  check_word(s.toolkit, "toolkit");
  check_names(s.shape, "shape");
  check_names(s.labels, "labels");
  for (const auto& [name, value] : s.shape) check_whole_number(value, "\"" + name + "\"");
  for (const auto& [name, value] : s.labels) check_word(value, name);
  if (s.rows.size() > most_rows) bad("\"rows\" must be a list of at most 4,096");
  for (const ConfigRow& row : s.rows) {
    if (row.size) check_whole_number(*row.size, "\"size\"");
  }
}

ConfigSet parse_config_set(std::string_view json) {
  Json object = parse_json(json);
  refuse_other_format(object, config_set_format);
  ConfigSet s;
  s.runtime = word_in(object, "runtime");
  s.kernel = word_in(object, "kernel");
  s.gpu = word_in(object, "gpu");
  s.toolkit = word_in(object, "toolkit");
  for (const auto& [name, value] : object_in(object, "shape").items())
    s.shape.emplace_back(name, whole_number(value, "\"" + name + "\""));
  const Json& labels = object_in(object, "labels");
  for (const auto& [name, value] : labels.items()) s.labels.emplace_back(name, word_in(labels, name.c_str()));
  if (!object.contains("rows") || !object["rows"].is_array() || object["rows"].size() > most_rows)
    bad("\"rows\" must be a list of at most 4,096");
  for (const Json& row : object["rows"]) s.rows.push_back(row_in(row));
  check_config_set(s);
  return s;
}

}  // namespace explog
