// One copy of each text for all that say the same.
#pragma once
#include <string_view>
#include <unordered_map>

#include "base/shared_text.h"
#include "base/text_hash.h"

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
  std::unordered_map<std::string_view, SharedText, TextHash> known_;  // the keys are views into the values
};

}  // namespace explog::store
