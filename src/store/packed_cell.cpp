#include "store/packed_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"

namespace explog::store {
namespace {

constexpr char escape = '\x01';
constexpr int situation_texts = 6;  // strategy to bottleneck

void put_text(std::string& bytes, std::string_view text) {
  if (text.find_first_of(std::string_view("\0\x01", 2)) == std::string_view::npos) {
    bytes += text;
  } else {
    for (char c : text) {
      if (c == '\0' || c == escape) bytes += escape, c = static_cast<char>(c + 1);
      bytes += c;
    }
  }
  bytes += '\0';
}

// Big-endian and without a sign, so that bytes compare as numbers do.
template <int Bytes>
void put_number(std::string& bytes, std::int64_t value) {
  constexpr std::int64_t half = std::int64_t{1} << (8 * Bytes - 1);
  auto biased = static_cast<std::uint64_t>(std::clamp(value, -half, half - 1) + half);
  for (int i = Bytes - 1; i >= 0; --i) bytes += static_cast<char>(biased >> (8 * i));
}

// The bytes of the text that `rest` begins with, as they are written; `rest` goes on behind it.
std::optional<std::string_view> take_bytes(std::string_view& rest) {
  std::size_t end = rest.find('\0');
  if (end == std::string_view::npos) return std::nullopt;
  std::string_view bytes = rest.substr(0, end);
  rest.remove_prefix(end + 1);
  return bytes;
}

bool is_plain(std::string_view bytes) { return bytes.find(escape) == std::string_view::npos; }

std::string unescaped(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bool escaped = bytes[i] == escape && i + 1 < bytes.size();
    text += escaped ? static_cast<char>(bytes[++i] - 1) : bytes[i];
  }
  return text;
}

template <int Bytes>
bool take_number(std::string_view& rest, std::int64_t& value) {
  if (rest.size() < Bytes) return false;
  std::uint64_t biased = 0;
  for (int i = 0; i < Bytes; ++i) biased = biased << 8 | static_cast<unsigned char>(rest[i]);
  value = static_cast<std::int64_t>(biased) - (std::int64_t{1} << (8 * Bytes - 1));
  rest.remove_prefix(Bytes);
  return true;
}

// Seven bits a byte, the sign in the lowest.
void put_varint(std::string& bytes, std::int64_t value) {
  auto rest = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
  for (; rest >= 0x80; rest >>= 7) bytes += static_cast<char>(rest | 0x80);
  bytes += static_cast<char>(rest);
}

inline bool take_varint(std::string_view& rest, std::int64_t& value) {
  if (!rest.empty() && static_cast<unsigned char>(rest[0]) < 0x80) {  // most are small
    value = (rest[0] >> 1) ^ -(rest[0] & 1);
    rest.remove_prefix(1);
    return true;
  }
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(rest.size(), 10); ++i) {
    auto byte = static_cast<unsigned char>(rest[i]);
    bits |= std::uint64_t{byte & 0x7Fu} << (7 * i);
    if (byte >= 0x80) continue;
    value = static_cast<std::int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
    rest.remove_prefix(i + 1);
    return true;
  }
  return false;
}

using Count = std::int64_t CellCounts::*;
constexpr std::array<std::pair<std::string_view, Count>, 10> counts_in_order = {
    {{"success", &CellCounts::success},
     {"neutral", &CellCounts::neutral},
     {"failure", &CellCounts::failure},
     {"broken", &CellCounts::broken},
     {"gain_n", &CellCounts::gain_n},
     {"gain_sum", &CellCounts::gain_sum},
     {"loss_n", &CellCounts::loss_n},
     {"loss_sum", &CellCounts::loss_sum},
     {"first_rid", &CellCounts::first_rid},
     {"last_rid", &CellCounts::last_rid}}};

enum class Form { text, small, number, flag };
struct Part {
  std::string_view name;
  Form form;
};
constexpr std::array<Part, 14> parts_in_order = {{{"strategy", Form::text},
                                                  {"backend", Form::text},
                                                  {"arch", Form::text},
                                                  {"kernel_type", Form::text},
                                                  {"dtype", Form::text},
                                                  {"bottleneck", Form::text},
                                                  {"size", Form::small},
                                                  {"latency", Form::small},
                                                  {"state", Form::text},
                                                  {"level", Form::text},
                                                  {"origin", Form::number},
                                                  {"source", Form::text},
                                                  {"quarter", Form::number},
                                                  {"mirrored", Form::flag}}};

// One part of a key, taken off its front.
sql::Value take_part(std::string_view& rest, Form form) {
  if (form == Form::text) {
    auto bytes = take_bytes(rest);
    return bytes ? sql::Value(unescaped(*bytes)) : sql::Value();
  }
  std::int64_t value = 0;
  bool there = form == Form::small    ? take_number<2>(rest, value)
               : form == Form::number ? take_number<4>(rest, value)
                                      : take_number<1>(rest, value);
  return there ? sql::Value(value) : sql::Value();
}

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

