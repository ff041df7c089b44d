// One copy of each text for all that say the same.
#pragma once
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>

#include "base/shared_text.h"

namespace explog::store {

class TextPool {
 public:
  const SharedText& shared(std::string_view text) {
    auto found = known_.find(text);
    if (found != known_.end()) return found->second;
    SharedText kept = text;
    return known_.emplace(kept, kept).first->second;
  }
  void clear() { known_.clear(); }

 private:
  // Eight bytes a step: states are long, and there are as many as cells.
  struct Hash {
    std::size_t operator()(std::string_view text) const {
      constexpr std::uint64_t odd = 0x9E3779B97F4A7C15;
      std::uint64_t hash = text.size(), word = 0;
      for (; text.size() >= sizeof word; text.remove_prefix(sizeof word)) {
        std::memcpy(&word, text.data(), sizeof word);
        hash = (hash ^ word) * odd, hash ^= hash >> 29;
      }
      word = 0;
      std::memcpy(&word, text.data(), text.size());
      hash = (hash ^ word) * odd;
      return hash ^ hash >> 32;
    }
  };
  std::unordered_map<std::string_view, SharedText, Hash> known_;  // the keys are views into the values
};

}  // namespace explog::store
