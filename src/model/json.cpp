#include "model/json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace explog {
namespace {

// Adapts nlohmann's SAX events to JsonVisitor and enforces the limits.
class StrictSax {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  StrictSax(JsonVisitor& visitor, size_t key_limit) : visitor_(visitor), key_limit_(key_limit) {}

  std::string error;

  bool null() { return visitor_.null(), true; }
  bool boolean(bool value) { return visitor_.boolean(value), true; }
  bool number_integer(number_integer_t value) {
    return whole(static_cast<double>(value), value >= -largest && value <= largest);
  }
  bool number_unsigned(number_unsigned_t value) {
    return whole(static_cast<double>(value), value <= largest);
  }
  bool number_float(number_float_t value, const string_t& digits) {
    if (!std::isfinite(value)) return refuse("number out of range: " + printable(digits));
    if (std::abs(value) >= 9007199254740992.0 && digits.find_first_of(".eE") == std::string::npos)
      return whole(value, false);
    return visitor_.number(value), true;
  }
  bool string(string_t& value) { return visitor_.text(value), true; }
  bool binary(binary_t&) { return false; }

  bool start_object(size_t) {
    if (!enter()) return false;
    keys_.resize(std::max(keys_.size(), static_cast<size_t>(depth_)));
    keys_[static_cast<size_t>(depth_ - 1)].clear();
    return visitor_.begin_object(), true;
  }
  bool end_object() {
    --depth_;
    return visitor_.end_object(), true;
  }
  bool start_array(size_t) { return enter() && (visitor_.begin_array(), true); }
  bool end_array() {
    --depth_;
    return visitor_.end_array(), true;
  }
  bool key(string_t& name) {
    if (key_limit_ != 0 && !unique(name)) return false;
    return visitor_.key(name), true;
  }
  bool parse_error(size_t, const std::string&, const nlohmann::detail::exception& e) {
    std::string message = e.what();
    size_t prefix = message.find("] ");
    return refuse(prefix == std::string::npos ? message : message.substr(prefix + 2));
  }

 private:
  bool refuse(std::string why) {
    error = std::move(why);
    return false;
  }
  static constexpr std::int64_t largest = std::int64_t{1} << 53;  // a double holds every integer up to it
  bool whole(double value, bool exact) {
    if (!exact) return refuse("integer beyond 2^53");
    return visitor_.number(value), true;
  }
  bool enter() { return ++depth_ <= max_json_depth || refuse("nested deeper than 32 levels"); }
  bool unique(const string_t& name) {
    std::vector<std::string>& seen = keys_[static_cast<size_t>(depth_ - 1)];
    if (std::find(seen.begin(), seen.end(), name) != seen.end())
      return refuse("duplicate key \"" + printable(name) + "\"");
    if (seen.size() >= key_limit_)
      return refuse("more than " + std::to_string(key_limit_) + " keys in an object");
    seen.push_back(name);
    return true;
  }

  JsonVisitor& visitor_;
  size_t key_limit_;
  int depth_ = 0;
  std::vector<std::vector<std::string>> keys_;  // of the open objects, by depth
};

class NullVisitor : public JsonVisitor {
  void begin_object() override {}
  void end_object() override {}
  void begin_array() override {}
  void end_array() override {}
  void key(std::string&) override {}
  void text(std::string&) override {}
  void number(double) override {}
  void boolean(bool) override {}
  void null() override {}
};

}  // namespace

void visit_json(std::string_view text, JsonVisitor& visitor, size_t key_limit) {
  StrictSax sax(visitor, key_limit);
  if (!Json::sax_parse(text.begin(), text.end(), &sax))
    throw JsonError(sax.error.empty() ? "not JSON" : sax.error);
}

Json parse_json(std::string_view text, size_t key_limit) {
  NullVisitor check;
  visit_json(text, check, key_limit);
  return Json::parse(text.begin(), text.end());
}

