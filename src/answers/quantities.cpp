#include "answers/quantities.h"

namespace explog::answers {

std::string text(const Rate& rate) {
  const char* prefixes[] = {"", "K", "M", "G", "T", "P"};
  std::size_t i = 0;
  double value = rate.per_second;
  for (; value >= 999.5 && i + 1 < std::size(prefixes); ++i) value /= 1000;
  return fmt::format("{} {}{}", Short{value}, prefixes[i], rate.unit);
}

}  // namespace explog::answers
