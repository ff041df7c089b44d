// Text that its copies share, for what is said again and again: a copy costs a pointer.
#pragma once

#include <atomic>
#include <compare>
#include <concepts>
#include <string>
#include <string_view>
#include <utility>

#if __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
#endif

namespace explog {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : held_(new Held{std::move(text)}) {}
  SharedText(std::string_view text) : SharedText(std::string(text)) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}
  SharedText(const SharedText& other) noexcept : held_(other.held_) { count(+1); }
  SharedText(SharedText&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  SharedText& operator=(const SharedText& other) noexcept {
    if (held_ != other.held_) SharedText(other).swap(*this);
    return *this;
  }
  SharedText& operator=(SharedText&& other) noexcept {
    SharedText(std::move(other)).swap(*this);
    return *this;
  }
  ~SharedText() {
    if (held_ != nullptr && count(-1) == 0) delete held_;
  }

  const std::string& text() const { return held_ != nullptr ? held_->text : nothing; }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }
  bool empty() const { return text().empty(); }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.held_ == b.held_ || a.text() == b.text();
  }
  template <std::convertible_to<std::string_view> Text>
  friend bool operator==(const SharedText& a, const Text& b) {
    return a.text() == std::string_view(b);
  }
  friend std::strong_ordering operator<=>(const SharedText& a, const SharedText& b) {
    return a.held_ == b.held_ ? std::strong_ordering::equal : a.text() <=> b.text();
  }

 private:
  struct Held {
    std::string text;
    std::atomic<int> copies = 1;
  };
  void swap(SharedText& other) noexcept { std::swap(held_, other.held_); }
  static bool one_thread() {
#if __GLIBC_PREREQ(2, 32)
    return __libc_single_threaded != 0;
#else
    return false;  // an older glibc does not say
#endif
  }
  // How many copies there are now. A process with one thread counts without a lock on the bus.
  int count(int change) const noexcept {
    if (held_ == nullptr) return 0;
    if (!one_thread()) return held_->copies.fetch_add(change, std::memory_order_acq_rel) + change;
    int copies = held_->copies.load(std::memory_order_relaxed) + change;
    held_->copies.store(copies, std::memory_order_relaxed);
    return copies;
  }

  static inline const std::string nothing;
  Held* held_ = nullptr;
};

}  // namespace explog
