#include "intake/ncu_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "base/text.h"

namespace explog::intake {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number in front of instances: "12 (3; 4)" -> "12".
std::string_view without_instances(std::string_view text) {
  text = trim(text);
  std::size_t space = text.find(" (");
  return space == std::string_view::npos ? text : text.substr(0, space);
}

// Digits, separators, a sign and an exponent only.
bool looks_numeric(std::string_view text) {
  bool digit = false;
  for (char c : text) {
    digit |= is_digit(c);
    bool other = c == '.' || c == ',' || c == '+' || c == '-' || c == 'e' || c == 'E';
    if (!is_digit(c) && !other) return false;
  }
  return digit;
}

// Whether `separator` parts the digits of text[..end) into groups of three behind one to three digits.
bool grouped(std::string_view text, char separator) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  std::size_t first = text.find(separator);
  if (first == 0 || first > 3 || first == std::string_view::npos) return false;
  if (text[0] == '0') return false;  // "0,123" is no group
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool separates = i >= first && (i - first) % 4 == 0;
    if (separates ? text[i] != separator : !is_digit(text[i])) return false;
  }
  return (text.size() - first) % 4 == 0;
}

struct Scale {
  std::string_view name, base;
  int exponent;  // of ten
};

// Old and new spellings. Kbyte is a thousand bytes, not 1024.
constexpr auto scales = std::to_array<Scale>({
    {"ns", "ns", 0},       {"nsecond", "ns", 0},  {"us", "ns", 3},      {"usecond", "ns", 3},
    {"ms", "ns", 6},       {"msecond", "ns", 6},  {"s", "ns", 9},       {"second", "ns", 9},
    {"byte", "byte", 0},   {"Kbyte", "byte", 3},  {"Mbyte", "byte", 6}, {"Gbyte", "byte", 9},
    {"Tbyte", "byte", 12}, {"Pbyte", "byte", 15}, {"hz", "hz", 0},      {"Khz", "hz", 3},
    {"Mhz", "hz", 6},      {"Ghz", "hz", 9},      {"Thz", "hz", 12},
});

const Scale* find_scale(std::string_view name) {
  auto it = std::find_if(scales.begin(), scales.end(), [&](const Scale& s) { return s.name == name; });
  return it != scales.end() ? &*it : nullptr;
}

// "Gbyte/second" -> {"byte/s", 9}; "cycle/nsecond" -> {"hz", 9}; "%/Kbyte" -> {"%/byte", 3}: Nsight
// Compute scales the value like any other (1591 %/byte is printed as 1.591 %/Kbyte).
std::pair<std::string, int> base_unit(std::string_view unit) {
  std::size_t slash = unit.find('/');
  std::string_view over = unit.substr(0, slash);
  const Scale* scale = find_scale(over);
  std::string name(scale ? scale->base : over);
  int exponent = scale ? scale->exponent : 0;
  if (slash == std::string_view::npos) return {name, exponent};
  std::string_view under = unit.substr(slash + 1);
  const Scale* below = find_scale(under);
  if (below && below->base == "ns") {  // rates are per second
    exponent += 9 - below->exponent;
    return {name == "cycle" ? "hz" : name + "/s", exponent};
  }
  return {name + "/" + std::string(below ? below->base : under), exponent + (below ? below->exponent : 0)};
}

}  // namespace

void DecimalEvidence::look_at(std::string_view given) {
  std::string_view text = without_instances(given);
  std::size_t comma = text.find(','), point = text.find('.');
  bool has_comma = comma != std::string_view::npos, has_point = point != std::string_view::npos;
  if ((!has_comma && !has_point) || !looks_numeric(text)) return;
  if (has_comma && has_point) return note(comma < point ? point_ : comma_, text);
  bool several = has_comma ? comma != text.rfind(',') : point != text.rfind('.');
  bool group = grouped(text, has_comma ? ',' : '.');
  if (several && !group) return;  // a version
  if (several) return note(has_comma ? point_ : comma_, text);
  if (group) return note(has_comma ? grouped_ : unclear_, text);
  note(has_comma ? comma_ : point_, text);
}

std::optional<Decimal> DecimalEvidence::decide() const {
  if (!point_.empty() && !comma_.empty()) return std::nullopt;
  if (!comma_.empty()) return Decimal::comma;
  if (!point_.empty() || !grouped_.empty()) return Decimal::point;
  return unclear_.empty() ? std::optional(Decimal::point) : std::nullopt;
}

std::string DecimalEvidence::why() const {
  if (!point_.empty() && !comma_.empty())
    return "some numbers have a decimal point (" + point_ + "), others a decimal comma (" + comma_ + ")";
  return "its decimal sign cannot be told: " + unclear_ + " may be " + replace_all(unclear_, ".", "") +
         " or a fraction";
}

bool is_missing(std::string_view text) {
  std::string word = lower(trim(text));
  if (word.starts_with('-') || word.starts_with('+')) word.erase(0, 1);
  constexpr auto words =
      std::to_array<std::string_view>({"", "n/a", "(!) n/a", "no data", "nan", "inf", "nan(ind)"});
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<NcuNumber> read_number(std::string_view text, std::string_view unit, Decimal decimal) {
  text = without_instances(text);
  if (!looks_numeric(text)) return std::nullopt;
  char group = decimal == Decimal::point ? ',' : '.', sign = decimal == Decimal::point ? '.' : ',';
  std::size_t fraction = text.find(sign);
  std::string_view whole = text.substr(0, fraction);
  if (whole.find(group) != std::string_view::npos && !grouped(whole, group)) return std::nullopt;
  std::string digits = replace_all(std::string(whole), std::string(1, group), "");
  if (fraction != std::string_view::npos) digits += "." + std::string(text.substr(fraction + 1));
  auto [name, exponent] = base_unit(trim(unit));
  // The exponent is joined to the text, so that the result is the double nearest to what the file says.
  if (exponent == 0) {  // most numbers
    if (auto plain = parse_number(digits)) return NcuNumber{*plain, std::move(name)};
    return std::nullopt;
  }
  bool scientific = digits.find_first_of("eE") != std::string::npos;
  std::optional<double> value;
  if (exponent == 0 || scientific) {
    value = parse_number(digits);
    for (int i = 0; value && i < std::abs(exponent); ++i) *value = exponent > 0 ? *value * 10 : *value / 10;
  } else {
    value = parse_number(digits + "e" + std::to_string(exponent));
  }
  if (!value || !std::isfinite(*value)) return std::nullopt;
  return NcuNumber{*value, std::move(name)};
}

}  // namespace explog::intake