void CellCounts::add(const CellCounts& other) {
  for (auto [name, count] : counts_in_order) {
    if (count != &CellCounts::first_rid && count != &CellCounts::last_rid) this->*count += other.*count;
  }
  bool one = first_rid == 0 || other.first_rid == 0;
  first_rid = one ? first_rid + other.first_rid : std::min(first_rid, other.first_rid);
  last_rid = std::max(last_rid, other.last_rid);
}

std::string counts_bytes(const CellCounts& counts) {
  std::string bytes;
  for (auto [name, count] : counts_in_order) put_varint(bytes, counts.*count);
  return bytes;
}

std::optional<CellCounts> counts_in(std::string_view bytes) {
  CellCounts c;
  auto take = [&](std::int64_t& count) { return take_varint(bytes, count); };
  bool whole = take(c.success) && take(c.neutral) && take(c.failure) && take(c.broken) && take(c.gain_n) &&
               take(c.gain_sum) && take(c.loss_n) && take(c.loss_sum) && take(c.first_rid) &&
               take(c.last_rid);
  return whole && bytes.empty() ? std::optional(c) : std::nullopt;
}

bool CellReader::take(std::string_view& rest, SharedText& text) {
  auto bytes = take_bytes(rest);
  if (!bytes) return false;
  if (!is_plain(*bytes)) {
    text = texts_.shared(unescaped(*bytes));
  } else if (text != *bytes) {
    text = texts_.shared(*bytes);
  }
  return true;
}

bool CellReader::take_situation(std::string_view& rest, Cell& c) {
  if (!situation_.empty() && rest.starts_with(situation_)) {
    rest.remove_prefix(situation_.size());
    return true;
  }
  std::string_view all = rest;
  for (SharedText* text : {&c.strategy, &c.backend, &c.arch, &c.kernel_type, &c.dtype, &c.bottleneck}) {
    if (!take(rest, *text)) return false;
  }
  situation_ = all.substr(0, all.size() - rest.size());
  return true;
}

bool CellReader::take_origin(std::string_view rest, Cell& c) {
  if (!origin_.empty() && rest == origin_) return true;
  std::string_view all = rest;
  std::int64_t mirrored = 0;
  if (!take(rest, c.level) || !take_number<4>(rest, c.origin) || !take(rest, c.source)) return false;
  if (!take_number<4>(rest, c.quarter) || !take_number<1>(rest, mirrored) || !rest.empty()) return false;
  c.reversed = mirrored != 0;
  origin_ = all;
  return true;
}

bool CellReader::read(std::string_view key, std::string_view counts, Cell& c) {
  std::int64_t size = 0, latency = 0;
  std::string_view rest = key;
  if (!take_situation(rest, c) || !take_number<2>(rest, size) || !take_number<2>(rest, latency)) return false;
  if (!take(rest, c.state) || !take_origin(rest, c)) return false;
  auto sums = counts_in(counts);
  if (!sums) return false;
  c.size = static_cast<int>(size), c.latency = static_cast<int>(latency);
  c.success = sums->success, c.neutral = sums->neutral, c.failure = sums->failure, c.broken = sums->broken;
  c.gain_n = sums->gain_n, c.gain_sum = sums->gain_sum;
  c.loss_n = sums->loss_n, c.loss_sum = sums->loss_sum;
  c.first_rid = sums->first_rid, c.last_rid = sums->last_rid;
  return true;
}

std::string counted_cells() {
  std::string columns = "family";
  for (const Part& part : parts_in_order) columns += fmt::format(", cell_part(key, '{0}') AS {0}", part.name);
  for (const auto& [name, count] : counts_in_order)
    columns += fmt::format(", cell_count(counts, '{0}') AS {0}", name);
  return "(SELECT " + columns + " FROM cell WHERE grain IN (0, 3) AND cell_part(key, 'mirrored') = 0)";
}

sql::Value cell_part(const std::vector<sql::Argument>& key_and_name) {
  std::string_view rest = key_and_name[0].blob(), name = key_and_name[1].text();
  for (const Part& part : parts_in_order) {
    sql::Value value = take_part(rest, part.form);
    if (part.name == name) return value;
  }
  return {};
}

sql::Value cell_count(const std::vector<sql::Argument>& counts_and_name) {
  auto counts = counts_in(counts_and_name[0].blob());
  if (!counts) return {};
  for (auto [name, count] : counts_in_order) {
    if (name == counts_and_name[1].text()) return (*counts).*count;
  }
  return {};
}

sql::Value cell_sum(const std::vector<sql::Argument>& two_counts) {
  auto a = counts_in(two_counts[0].blob()), b = counts_in(two_counts[1].blob());
  if (!a || !b) throw Error(Exit::store, "a cell's counts are damaged", "run `explog doctor --rebuild`");
  a->add(*b);
  return counts_bytes(*a);
}

}  // namespace explog::store
