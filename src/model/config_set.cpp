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

std::string word_in(const Json& object, const char* key) {
  if (!object.contains(key)) return "";
  const Json& value = object[key];
  std::string text = value.is_string() ? value.get<std::string>() : "";
  if (!value.is_string() || !is_file_word(replace_all(text, " ", "_")))
    bad(std::string("\"") + key + "\" must be a short word");
  return text;
}

std::int64_t whole_number(const Json& value, const std::string& what) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 1)
    bad(what + " must be a whole number from 1");
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
  Json shape = Json::object(), labels = Json::object(), rows = Json::array();
  for (const auto& [name, value] : s.shape) shape[name] = value;
  for (const auto& [name, value] : s.labels) labels[name] = value;
  for (const ConfigRow& row : s.rows) {
    Json& one = rows.emplace_back(Json::object());
    if (row.size) one["size"] = *row.size;
    one["params"] = parse_json(row.params);
  }
  return Json{{"format", config_set_format},
              {"runtime", s.runtime},
              {"kernel", s.kernel},
              {"shape", shape},
              {"gpu", s.gpu},
              {"toolkit", s.toolkit},
              {"labels", labels},
              {"rows", rows}}
      .dump();
}

ConfigSet parse_config_set(std::string_view json) {
  Json object = parse_json(json);
  refuse_other_format(object, config_set_format);
  ConfigSet s;
  s.runtime = word_in(object, "runtime");
  if (std::find(runtimes.begin(), runtimes.end(), s.runtime) == runtimes.end())
    bad("\"runtime\" must be one of " + join(runtimes, ", "));
  s.kernel = word_in(object, "kernel");
  s.gpu = word_in(object, "gpu");
  s.toolkit = word_in(object, "toolkit");
  for (const auto& [name, value] : object_in(object, "shape").items()) {
    if (!is_file_word(name)) bad("\"shape\" must have short names");
    s.shape.emplace_back(name, whole_number(value, "\"" + name + "\""));
  }
  const Json& labels = object_in(object, "labels");
  for (const auto& [name, value] : labels.items()) {
    if (!is_file_word(name)) bad("\"labels\" must have short names");
    s.labels.emplace_back(name, word_in(labels, name.c_str()));
  }
  if (!object.contains("rows") || !object["rows"].is_array() || object["rows"].size() > most_rows)
    bad("\"rows\" must be a list of at most 4,096");
  for (const Json& row : object["rows"]) s.rows.push_back(row_in(row));
  return s;
}

}  // namespace explog
