// Text that its copies share, for what is said again and again: a copy costs a pointer.
#pragma once
#include <compare>
#include <concepts>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace explog {

class SharedText {
 public:
  SharedText() = default;
  SharedText(std::string text) : text_(std::make_shared<const std::string>(std::move(text))) {}
  SharedText(std::string_view text) : SharedText(std::string(text)) {}
  SharedText(const char* text) : SharedText(std::string(text)) {}

  const std::string& text() const { return text_ ? *text_ : nothing; }
  operator const std::string&() const { return text(); }
  operator std::string_view() const { return text(); }
  bool empty() const { return text().empty(); }

  friend bool operator==(const SharedText& a, const SharedText& b) {
    return a.text_ == b.text_ || a.text() == b.text();
  }
  template <std::convertible_to<std::string_view> Text>
  friend bool operator==(const SharedText& a, const Text& b) {
    return a.text() == std::string_view(b);
  }
  friend std::strong_ordering operator<=>(const SharedText& a, const SharedText& b) {
    return a.text_ == b.text_ ? std::strong_ordering::equal : a.text() <=> b.text();
  }

 private:
  static inline const std::string nothing;
  std::shared_ptr<const std::string> text_;
};

}  // namespace explog
