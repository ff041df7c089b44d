#include "model/family_evidence.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "base/text_hash.h"

namespace explog {
namespace {

constexpr std::size_t block_bytes = 32 << 10;

template <class Small>
Small within(std::int64_t value) {
  using Limits = std::numeric_limits<Small>;
  return static_cast<Small>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
}

auto setting_of(const Cell& c) {
  return std::tie(c.strategy, c.backend, c.arch, c.kernel_type, c.dtype, c.bottleneck);
}

auto provenance_of(const Cell& c) {
  return std::tie(c.level, c.source, c.origin, c.quarter, c.reversed, c.reviewed, c.decided);
}

}  // namespace

FamilyEvidence::FamilyEvidence(const std::vector<Cell>& cells) {
  std::map<decltype(setting_of(cells[0])), const Setting*> settings;
  std::map<decltype(provenance_of(cells[0])), const Provenance*> provenances;
  rows.reserve(cells.size());
  for (const Cell& c : cells) {
    const Setting*& setting = settings[setting_of(c)];
    if (setting == nullptr)
      setting = add(Setting{c.strategy, c.backend, c.arch, c.kernel_type, c.dtype, c.bottleneck});
    const Provenance*& by = provenances[provenance_of(c)];
    if (by == nullptr)
      by = add(Provenance{c.level, c.source, c.origin, c.quarter, c.reversed, c.reviewed, c.decided});
    EvidenceRow row;
    row.setting = setting, row.state = state(std::string_view(c.state)), row.by = by;
    row.size = within<std::int16_t>(c.size), row.latency = within<std::int16_t>(c.latency);
    row.success = within<std::int32_t>(c.success), row.neutral = within<std::int32_t>(c.neutral);
    row.failure = within<std::int32_t>(c.failure), row.broken = within<std::int32_t>(c.broken);
    row.gain_n = within<std::int32_t>(c.gain_n), row.gain_sum = c.gain_sum;
    row.loss_n = within<std::int32_t>(c.loss_n), row.loss_sum = c.loss_sum;
    row.first_rid = c.first_rid, row.last_rid = c.last_rid;
    rows.push_back(row);
  }
}

const Setting* FamilyEvidence::add(Setting setting) {
  setting.number = static_cast<std::uint32_t>(settings_.size());
  return &settings_.emplace_back(std::move(setting));
}

const Provenance* FamilyEvidence::add(Provenance provenance) {
  provenance.number = static_cast<std::uint32_t>(provenances_.size());
  return &provenances_.emplace_back(std::move(provenance));
}

const KernelState* FamilyEvidence::state(std::string_view text) {
  if (2 * states_.size() >= places_.size()) grow();
  std::size_t at = TextHash()(text) & (places_.size() - 1);
  for (; places_[at] != 0; at = (at + 1) & (places_.size() - 1)) {
    const KernelState& known = states_[places_[at] - 1];
    if (known.text == text) return &known;
  }
  auto number = static_cast<std::uint32_t>(states_.size());
  places_[at] = number + 1;
  return &states_.emplace_back(KernelState{kept(text), number});
}

void FamilyEvidence::grow() {
  std::size_t size = 512;
  while (size < 8 * states_.size()) size *= 2;
  places_.assign(size, 0);
  for (const KernelState& known : states_) {
    std::size_t at = TextHash()(known.text) & (places_.size() - 1);
    while (places_[at] != 0) at = (at + 1) & (places_.size() - 1);
    places_[at] = known.number + 1;
  }
}

std::string_view FamilyEvidence::kept(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > room_) {
    room_ = std::max(block_bytes, text.size());
    blocks_.push_back(std::unique_ptr<char[]>(new char[room_]));
    next_ = blocks_.back().get();
  }
  std::string_view copy(static_cast<char*>(std::memcpy(next_, text.data(), text.size())), text.size());
  next_ += text.size(), room_ -= text.size();
  return copy;
}

void FamilyEvidence::change_settings(const std::function<void(Setting&)>& change) {
  for (Setting& setting : settings_) change(setting);
}

void FamilyEvidence::change_provenances(const std::function<void(Provenance&)>& change) {
  for (Provenance& provenance : provenances_) change(provenance);
}

void FamilyEvidence::change_states(const std::function<std::string(std::string_view)>& changed) {
  for (KernelState& known : states_) known.text = kept(changed(known.text));
  places_.clear();
}

}  // namespace explog
