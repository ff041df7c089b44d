#include "store/cell_page.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "store/packed_bytes.h"

namespace explog::store {
namespace {

// Rows of at most 2030 bytes lie in one place of a B-tree of 8 KiB; the rest of that is the family's.
constexpr std::size_t most_bytes = 1900;
constexpr std::size_t fill_bytes = 1400;  // of pages that are parts of what was larger: room to grow

constexpr std::size_t least_cell = 13;  // bytes

// How many bytes two heads begin with alike.
std::size_t alike(std::string_view a, std::string_view b) {
  std::size_t most = std::min(a.size(), b.size()), n = 0;
  while (n + 16 <= most && std::memcmp(a.data() + n, b.data() + n, 16) == 0) n += 16;
  while (n < most && a[n] == b[n]) ++n;
  return n;
}

// Writes one page, cell by cell.
class PageWriter {
 public:
  explicit PageWriter(std::string_view first) : head_(first.substr(0, head_size(first))) {
    page_.first = first;
    tails_.push_back(first.substr(head_.size()));
  }
  void put(const PackedCell& cell) {
    std::string_view head = cell.key.substr(0, head_size(cell.key)), tail = cell.key.substr(head.size());
    std::size_t shared = alike(head, head_);
    auto number = static_cast<std::size_t>(std::find(tails_.begin(), tails_.end(), tail) - tails_.begin());
    char numbers[4 * longest_number], *end = numbers;
    for (std::size_t part : {shared, head.size() - shared, number}) put_unsigned(end, part);
    bool is_new = number == tails_.size();
    if (is_new) put_unsigned(end, tail.size());
    page_.cells.append(numbers, end);
    if (is_new) page_.cells += tails_.emplace_back(tail);
    page_.cells += head.substr(shared);
    head_ = head;
    put_counts(cell.counts);
  }
  std::size_t size() const { return page_.first.size() + page_.cells.size(); }
  CellPage take() { return std::move(page_); }

 private:
  void put_counts(const CellCounts& c) {
    char numbers[counts_in_order.size() * longest_number], *end = numbers;
    for (std::int64_t count : {c.success, c.neutral, c.failure, c.broken, c.gain_n, c.gain_sum, c.loss_n,
                               c.loss_sum, c.first_rid - rid_, c.last_rid - c.first_rid})
      put_signed(end, count);
    page_.cells.append(numbers, end);
    rid_ = c.first_rid;
  }

  CellPage page_;
  std::string_view head_;
  std::vector<std::string_view> tails_;
  std::int64_t rid_ = 0;  // the first one of the cell before
};

std::vector<CellPage> pages_up_to(std::size_t bytes, std::span<const PackedCell> cells) {
  std::vector<CellPage> pages;
  while (!cells.empty()) {
    PageWriter page(cells.front().key);
    do {
      page.put(cells.front());
      cells = cells.subspan(1);
    } while (!cells.empty() && page.size() < bytes);
    pages.push_back(page.take());
  }
  return pages;
}

}  // namespace

std::vector<CellPage> pages_of(std::span<const PackedCell> cells) {
  if (cells.size() > most_bytes / least_cell) return pages_up_to(fill_bytes, cells);
  std::vector<CellPage> pages = pages_up_to(std::numeric_limits<std::size_t>::max(), cells);
  std::size_t bytes = pages.empty() ? 0 : pages.front().first.size() + pages.front().cells.size();
  if (bytes <= most_bytes || cells.size() == 1) return pages;
  std::size_t parts = std::max<std::size_t>(2, bytes / fill_bytes);
  return pages_up_to(bytes / parts, cells);
}

PageCursor::PageCursor(std::string_view first, std::string_view cells)
    : at_(cells.data()), end_(cells.data() + cells.size()) {
  std::size_t head = head_size(first);
  head_ = first.substr(0, head);
  tails_.push_back(first.substr(head));
  damaged_ = head == 0 || cells.empty();
}

bool PageCursor::fail() {
  damaged_ = true;
  return false;
}

// The head of the next cell, and the number of its tail.
bool PageCursor::take_head(const char*& at) {
  std::uint64_t shared = 0, added = 0, tail = 0;
  at = take_unsigned(take_unsigned(take_unsigned(at, end_, shared), end_, added), end_, tail);
  if (at == nullptr || shared > head_.size() || tail > tails_.size()) return false;
  if (tail == tails_.size()) {
    std::uint64_t size = 0;
    at = take_unsigned(at, end_, size);
    if (at == nullptr || size > static_cast<std::uint64_t>(end_ - at)) return false;
    tails_.emplace_back(at, size);
    at += size;
  }
  if (added > static_cast<std::uint64_t>(end_ - at)) return false;
  head_.resize(shared);
  head_.append(at, added);
  at += added;
  shared_ = shared, tail_ = tail;
  return true;
}

bool PageCursor::next() {
  if (at_ == end_ || damaged_) return false;
  const char* at = at_;
  if (!take_head(at)) return fail();
  CellCounts& c = counts_;
  std::int64_t before = c.first_rid, first = 0, last = 0;
  for (std::int64_t* count : {&c.success, &c.neutral, &c.failure, &c.broken, &c.gain_n, &c.gain_sum,
                              &c.loss_n, &c.loss_sum, &first, &last})
    at = take_signed(at, end_, *count);
  if (at == nullptr) return fail();
  auto sum = [](std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  };
  c.first_rid = sum(before, first), c.last_rid = sum(c.first_rid, last);
  at_ = at;
  return true;
}

}  // namespace explog::store
