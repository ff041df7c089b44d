#include "intake/common.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr std::ptrdiff_t most_values = 16'000'000;  // some 1 GB as a document
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Words of a name, also of "flashAttention" and "conv2d-tiled".
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> list(1);
  for (size_t i = 0; i < name.size(); ++i) {
    bool hump = i > 0 && std::isupper(static_cast<unsigned char>(name[i])) != 0 &&
                std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if ((hump || !is_word(name[i])) && !list.back().empty()) list.emplace_back();
    if (is_word(name[i])) list.back() += name[i];
  }
  return list;
}

std::string without_digits(std::string word) {
  while (!word.empty() && std::isdigit(static_cast<unsigned char>(word.back())) != 0) word.pop_back();
  return word;
}

// The known type `word` stands for, or "". "other" says nothing when it is only part of a name.
std::string known_type(const std::string& word) {
  for (const std::string& candidate : {word, without_digits(word)}) {
    std::string type = canonical_kernel_type(candidate);
    if (is_known_kernel_type(type) && type != "other") return type;
  }
  return "";
}

// Commas and semicolons outside brackets separate the settings of a change.
std::vector<std::string_view> split_settings(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    bool end = i == text.size() || ((text[i] == ',' || text[i] == ';') && depth <= 0);
    if (end) {
      parts.push_back(trim(text.substr(from, i - from)));
      from = i + 1;
    } else if (text[i] == '(' || text[i] == '[') {
      ++depth;
    } else if (text[i] == ')' || text[i] == ']') {
      --depth;
    }
  }
  return parts;
}

void read_settings(std::string_view text, Params& params, std::vector<std::string>& remarks) {
  for (std::string_view setting : split_settings(text)) {
    if (setting.empty()) continue;
    size_t at = setting.find('=');
    bool named = at != std::string_view::npos;
    Scalar value = named ? scalar_of(trim(setting.substr(at + 1))) : Scalar(true);
    if (!add_named(params, trim(setting.substr(0, at)), std::move(value))) {
      remarks.push_back("setting '" + ellipsis(printable(setting), 40) +
                        "' left out: no name, a name twice, or too many");
    }
  }
}

void write_json(JsonWriter& out, const Json& value) {
  switch (value.type()) {
    case Json::value_t::object:
      out.begin_object();
      for (const auto& [name, member] : value.items()) {
        out.key(name);
        write_json(out, member);
      }
      return out.end_object();
    case Json::value_t::array:
      out.begin_array();
      for (const Json& element : value) write_json(out, element);
      return out.end_array();
    case Json::value_t::string:
      return out.text(value.get_ref<const std::string&>());
    case Json::value_t::boolean:
      return out.boolean(value.get<bool>());
    case Json::value_t::null:
      return out.null();
    default:
      return out.number(value.get<double>());
  }
}

}  // namespace

std::string shown_path(const std::string& path) { return path == "-" ? "stdin" : path; }

std::string file_name(const std::string& path) {
  std::string name = shown_path(path);
  name.erase(0, name.rfind('/') + 1);
  if (name.size() > 3 && name.ends_with(".gz")) name.resize(name.size() - 3);
  return name;
}

std::string fault_of_line(const JsonError& e) {
  constexpr std::string_view counted = "parse error at line 1, column ";
  std::string text = e.what();
  return text.starts_with(counted) ? "not valid JSON at column " + text.substr(counted.size()) : text;
}

void refuse_file(const std::string& path, const std::string& why, const std::string& hint) {
  throw Error(Exit::usage, printable(shown_path(path)) + ": " + why, hint);
}

std::string read_text(const std::string& path, std::istream* in) {
  std::string text = read_file(path, in);
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

Json read_json(const std::string& path, std::istream* in, size_t key_limit) {
  return json_in(read_text(path, in), path, key_limit);
}

Json json_in(const std::string& text, const std::string& path, size_t key_limit) {
  if (trim(text).empty()) refuse_file(path, "it is empty");
  auto values =
      std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '[' || c == '{'; });
  if (values > most_values) refuse_file(path, "more than 16 million values", "split the file");
  try {
    return parse_json(text, key_limit);
  } catch (const JsonError& e) {
    refuse_file(path, std::string("not valid JSON: ") + printable(e.what()),
                "mend the file, or write it anew");
  }
}

Source list_source(std::vector<Parsed> list) {
  auto records = std::make_shared<std::vector<Parsed>>(std::move(list));
  auto at = std::make_shared<size_t>(0);
  return [records, at]() -> std::optional<Parsed> {
    if (*at == records->size()) return std::nullopt;
    return std::move((*records)[(*at)++]);
  };
}

std::string kernel_type_of(std::string_view kernel_name) {
  std::string whole = canonical_kernel_type(kernel_name);
  if (is_known_kernel_type(whole)) return whole;
  std::vector<std::string> words = words_of(kernel_name.substr(0, 200));
  for (size_t length = std::min<size_t>(words.size(), 4); length > 0;
       --length) {  // "layer_norm" before "norm"
    for (size_t first = 0; first + length <= words.size(); ++first) {
      std::string type = known_type(join(std::span(words).subspan(first, length), "_"));
      if (!type.empty()) return type;
    }
  }
  return whole;
}

std::string usual_backend_on(const std::string& gpu) {
  bool nvidia =
      canonical_arch(gpu).value_or("").starts_with("sm_") || lower(gpu).find("nvidia") != std::string::npos;
  return std::string(nvidia ? word(RecordBackend::cuda) : "");
}

std::optional<double> number_of(const Json& value) {
  if (value.is_number()) return value.get<double>();
  return value.is_string() ? parse_number(trim(value.get_ref<const std::string&>())) : std::nullopt;
}

const Json& member(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  auto it = object.find(name);
  return it != object.end() ? *it : none;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

std::string json_text(const Json& value) {
  JsonWriter out;
  write_json(out, value);
  return out.take();
}

Scalar scalar_of(std::string_view text) {
  if (text == "true" || text == "false") return text == "true";
  if (auto number = parse_number(text)) return *number;
  return std::string(text);
}

void read_change(std::string_view text, Experience& e, std::vector<std::string>& remarks) {
  std::string name;
  int changes = 0;
  while (!text.empty()) {
    size_t open = text.find('{');
    std::string_view head = text.substr(0, open);
    if (!trim(head).empty()) ++changes;
    name += head;
    if (open == std::string_view::npos) break;
    size_t close = text.find('}', open);
    read_settings(text.substr(open + 1, close == std::string_view::npos ? close : close - open - 1), e.params,
                  remarks);
    text.remove_prefix(close == std::string_view::npos ? text.size() : close + 1);
  }
  e.strategy = std::string(trim(name));
  if (changes > 1)
    remarks.push_back("'" + ellipsis(printable(e.strategy), 60) + "' names more than one change");
}

}  // namespace explog::intake
