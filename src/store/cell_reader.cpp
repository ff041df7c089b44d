#include "store/cell_reader.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "store/packed_bytes.h"

namespace explog::store {
namespace {

// No cell counts more records than this.
std::int32_t narrow(std::int64_t count) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(count, Limits::min(), Limits::max()));
}

std::optional<Setting> setting_in(std::string_view& rest) {
  Setting s;
  for (std::string* text : {&s.strategy, &s.backend, &s.arch, &s.kernel_type, &s.dtype, &s.bottleneck}) {
    auto bytes = take_bytes(rest);
    if (!bytes) return std::nullopt;
    *text = unescaped(*bytes);
  }
  return s;
}

std::optional<Provenance> provenance_in(std::string_view rest) {
  Provenance p;
  std::int64_t mirrored = 0;
  auto level = take_bytes(rest);
  if (!level || !take_number<4>(rest, p.origin)) return std::nullopt;
  auto source = take_bytes(rest);
  if (!source || !take_number<4>(rest, p.quarter) || !take_number<1>(rest, mirrored) || !rest.empty())
    return std::nullopt;
  p.level = unescaped(*level), p.source = unescaped(*source), p.reversed = mirrored != 0;
  return p;
}

}  // namespace

// What was changed on what, in which state: a key's head.
bool CellReader::take_situation(const PageCursor& cell, bool begins_page) {
  std::string_view head = cell.head(), rest = head;
  std::size_t shared = begins_page ? 0 : cell.shared();
  if (shared >= head.size() && head.size() == head_size_) return true;
  head_size_ = head.size();
  if (!setting_.empty() && (shared >= setting_.size() || head.starts_with(setting_))) {
    rest.remove_prefix(setting_.size());
  } else {
    auto setting = setting_in(rest);
    if (!setting) return false;
    setting_ = head.substr(0, head.size() - rest.size());
    const Setting*& known = settings_[setting_];  // perhaps of another grain
    if (known == nullptr) known = evidence_.add(std::move(*setting));
    row_.setting = known;
  }
  std::int64_t size = 0, latency = 0;
  if (!take_number<2>(rest, size) || !take_number<2>(rest, latency) || rest.empty() || rest.back() != '\0')
    return false;
  row_.size = static_cast<std::int16_t>(size), row_.latency = static_cast<std::int16_t>(latency);
  rest.remove_suffix(1);
  row_.state = is_plain(rest) ? evidence_.state(rest) : evidence_.state(unescaped(rest));
  return true;
}

// Who says so: a key's tail.
bool CellReader::take_provenance(const PageCursor& cell) {
  if (cell.tail_number() > by_.size()) return false;
  if (cell.tail_number() == by_.size()) {
    auto [known, is_new] = provenances_.try_emplace(std::string(cell.tail()));
    if (is_new) {
      auto provenance = provenance_in(cell.tail());
      if (!provenance) return false;
      known->second = evidence_.add(std::move(*provenance));
    }
    by_.push_back(known->second);
  }
  row_.by = by_[cell.tail_number()];
  return true;
}

bool CellReader::read(std::string_view first, std::string_view cells) {
  by_.clear();
  PageCursor cell(first, cells);
  for (bool begins_page = true; evidence_.rows.size() < most_ && cell.next(); begins_page = false) {
    if (!take_situation(cell, begins_page) || !take_provenance(cell)) return false;
    const CellCounts& sums = cell.counts();
    row_.success = narrow(sums.success), row_.neutral = narrow(sums.neutral);
    row_.failure = narrow(sums.failure), row_.broken = narrow(sums.broken);
    row_.gain_n = narrow(sums.gain_n), row_.gain_sum = sums.gain_sum;
    row_.loss_n = narrow(sums.loss_n), row_.loss_sum = sums.loss_sum;
    row_.first_rid = sums.first_rid, row_.last_rid = sums.last_rid;
    evidence_.rows.push_back(row_);
  }
  return !cell.damaged();
}

}  // namespace explog::store
