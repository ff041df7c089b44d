// What the addresses of this process mean: arguments, allocations of the candidate, variables of its images.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../plan.h"

namespace explog::capture {

struct Range {
  std::uint64_t base = 0, bytes = 0;
  // One past the end still belongs to a range where nothing else begins there.
  bool holds(std::uint64_t address) const { return address >= base && address - base < bytes; }
};

struct Allocation {
  Range range;
  plan::Memory memory = plan::Memory::device;
  bool live = true;
  int call = -1;                      // in which it was made; -1: before any captured one
  std::optional<std::string> before;  // what it held before the call
};

struct Variable {
  std::string name;
  Range range;
  std::optional<std::string> before;
};

// Where an address lies: a Place whose id is the index here; the plan numbers by use.
struct Found {
  plan::Target target = plan::Target::argument;
  std::size_t index = 0, variable = 0;  // allocation; image and its variable
  std::uint64_t plus = 0;
};

class Addresses {
 public:
  // The buffers of a set, by argument; scalars are empty ranges. `guard` bytes lie on both sides.
  void add_set(std::vector<Range> arguments, std::uint64_t guard);
  void use_set(std::size_t set) { current_ = set; }
  void forget_sets() { sets_.clear(); }  // their buffers go
  void allocated(std::uint64_t base, std::uint64_t bytes, plan::Memory memory, int call);
  void freed(std::uint64_t base);
  void add_variables(std::size_t image, std::vector<Variable> variables) { variables_[image] = variables; }

  // `alone`: the 8 bytes are a parameter by themselves, so that an address one past the end counts too.
  std::optional<Found> find(std::uint64_t address, bool alone) const;
  // Why an address that was not found is none to be left as it is; empty where nothing is known of it.
  std::string stranger(std::uint64_t address) const;

  std::vector<Allocation>& allocations() { return allocations_; }
  std::map<std::size_t, std::vector<Variable>>& variables() { return variables_; }

 private:
  std::optional<Found> argument(std::uint64_t address, bool alone) const;
  std::optional<Found> allocation(std::uint64_t address) const;
  std::optional<Found> variable(std::uint64_t address) const;

  std::vector<std::vector<Range>> sets_;
  std::size_t current_ = 0;
  std::uint64_t guard_ = 0;
  std::vector<Allocation> allocations_;
  std::map<std::size_t, std::vector<Variable>> variables_;  // by image
};

}  // namespace explog::capture