void check_keys(const Json& object, const std::vector<std::string>& known, const std::string& where) {
  if (!object.is_object()) bad(where + " must be an object");
  for (const auto& [key, value] : object.items()) {
    if (std::find(known.begin(), known.end(), key) == known.end())
      bad(where + ": unknown key '" + key + "'" + did_you_mean(key, known));
  }
}

void refuse_other_format(const Json& file, int reads) { refuse_other_format(file, reads, reads); }

void refuse_other_format(const Json& file, int first, int last) {
  auto format = file.is_object() ? file.find("format") : file.end();
  if (format == file.end() || !format->is_number_integer() || (*format >= first && *format <= last)) return;
  std::string reads =
      first == last ? std::to_string(first) : std::to_string(first) + " to " + std::to_string(last);
  throw JsonError("\"format\" is " + format->dump() + ", this program reads " + reads);
}

std::string json_quote(std::string_view text) {
  std::string out = "\"";
  for (size_t i = 0; i < text.size();) {
    char32_t code = 0;
    int length = decode_utf8(text, i, code);
    bool escape = length == 0 || code < 0x20 || code == '"' || code == '\\' ||
                  (code >= 0x7F && code <= 0x9F) ||
                  (length > 1 && printable(text.substr(i, static_cast<size_t>(length))).front() == '\\');
    if (!escape) {
      out.append(text.substr(i, static_cast<size_t>(length)));
    } else if (code == '"' || code == '\\') {
      out += '\\';
      out += static_cast<char>(code);
    } else if (length == 0) {
      out += "\\ufffd";
    } else if (code == '\n' || code == '\t') {
      out += code == '\n' ? "\\n" : "\\t";
    } else if (code < 0x10000) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned>(code));
    } else {
      unsigned high = 0xD800 + ((static_cast<unsigned>(code) - 0x10000) >> 10);
      unsigned low = 0xDC00 + (static_cast<unsigned>(code) & 0x3FF);
      out += fmt::format("\\u{:04x}\\u{:04x}", high, low);
    }
    i += length == 0 ? 1 : static_cast<size_t>(length);
  }
  return out + '"';
}

std::string printable_json(std::string_view json) {
  std::string out;
  if (std::all_of(json.begin(), json.end(), [](char c) { return c >= 0x20 && c < 0x7F; })) return out = json;
  for (size_t i = 0; i < json.size();) {
    char32_t code = 0;
    auto length = static_cast<size_t>(std::max(1, decode_utf8(json, i, code)));
    std::string_view bytes = json.substr(i, length);
    auto first = static_cast<unsigned char>(bytes[0]);
    if (first < 0x20) {
      out += ' ';  // only between values: strings hold no raw control characters
    } else if (first < 0x7F) {
      out += bytes;
    } else {
      std::string quoted = json_quote(bytes);
      out.append(quoted, 1, quoted.size() - 2);
    }
    i += length;
  }
  return out;
}

void JsonWriter::comma() {
  if (!out_.empty() && out_.back() != '{' && out_.back() != '[' && out_.back() != ':') out_ += ',';
}

void JsonWriter::open(char bracket) {
  comma();
  out_ += bracket;
}

void JsonWriter::close(char bracket) { out_ += bracket; }

void JsonWriter::key(std::string_view name) {
  text(name);
  out_ += ':';
}

void JsonWriter::plain_key(std::string_view name) {
  comma();
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

void JsonWriter::text(std::string_view value) {
  comma();
  bool plain = std::all_of(value.begin(), value.end(),
                           [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; });
  if (plain) {
    out_ += '"';
    out_ += value;
    out_ += '"';
  } else {
    out_ += json_quote(value);
  }
}

void JsonWriter::texts(std::span<const std::string> list) {
  begin_array();
  for (const std::string& value : list) text(value);
  end_array();
}

void JsonWriter::number(double value) {
  if (!std::isfinite(value)) return raw("null");
  comma();
  append_number(out_, value);
}

void JsonWriter::raw(std::string_view json) {
  comma();
  out_ += json;
}

}  // namespace explog
