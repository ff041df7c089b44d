#include "bench/judge/hidden_shapes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

namespace explog::bench {
namespace {

constexpr double hidden_volume = 0x1p20;  // items stay below: checking many must not take long

// The largest size below `value` that is 1 or a prime.
std::int64_t smaller(std::int64_t value) {
  constexpr std::array<std::int64_t, 13> sizes = {1,   3,    7,    17,    31,    61,    127,
                                                  257, 1009, 4099, 16381, 65537, 524287};
  return *std::prev(std::lower_bound(sizes.begin(), sizes.end(), std::max<std::int64_t>(value, 2)));
}

// Builds the hidden shapes of one task.
class Hidden {
 public:
  Hidden(const Dims& timed, const std::vector<std::string>& fixed) : timed_(timed), fixed_(fixed) {}

  std::vector<Dims> shapes() {
    add(ones(), nowhere);
    for (size_t i = 0; i < timed_.size(); ++i) {
      add(with(primes(0), i, timed_[i].second - 1), i);
      add(with(primes(1), i, timed_[i].second + 1), i);
      add(with(primes(i), i, 1), nowhere);
    }
    for (size_t first : {0, 1}) add(primes(first), nowhere);
    return found_;
  }

 private:
  static constexpr size_t nowhere = std::numeric_limits<size_t>::max();

  bool is_fixed(const std::string& dim) const {
    return std::find(fixed_.begin(), fixed_.end(), dim) != fixed_.end();
  }
  Dims with(Dims shape, size_t at, std::int64_t value) const {
    if (!is_fixed(shape[at].first)) shape[at].second = std::max<std::int64_t>(value, 1);
    return shape;
  }
  Dims ones() const {
    Dims shape = timed_;
    for (size_t i = 0; i < shape.size(); ++i) shape = with(shape, i, 1);
    return shape;
  }
  // 127 and 257 in turn, but nothing above what is timed: a kernel may have a limit just there.
  Dims primes(size_t first) const {
    Dims shape = timed_;
    for (size_t i = 0; i < shape.size(); ++i) {
      std::int64_t prime = (i + first) % 2 == 0 ? 127 : 257;
      shape = with(shape, i, prime < timed_[i].second ? prime : smaller(timed_[i].second));
    }
    return shape;
  }

  // Makes the largest dimension smaller until the shape is small enough, `keep` last.
  bool shrink(Dims& shape, size_t keep) const {
    while (volume(shape) >= hidden_volume) {
      size_t largest = nowhere;
      for (size_t i = 0; i < shape.size(); ++i) {
        if (i == keep || shape[i].second == 1 || is_fixed(shape[i].first)) continue;
        if (largest == nowhere || shape[i].second > shape[largest].second) largest = i;
      }
      if (largest == nowhere && keep == nowhere) return false;
      if (largest == nowhere)
        keep = nowhere;
      else
        shape[largest].second = smaller(shape[largest].second);
    }
    return true;
  }

  void add(Dims shape, size_t keep) {
    bool fits = shrink(shape, keep);
    if (fits && shape != timed_ && std::find(found_.begin(), found_.end(), shape) == found_.end())
      found_.push_back(std::move(shape));
  }

  const Dims& timed_;
  const std::vector<std::string>& fixed_;
  std::vector<Dims> found_;
};

}  // namespace

std::vector<Dims> draft_hidden(const Dims& timed, const std::vector<std::string>& fixed) {
  return Hidden(timed, fixed).shapes();
}

}  // namespace explog::bench
