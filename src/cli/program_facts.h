// What the manual and the page for agents both say of the program.
#pragma once
#include <span>
#include <string_view>

namespace explog::cli {

struct Fact {
  std::string_view name, meaning;
};
std::span<const Fact> exit_codes();
std::span<const Fact> files();
std::span<const Fact> variables();

}  // namespace explog::cli
