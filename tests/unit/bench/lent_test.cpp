#include "harness/runner/lent.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>

using explog::device::Lent;

namespace {

std::set<void*> lent_blocks;  // by the process

void* allocate_block(std::size_t bytes) {
  void* p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  lent_blocks.insert(p);
  return p;
}

void release_block(void* p) {
  REQUIRE(lent_blocks.erase(p) == 1);
  std::free(p);
}

}  // namespace

TEST_CASE("memory that is lent again lies at another address, within what was allocated") {
  lent_blocks.clear();
  Lent lent(1 << 20);
  std::set<void*> addresses;
  for (int i = 0; i < 16; ++i) {
    auto* p = static_cast<char*>(lent.borrow(10000, allocate_block));
    CHECK(reinterpret_cast<std::uintptr_t>(p) % 4096 == 0);
    std::fill(p, p + 10000, 'x');
    addresses.insert(p);
    lent.give_back(p, release_block);
  }
  CHECK(addresses.size() == 16);
  CHECK(lent_blocks.size() == 1);
  CHECK(lent.release_spare(release_block));
  CHECK(lent_blocks.empty());
  CHECK_FALSE(lent.release_spare(release_block));
}

TEST_CASE("memory is lent for as much as was asked or somewhat less, and no more is kept than was agreed") {
  lent_blocks.clear();
  Lent lent(4 << 20);
  void* large = lent.borrow(1 << 20, allocate_block);
  void* other = lent.borrow(1 << 20, allocate_block);
  CHECK(lent_blocks.size() == 2);
  lent.give_back(large, release_block);
  void* small = lent.borrow(1 << 10, allocate_block);  // a thousandth of it
  CHECK(lent_blocks.size() == 3);
  void* half = lent.borrow(1 << 19, allocate_block);
  CHECK(lent_blocks.size() == 3);
  void* whole = lent.borrow(1 << 20, allocate_block);
  CHECK(lent_blocks.size() == 4);
  for (void* p : {other, small, half, whole}) lent.give_back(p, release_block);
  lent.give_back(lent.borrow((4 << 20) + 1, allocate_block), release_block);
  CHECK(lent_blocks.size() == 4);
  lent.release_spare(release_block);
  CHECK(lent_blocks.empty());
}
