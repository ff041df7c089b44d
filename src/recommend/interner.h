// Numbers for distinct things, in the order they are met.
#pragma once
#include <cstddef>
#include <map>

namespace explog::recommend {

template <class Key>
class Interner {
 public:
  // Cells come sorted: what is asked for again at once is not looked up.
  std::size_t operator()(const Key& key) {
    if (last_ == numbers_.end() || !(last_->first == key)) last_ = numbers_.try_emplace(key, size()).first;
    return last_->second;
  }
  std::size_t size() const { return numbers_.size(); }
  const std::map<Key, std::size_t>& sorted() const { return numbers_; }

 private:
  std::map<Key, std::size_t> numbers_;
  typename std::map<Key, std::size_t>::const_iterator last_ = numbers_.end();
};

}  // namespace explog::recommend
