// The words that answers use.
#pragma once
#include <span>
#include <string_view>

namespace explog::cli {

struct Word {
  std::string_view word, meaning;
};
std::span<const Word> glossary();

}  // namespace explog::cli
