// Phrases of public logs and guides that stand for a strategy in each backend.
#pragma once
#include <array>
#include <span>
#include <string_view>

namespace explog {

struct StrategyPhrase {
  std::string_view text;
  std::array<std::string_view, 4> ids;  // the first that serves the backend is taken
};

std::span<const StrategyPhrase> strategy_phrases();

}  // namespace explog
