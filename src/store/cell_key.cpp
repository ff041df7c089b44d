#include "store/cell_key.h"

#include "base/text_hash.h"

namespace explog::store {
namespace {

std::size_t hash_of(const SharedText& text) { return TextHash()(text); }
std::size_t hash_of(Grain grain) { return static_cast<std::size_t>(grain); }
std::size_t hash_of(std::int64_t number) { return static_cast<std::size_t>(number); }
std::size_t hash_of(bool flag) { return flag ? 1 : 0; }

}  // namespace

std::size_t CellKeyHash::operator()(const CellKey& key) const {
  constexpr std::size_t odd = 0x9E3779B97F4A7C15;  // spreads the bits of small numbers
  std::size_t hash = 0;
  std::apply([&](const auto&... part) { ((hash = (hash ^ hash_of(part)) * odd), ...); }, key.tuple());
  return hash;
}

}  // namespace explog::store
