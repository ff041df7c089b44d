#include "base/sqlite_pages.h"

#include <bit>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/text.h"

namespace explog::sql {
namespace {

// https://sqlite.org/fileformat2.html
constexpr std::uint64_t usual_page_size = 8192;
constexpr std::uint64_t most_payload = 1 << 20;
constexpr unsigned char table_leaf = 0x0D;
constexpr std::uint64_t wal_header = 32, frame_header = 24;

std::uint64_t big_endian(std::string_view bytes, std::size_t at, std::size_t n) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < n && at + i < bytes.size(); ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

// One to nine bytes; moves `at` behind it. Nothing where the bytes end before it does.
std::optional<std::uint64_t> varint(std::string_view bytes, std::size_t& at) {
  std::uint64_t value = 0;
  for (int i = 0; i < 9 && at < bytes.size(); ++i) {
    auto byte = static_cast<unsigned char>(bytes[at++]);
    if (i == 8) return value << 8 | byte;
    value = value << 7 | (byte & 0x7FU);
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

class File {
 public:
  explicit File(const std::string& path)
      : main_(path, std::ios::binary), wal_(path + "-wal", std::ios::binary) {
    if (!main_) throw Error(Exit::usage, "cannot read " + printable(path));
    std::string head = read(main_, 0, 100);
    std::uint64_t size = big_endian(head, 16, 2);
    if (size == 1) size = 65536;
    bool sound = head.starts_with("SQLite format 3") && size >= 512 && std::has_single_bit(size);
    page_size_ = sound ? size : usual_page_size;
    usable_ = page_size_ - (sound && head.size() > 20 ? static_cast<unsigned char>(head[20]) : 0);
    main_.seekg(0, std::ios::end);
    count_ = (static_cast<std::uint64_t>(main_.tellg()) + page_size_ - 1) / page_size_;
    find_frames();
  }

  std::uint64_t count() const { return count_; }
  std::uint64_t usable() const { return usable_; }

  // Page 1, 2, ...; shorter than a page at the end of a cut file.
  std::string page(std::uint64_t number) {
    auto frame = frames_.find(number);
    return frame != frames_.end() ? read(wal_, frame->second, page_size_)
                                  : read(main_, (number - 1) * page_size_, page_size_);
  }

 private:
  static std::string read(std::ifstream& from, std::uint64_t at, std::uint64_t n) {
    std::string bytes(n, '\0');
    from.clear();
    from.seekg(static_cast<std::streamoff>(at));
    from.read(bytes.data(), static_cast<std::streamsize>(n));
    bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(0, from.gcount())));
    return bytes;
  }

  // Pages of the journal up to its last commit; a frame of an earlier round of it has other salts.
  void find_frames() {
    if (!wal_) return;
    std::string head = read(wal_, 0, wal_header);
    if (head.size() < wal_header || big_endian(head, 8, 4) != page_size_ % 65536) return;
    std::map<std::uint64_t, std::uint64_t> pending;
    for (std::uint64_t at = wal_header;; at += frame_header + page_size_) {
      std::string frame = read(wal_, at, frame_header);
      if (frame.size() < frame_header || frame.substr(8, 8) != head.substr(16, 8)) return;
      pending[big_endian(frame, 0, 4)] = at + frame_header;
      if (big_endian(frame, 4, 4) == 0) continue;
      for (const auto& [number, place] : pending) frames_[number] = place, count_ = std::max(count_, number);
      pending.clear();
    }
  }

  std::ifstream main_, wal_;
  std::uint64_t page_size_ = 0, usable_ = 0, count_ = 0;
  std::map<std::uint64_t, std::uint64_t> frames_;  // page -> where it begins in the journal
};

// The part of a payload that stands in its page, and what is said to follow on other pages.
std::optional<std::string> payload_at(File& file, std::string_view page, std::size_t at, std::uint64_t size) {
  std::uint64_t usable = file.usable(), most = usable - 35;
  if (size > most_payload) return std::nullopt;
  std::uint64_t local = size;
  if (size > most) {
    std::uint64_t least = (usable - 12) * 32 / 255 - 23;
    std::uint64_t fitting = least + (size - least) % (usable - 4);
    local = fitting <= most ? fitting : least;
  }
  if (at + local > page.size()) return std::nullopt;
  std::string payload(page.substr(at, local));
  std::uint64_t next = size > local ? big_endian(page, at + local, 4) : 0;
  while (payload.size() < size) {
    if (next == 0 || next > file.count()) return std::nullopt;
    std::string overflow = file.page(next);
    std::uint64_t part = std::min<std::uint64_t>(size - payload.size(), usable - 4);
    if (overflow.size() < 4 + part) return std::nullopt;
    payload.append(overflow, 4, part);
    next = big_endian(overflow, 0, 4);
  }
  return payload;
}

std::int64_t signed_integer(std::string_view bytes) {
  std::uint64_t value = big_endian(bytes, 0, bytes.size());
  auto unused = static_cast<int>(64 - 8 * bytes.size());
  return static_cast<std::int64_t>(value << unused) >> unused;
}

std::size_t length_of(std::uint64_t type) {
  constexpr std::size_t lengths[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};
  return type < 10 ? lengths[type] : type < 12 ? 0 : (type - 12) / 2;
}

Value value_of(std::uint64_t type, std::string_view bytes) {
  if (type == 0) return std::monostate{};
  if (type == 7) return std::bit_cast<double>(big_endian(bytes, 0, 8));
  if (type == 8 || type == 9) return static_cast<std::int64_t>(type - 8);
  if (type < 7) return signed_integer(bytes);
  return std::string(bytes);
}

// A record: its header says the type of each column, the values follow.
bool parse(std::string_view payload, std::size_t columns_at_most, LooseRow& row) {
  std::size_t at = 0;
  auto header = varint(payload, at);
  if (!header || *header > payload.size() || *header < at) return false;
  std::size_t value = *header;
  while (at < *header) {
    auto type = varint(payload, at);
    if (!type || *type == 10 || *type == 11 || row.columns.size() == columns_at_most) return false;
    std::size_t length = length_of(*type);
    if (value + length > payload.size()) return false;
    row.columns.push_back(value_of(*type, payload.substr(value, length)));
    row.is_text.push_back(*type >= 13 && *type % 2 == 1);
    value += length;
  }
  return value == payload.size();
}

}  // namespace

ScannedPages scan_pages(const std::string& path, std::size_t columns_at_most,
                        const std::function<void(const LooseRow&)>& found) {
  File file(path);
  ScannedPages scanned;
  for (std::uint64_t number = 1; number <= file.count(); ++number) {
    std::string page = file.page(number);
    std::size_t begin = number == 1 ? 100 : 0;
    if (page.size() < begin + 8 || static_cast<unsigned char>(page[begin]) != table_leaf) continue;
    ++scanned.pages;
    std::uint64_t cells = std::min<std::uint64_t>(big_endian(page, begin + 3, 2), page.size() / 6);
    for (std::uint64_t i = 0; i < cells; ++i) {
      std::size_t at = big_endian(page, begin + 8 + 2 * i, 2);
      auto size = at >= begin + 8 ? varint(page, at) : std::nullopt;
      auto rowid = size ? varint(page, at) : std::nullopt;
      auto payload = rowid ? payload_at(file, page, at, *size) : std::nullopt;
      LooseRow row{static_cast<std::int64_t>(rowid.value_or(0)), {}, {}};
      if (payload && parse(*payload, columns_at_most, row)) {
        found(row);
      } else if (!payload) {
        ++scanned.broken_rows;
      }
    }
  }
  return scanned;
}

}  // namespace explog::sql
