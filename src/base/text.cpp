#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace explog {

std::string_view trim(std::string_view s) {
  const char* blank = " \t\r\n\v\f";
  size_t first = s.find_first_not_of(blank);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(blank) - first + 1);
}

std::string lower(std::string_view s) {
  std::string out(s);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string upper(std::string_view s) {
  std::string out(s);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::vector<std::string_view> split(std::string_view s, char separator) {
  std::vector<std::string_view> parts;
  size_t start = 0;
  for (size_t at = s.find(separator); at != std::string_view::npos; at = s.find(separator, start)) {
    parts.push_back(s.substr(start, at - start));
    start = at + 1;
  }
  parts.push_back(s.substr(start));
  return parts;
}

bool has_part(std::string_view list, char separator, std::string_view part) {
  std::vector<std::string_view> parts = split(list, separator);
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out += separator;
    out += part;
  }
  return out;
}

std::string replace_all(std::string s, std::string_view from, std::string_view to) {
  for (size_t at = s.find(from); at != std::string::npos; at = s.find(from, at + to.size())) {
    s.replace(at, from.size(), to);
  }
  return s;
}

std::optional<double> parse_number(std::string_view s) {
  if (!s.empty() && s[0] == '+') s.remove_prefix(1);
  double value = 0;
  auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc() || end != s.data() + s.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

void append_number(std::string& out, double value) {
  char buffer[40];
  char* end = buffer;
  if (std::abs(value) < 1e15 && value == std::trunc(value)) {
    end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(value)).ptr;
  } else {
    end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  }
  out.append(buffer, end);
}

std::string number_text(double value) {
  std::string text;
  append_number(text, value);
  return text;
}

std::string short_number(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return fmt::format("{}", value);
  int exponent = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (exponent >= 15 || exponent < -5) return fmt::format("{:.{}g}", value, digits);
  return fmt::format("{:.{}f}", value, std::max(0, digits - 1 - exponent));
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i);
  for (size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates) {
  if (word.empty() || word.size() > 200) return std::nullopt;
  std::optional<std::string> found;
  // A name typed in part: the shortest that begins with it, else, behind misspellings, the shortest that contains it.
  auto shorter = [&](const std::string& candidate) { return !found || candidate.size() < found->size(); };
  for (const std::string& candidate : candidates) {
    if (word.size() >= 3 && lower(candidate).starts_with(lower(word)) && shorter(candidate))
      found = candidate;
  }
  if (found) return found;
  int best = static_cast<int>(std::max<size_t>(1, word.size() / 3)) + 1;
  for (const std::string& candidate : candidates) {
    int distance = edit_distance(lower(word), lower(candidate));
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  if (found) return found;
  for (const std::string& candidate : candidates) {
    bool contains = word.size() >= 3 && lower(candidate).find(lower(word)) != std::string::npos;
    if (contains && shorter(candidate)) found = candidate;
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  auto found = nearest(word, candidates);
  return found ? " (did you mean '" + *found + "'?)" : "";
}

int decode_utf8(std::string_view s, size_t i, char32_t& code) {
  auto byte = [&](size_t k) -> unsigned { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
  unsigned first = byte(i);
  if (first < 0x80) {
    code = first;
    return 1;
  }
  int length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4) return 0;
  code = first & (0xFFu >> (length + 1));
  for (int k = 1; k < length; ++k) {
    unsigned next = byte(i + static_cast<size_t>(k));
    if ((next & 0xC0) != 0x80) return 0;
    code = (code << 6) | (next & 0x3F);
  }
  bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return overlong || surrogate || code > 0x10FFFF ? 0 : length;
}

bool valid_utf8(std::string_view s) {
  char32_t code = 0;
  for (size_t i = 0; i < s.size();) {
    int length = decode_utf8(s, i, code);
    if (length == 0) return false;
    i += static_cast<size_t>(length);
  }
  return true;
}

namespace {

bool invisible(char32_t c) {
  bool bidi = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x061C;
  bool zero_width = (c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF || c == 0x00AD;
  bool separator = c == 0x2028 || c == 0x2029;
  bool tag = c >= 0xE0000 && c <= 0xE007F;
  return bidi || zero_width || separator || tag;
}

void append_printable(std::string& out, std::string_view bytes, char32_t code, bool one_line) {
  if (code == '\n' || code == '\t') {
    if (one_line) out += code == '\n' ? "\\n" : "\\t";
    if (!one_line) out += bytes;
  } else if (code < 0x20 || (code >= 0x7F && code <= 0x9F)) {
    out += fmt::format("\\x{:02x}", static_cast<unsigned>(code));
  } else if (invisible(code)) {
    out += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(code));
  } else {
    out += bytes;
  }
}

}  // namespace

std::string printable(std::string_view s, bool one_line) {
  std::string out;
  out.reserve(s.size());
  for (size_t i = 0; i < s.size();) {
    char32_t code = 0;
    int length = decode_utf8(s, i, code);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(s[i]));
      length = 1;
    } else {
      append_printable(out, s.substr(i, static_cast<size_t>(length)), code, one_line);
    }
    i += static_cast<size_t>(length);
  }
  return out;
}

size_t display_width(std::string_view s) {
  return static_cast<size_t>(std::count_if(s.begin(), s.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string ellipsis(std::string_view s, size_t width) {
  if (display_width(s) <= width) return std::string(s);
  size_t end = 0;
  for (size_t columns = 0; end < s.size(); ++end) {
    if ((s[end] & 0xC0) != 0x80 && columns++ == width - 1) break;
  }
  return std::string(s.substr(0, end)) + "…";
}

}  // namespace explog
