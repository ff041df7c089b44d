#include "store/packed_cell.h"

#include <algorithm>

#include "store/packed_bytes.h"

namespace explog::store {
namespace {

constexpr int situation_texts = 6;    // strategy to bottleneck
constexpr int situation_numbers = 2;  // size and latency

}  // namespace

std::string key_bytes(const CellKey& key) {
  std::string bytes;
  bytes.reserve(192);
  for (const SharedText* text :
       {&key.strategy, &key.backend, &key.arch, &key.kernel_type, &key.dtype, &key.bottleneck})
    put_text(bytes, *text);
  put_number<2>(bytes, key.size);
  put_number<2>(bytes, key.latency);
  put_text(bytes, key.state);
  put_text(bytes, key.level);
  put_number<4>(bytes, key.origin);
  put_text(bytes, key.source);
  put_number<4>(bytes, key.quarter);
  put_number<1>(bytes, key.mirrored ? 1 : 0);
  return bytes;
}

std::size_t head_size(std::string_view key) {
  std::string_view rest = key;
  for (int i = 0; i < situation_texts; ++i) {
    if (!take_bytes(rest)) return 0;
  }
  std::int64_t number = 0;
  for (int i = 0; i < situation_numbers; ++i) {
    if (!take_number<2>(rest, number)) return 0;
  }
  if (!take_bytes(rest)) return 0;
  return key.size() - rest.size();
}

void CellCounts::add(const CellCounts& other) {
  for (auto [name, count] : counts_in_order) {
    if (count != &CellCounts::first_rid && count != &CellCounts::last_rid) this->*count += other.*count;
  }
  bool one = first_rid == 0 || other.first_rid == 0;
  first_rid = one ? first_rid + other.first_rid : std::min(first_rid, other.first_rid);
  last_rid = std::max(last_rid, other.last_rid);
}

}  // namespace explog::store
