// Small pure functions on text.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

std::string_view trim(std::string_view s);
std::string lower(std::string_view s);  // ASCII only
std::string upper(std::string_view s);  // ASCII only
std::vector<std::string_view> split(std::string_view s, char separator);
bool has_part(std::string_view list, char separator, std::string_view part);  // whether split() gives it
std::string join(std::span<const std::string> parts, std::string_view separator);
std::string replace_all(std::string s, std::string_view from, std::string_view to);

// The whole of `s` as a finite number, or nothing.
std::optional<double> parse_number(std::string_view s);
// Shortest text that reads back as the same double; also valid JSON. Integers print without a point.
std::string number_text(double value);
void append_number(std::string& out, double value);  // the same
// `value` with `digits` significant digits, for people: 1.23, 0.00456, 12300.
std::string short_number(double value, int digits = 3);

// Least number of insertions, deletions, substitutions and swaps of neighbours between `a` and `b`.
int edit_distance(std::string_view a, std::string_view b);
// The shortest candidate that begins with `word`, else the one near enough for `word` to be a misspelling of it, else the
// shortest that contains it.
std::optional<std::string> nearest(std::string_view word, std::span<const std::string> candidates);
// " (did you mean 'x'?)" or "".
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

// Length of the valid UTF-8 sequence at `s[i]`, 0 when it is not valid. `code` receives the code point.
int decode_utf8(std::string_view s, size_t i, char32_t& code);
bool valid_utf8(std::string_view s);

// Text from records, made harmless for terminals (CWE-150): control characters other than newline and tab
// become
// `\xNN`, bidi controls, zero-width and tag characters `\u{..}`, invalid bytes `\xNN`. With `one_line`,
// newline and tab become `\n` and `\t`.
std::string printable(std::string_view s, bool one_line = true);

// Columns a terminal uses for `s` (counts code points; records hold next to no wide characters).
size_t display_width(std::string_view s);
// `s` cut to `width` columns with an ellipsis.
std::string ellipsis(std::string_view s, size_t width);

}  // namespace explog
