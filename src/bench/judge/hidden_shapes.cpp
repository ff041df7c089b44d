#include "bench/judge/hidden_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <set>

#include "harness/generate.h"

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

// The sizes of one dimension that are listed.
struct Range {
  std::int64_t least = std::numeric_limits<std::int64_t>::max(), most = 0, divisor = 0;
  std::set<std::int64_t> sizes;
  bool is_free() const { return divisor == 1 && sizes.size() >= 4 && *std::next(sizes.begin(), 2) < most; }
};

Range range_of(const std::vector<Dims>& shapes, std::size_t dimension) {
  Range r;
  for (const Dims& shape : shapes) {
    std::int64_t size = shape[dimension].second;
    r.least = std::min(r.least, size), r.most = std::max(r.most, size);
    r.sizes.insert(size);
    if (size > 1) r.divisor = std::gcd(r.divisor, size);  // 1 is an edge that kernels have a branch for
  }
  return r;
}

std::vector<Range> ranges_of(const std::vector<Dims>& shapes) {
  std::vector<Range> ranges;
  for (std::size_t i = 0; i < shapes[0].size(); ++i) ranges.push_back(range_of(shapes, i));
  return ranges;
}

double largest_volume(const std::vector<Dims>& shapes) {
  double most = 0;
  for (const Dims& shape : shapes) most = std::max(most, volume(shape));
  return most;
}

// A size of the remainder that is as near to `multiples` times `divisor` as the range allows; 0 where none is.
std::int64_t with_remainder(const Range& r, std::int64_t remainder, std::int64_t divisor,
                            std::int64_t multiples) {
  std::int64_t least = std::max<std::int64_t>(r.least, 2), size = multiples * divisor + remainder;
  if (size > r.most) size -= (size - r.most + divisor - 1) / divisor * divisor;
  return size >= least ? size : 0;
}

// As likely small as large, but not 1, which is listed where it counts.
std::int64_t draw(const Range& r, std::uint64_t random) {
  std::int64_t least = std::max<std::int64_t>(r.least, 2);
  double part = static_cast<double>(random >> 11) * 0x1p-53;
  double ratio = static_cast<double>(r.most) / static_cast<double>(least);
  auto size = static_cast<std::int64_t>(std::llround(static_cast<double>(least) * std::pow(ratio, part)));
  return std::clamp(size, least, r.most);
}

// Of three shapes one is odd, one small in all that is free: whoever serves multiples of something, or what is large enough
// for its tiles, serves neither.
std::int64_t draw_kind(Range r, std::uint64_t random, std::size_t number) {
  constexpr std::int64_t small = 24;
  if (number % 3 == 1) r.most = std::min(r.most, std::max(small, r.least));
  std::int64_t size = draw(r, random);
  if (number % 3 == 0 && size % 2 == 0) size += size < r.most ? 1 : -1;
  return size;
}

}  // namespace

std::vector<Dims> draw_shapes(const std::vector<Dims>& hidden, std::uint64_t seed, std::size_t count) {
  std::vector<Dims> drawn;
  if (hidden.empty()) return drawn;
  std::vector<Range> ranges = ranges_of(hidden);
  double most = largest_volume(hidden);
  constexpr std::uint64_t tries = 64;
  for (std::uint64_t turn = 0; turn < tries && drawn.size() < count; ++turn) {
    std::uint64_t random = mix(seed, turn);
    Dims shape = hidden[random % hidden.size()];
    for (std::size_t i = 0; i < ranges.size(); ++i) {
      if (ranges[i].is_free()) shape[i].second = draw_kind(ranges[i], mix(random, i), drawn.size());
    }
    bool listed = std::find(hidden.begin(), hidden.end(), shape) != hidden.end() ||
                  std::find(drawn.begin(), drawn.end(), shape) != drawn.end();
    if (!listed && volume(shape) <= most) drawn.push_back(std::move(shape));
  }
  return drawn;
}

std::vector<Dims> draw_remainders(const std::vector<Dims>& hidden, std::uint64_t seed) {
  constexpr std::int64_t divisor = 16, most_multiples = 8;
  std::vector<Dims> drawn;
  if (hidden.empty()) return drawn;
  std::vector<Range> ranges = ranges_of(hidden);
  if (std::none_of(ranges.begin(), ranges.end(), [](const Range& r) { return r.is_free(); })) return drawn;
  for (std::int64_t turn = 0; turn < divisor; ++turn) {
    std::uint64_t random = mix(seed, static_cast<std::uint64_t>(turn));
    for (std::int64_t most : {most_multiples, std::int64_t{1}}) {  // small ones where these are too many
      Dims shape = hidden[random % hidden.size()];
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        if (!ranges[i].is_free()) continue;
        // An odd factor for each dimension: all remainders in an order of its own.
        auto factor = static_cast<std::int64_t>(mix(seed, 64 + i) % 8 * 2 + 1),
             first = static_cast<std::int64_t>(mix(seed, 96 + i) % divisor);
        auto multiples = 1 + static_cast<std::int64_t>(mix(random, i) % static_cast<std::uint64_t>(most));
        shape[i].second = with_remainder(ranges[i], (first + factor * turn) % divisor, divisor, multiples);
      }
      if (volume(shape) > largest_volume(hidden)) continue;
      if (volume(shape) > 0) drawn.push_back(std::move(shape));
      break;
    }
  }
  return drawn;
}

std::vector<Dims> draft_hidden(const Dims& timed, const std::vector<std::string>& fixed) {
  return Hidden(timed, fixed).shapes();
}

}  // namespace explog::bench
