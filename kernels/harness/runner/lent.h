// Memory of buffers, lent again: where fifteen processes have one GPU, its driver takes 0.1 s to give and to take 64 MiB.
#pragma once
#include <cstddef>
#include <map>
#include <unordered_map>

namespace explog::device {

// Who gets a block again gets it at another address, so that a kernel which kept the pointers of an earlier call is wrong.
class Lent {
 public:
  using Allocate = void* (*)(std::size_t bytes);  // throws Failure
  using Release = void (*)(void* p);

  // most_spare: bytes that are kept for the next who asks. A candidate allocates too.
  explicit Lent(std::size_t most_spare) : most_spare_(most_spare) {}

  // At least `bytes`, perhaps many more.
  void* borrow(std::size_t bytes, Allocate allocate) {
    constexpr std::size_t most_too_large = 4;  // times
    Block block;
    auto found = spare_.lower_bound(bytes);
    if (found == spare_.end() || found->first / most_too_large > bytes) {
      block = {static_cast<char*>(allocate(bytes + places * apart)), bytes, 0};
    } else {
      block = found->second;
      ++block.place;
      spare_.erase(found);
      spare_bytes_ -= block.bytes;
    }
    void* p = block.base + block.place % places * apart;
    lent_[p] = block;
    return p;
  }

  void give_back(void* p, Release release) {
    const Block block = lent_.extract(p).mapped();
    if (spare_bytes_ + block.bytes > most_spare_) return release(block.base);
    spare_.emplace(block.bytes, block);
    spare_bytes_ += block.bytes;
  }

  // False where there was nothing.
  bool release_spare(Release release) {
    if (spare_.empty()) return false;
    for (auto& [bytes, block] : spare_) release(block.base);
    spare_.clear();
    spare_bytes_ = 0;
    return true;
  }

 private:
  static constexpr std::size_t places = 16,
                               apart = 4096;  // bytes, so that an address is as aligned as the block is

  struct Block {
    char* base = nullptr;
    std::size_t bytes = 0;  // that it may be lent for
    std::size_t place = 0;  // how often it was lent before
  };
  std::size_t most_spare_;
  std::multimap<std::size_t, Block> spare_;  // by bytes
  std::size_t spare_bytes_ = 0;
  std::unordered_map<void*, Block> lent_;
};

}  // namespace explog::device
