#include "store/packed_cell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "base/error.h"

namespace explog::store {
namespace {

constexpr char escape = '\x01';
constexpr int situation_texts = 6;  // strategy to bottleneck

void put_text(std::string& bytes, std::string_view text) {
  if (text.find('\0') == std::string_view::npos && text.find(escape) == std::string_view::npos) {
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

// No cell counts more records than this.
std::int32_t narrow(std::int64_t count) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(count, Limits::min(), Limits::max()));
}

// Seven bits a byte, the sign in the lowest.
void put_varint(std::string& bytes, std::int64_t value) {
  auto rest = static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
  for (; rest >= 0x80; rest >>= 7) bytes += static_cast<char>(rest | 0x80);
  bytes += static_cast<char>(rest);
}

// The number that starts at `at` and what follows it; nullptr where its bytes come to no end before `end`.
inline const char* take_varint(const char* at, const char* end, std::int64_t& value) {
  std::uint64_t bits = 0;
  for (int shift = 0; at != end && shift < 70; shift += 7) {
    auto byte = static_cast<unsigned char>(*at++);
    bits |= std::uint64_t{byte & 0x7Fu} << shift;
    if (byte >= 0x80) continue;
    value = static_cast<std::int64_t>(bits >> 1 ^ (~(bits & 1) + 1));
    return at;
  }
  return nullptr;
}

// The same for what is nearly always one byte.
inline const char* take_small(const char* at, const char* end, std::int64_t& value) {
  if (at == nullptr || at == end || static_cast<unsigned char>(*at) >= 0x80)
    return at == nullptr ? nullptr : take_varint(at, end, value);
  value = (*at >> 1) ^ -(*at & 1);
  return at + 1;
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

bool put_counts(CellCounts& c, std::string_view bytes) {
  const char *at = bytes.data(), *end = at + bytes.size();
  at = take_small(at, end, c.success);
  at = take_small(at, end, c.neutral);
  at = take_small(at, end, c.failure);
  at = take_small(at, end, c.broken);
  at = take_small(at, end, c.gain_n);
  at = take_small(at, end, c.gain_sum);
  at = take_small(at, end, c.loss_n);
  at = take_small(at, end, c.loss_sum);
  if (at == nullptr) return false;
  at = take_varint(at, end, c.first_rid);
  if (at != nullptr) at = take_varint(at, end, c.last_rid);
  return at == end;
}

std::optional<CellCounts> counts_in(std::string_view bytes) {
  CellCounts c;
  return put_counts(c, bytes) ? std::optional(c) : std::nullopt;
}

bool CellReader::take_setting(std::string_view& rest, EvidenceRow& row) {
  if (!setting_.empty() && rest.starts_with(setting_)) {
    row.setting = last_;
    rest.remove_prefix(setting_.size());
    return true;
  }
  std::string_view all = rest;
  Setting s;
  for (std::string* text : {&s.strategy, &s.backend, &s.arch, &s.kernel_type, &s.dtype, &s.bottleneck}) {
    auto bytes = take_bytes(rest);
    if (!bytes) return false;
    *text = unescaped(*bytes);
  }
  setting_ = all.substr(0, all.size() - rest.size());
  const Setting*& known = settings_[setting_];  // perhaps of another grain
  if (known == nullptr) known = evidence_.add(std::move(s));
  row.setting = known;
  return true;
}

bool CellReader::take_provenance(std::string_view rest, EvidenceRow& row) {
  // A record and the mirror image of another one take turns.
  for (const auto& seen : seen_) {
    if (seen == nullptr || rest != seen->first) continue;
    row.by = seen->second;
    if (seen != seen_[0]) std::swap(seen_[0], seen_[1]);
    return true;
  }
  auto [known, is_new] = provenances_.try_emplace(std::string(rest));
  if (is_new) {
    Provenance p;
    std::int64_t mirrored = 0;
    auto level = take_bytes(rest);
    if (!level || !take_number<4>(rest, p.origin)) return false;
    auto source = take_bytes(rest);
    if (!source || !take_number<4>(rest, p.quarter) || !take_number<1>(rest, mirrored) || !rest.empty())
      return false;
    p.level = unescaped(*level), p.source = unescaped(*source), p.reversed = mirrored != 0;
    known->second = evidence_.add(std::move(p));
  }
  seen_[1] = std::exchange(seen_[0], &*known);
  row.by = known->second;
  return true;
}

bool CellReader::read(std::string_view key, std::string_view counts) {
  std::int64_t size = 0, latency = 0;
  EvidenceRow row;
  if (!take_setting(key, row) || !take_number<2>(key, size) || !take_number<2>(key, latency)) return false;
  auto state = take_bytes(key);
  if (!state || !take_provenance(key, row)) return false;
  row.state = is_plain(*state) ? evidence_.state(*state) : evidence_.state(unescaped(*state));
  CellCounts sums;
  if (!put_counts(sums, counts)) return false;
  row.size = static_cast<std::int16_t>(size), row.latency = static_cast<std::int16_t>(latency);
  row.success = narrow(sums.success), row.neutral = narrow(sums.neutral);
  row.failure = narrow(sums.failure), row.broken = narrow(sums.broken);
  row.gain_n = narrow(sums.gain_n), row.gain_sum = sums.gain_sum;
  row.loss_n = narrow(sums.loss_n), row.loss_sum = sums.loss_sum;
  row.first_rid = sums.first_rid, row.last_rid = sums.last_rid;
  last_ = row.setting;
  evidence_.rows.push_back(row);
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
