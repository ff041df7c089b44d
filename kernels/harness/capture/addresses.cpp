#include "addresses.h"

namespace explog::capture {

void Addresses::add_set(std::vector<Range> arguments, std::uint64_t guard) {
  sets_.push_back(std::move(arguments));
  guard_ = guard;
}

void Addresses::allocated(std::uint64_t base, std::uint64_t bytes, plan::Memory memory, int call) {
  freed(base);
  if (base != 0 && bytes > 0) allocations_.push_back({{base, bytes}, memory, true, call, {}});
}

void Addresses::freed(std::uint64_t base) {
  for (Allocation& a : allocations_) {
    if (a.range.base == base) a.live = false;
  }
}

std::optional<Found> Addresses::argument(std::uint64_t address, bool alone) const {
  if (current_ >= sets_.size()) return {};
  const auto& set = sets_[current_];
  for (std::size_t i = 0; i < set.size(); ++i) {
    bool end = alone && set[i].bytes > 0 && address == set[i].base + set[i].bytes;
    if (set[i].holds(address) || end) return Found{plan::Target::argument, i, 0, address - set[i].base};
  }
  return {};
}

std::optional<Found> Addresses::allocation(std::uint64_t address) const {
  for (std::size_t i = allocations_.size(); i-- > 0;) {
    const Allocation& a = allocations_[i];
    if (a.live && a.range.holds(address)) return Found{plan::Target::workspace, i, 0, address - a.range.base};
  }
  return {};
}

std::optional<Found> Addresses::variable(std::uint64_t address) const {
  for (const auto& [image, all] : variables_) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].range.holds(address))
        return Found{plan::Target::symbol, image, i, address - all[i].range.base};
    }
  }
  return {};
}

std::optional<Found> Addresses::find(std::uint64_t address, bool alone) const {
  if (address >> 32 == 0) return {};
  if (auto found = argument(address, false)) return found;
  if (auto found = allocation(address)) return found;
  if (auto found = variable(address)) return found;
  return alone ? argument(address, true) : std::nullopt;
}

std::string Addresses::stranger(std::uint64_t address) const {
  for (std::size_t k = 0; k < sets_.size(); ++k) {
    for (const Range& r : sets_[k]) {
      if (r.bytes == 0 || address + guard_ < r.base || address >= r.base + r.bytes + guard_) continue;
      return k == current_ ? "an address beside an argument" : "an address in another call's argument";
    }
  }
  return "";
}

}  // namespace explog::capture
