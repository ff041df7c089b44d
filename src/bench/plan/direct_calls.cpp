#include "bench/plan/direct_calls.h"

namespace explog::bench {

DirectCalls direct_calls_in(std::string_view text) {
  std::size_t first = text.find('\n');
  if (first == std::string_view::npos) return {};
  std::string_view rest = text.substr(first + 1);
  return {{std::string(text.substr(0, first)), std::string(rest.substr(0, rest.find('\n')))}};
}

bool replays_otherwise(const DirectCalls& direct, std::string_view replayed) {
  const auto& [one, other] = direct.hashes;
  return !one.empty() && one == other && one != replayed;
}

}  // namespace explog::bench
