// Numbers as people read them, each an argument of fmt::format: Short{0.00456}, Percent{0.123}, Rate{4.8e12, "B/s"}.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.h"

namespace explog::answers {

struct Short {  // "1.23", "0.00456", "12300"
  double value;
  int digits = 3;
};
struct Percent {  // of one: "12.3%"
  double share;
};
struct Rate {  // "4.80 TB/s"
  double per_second;
  std::string_view unit;
};

inline std::string text(const Short& n) { return short_number(n.value, n.digits); }
inline std::string text(const Percent& p) { return short_number(100 * p.share) + "%"; }
std::string text(const Rate& rate);

template <class Quantity>
struct QuantityFormatter : fmt::formatter<std::string_view> {
  auto format(const Quantity& quantity, fmt::format_context& context) const {
    return fmt::formatter<std::string_view>::format(text(quantity), context);
  }
};

}  // namespace explog::answers

template <>
struct fmt::formatter<explog::answers::Short> : explog::answers::QuantityFormatter<explog::answers::Short> {};
template <>
struct fmt::formatter<explog::answers::Percent>
    : explog::answers::QuantityFormatter<explog::answers::Percent> {};
template <>
struct fmt::formatter<explog::answers::Rate> : explog::answers::QuantityFormatter<explog::answers::Rate> {};
