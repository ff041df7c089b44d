// The arguments of one shape in device memory: some sets of buffers with different contents.
#pragma once
#include <string>
#include <vector>

#include "device.h"

namespace explog {

enum class Role { in, out, inout, scalar, workspace };

struct Argument {
  Role role = Role::in;
  FillOrder order;        // type, count, row and what timed calls fill it with; the seed is set for each call
  std::size_t bytes = 0;  // of the payload
  double scalar = 0;      // value of a scalar
  bool writable() const { return role == Role::out || role == Role::inout || role == Role::workspace; }
  bool input() const { return role == Role::in || role == Role::inout; }
};
// "in,f32,1024,64,0.5,normal" (role, type, elements, last dimension, scale, fill) or "scalar,i32,4096".
Argument parse_argument(const std::string& text);

// Each buffer is a slot: guard, 256 bytes more (so that no kernel may count on more than 256-byte alignment),
// the payload padded to 256 bytes, guard. Without guards the slot is the payload alone, which memcheck needs.
class Buffers {
 public:
  Buffers(std::vector<Argument> arguments, std::size_t guard, int sets);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  int sets() const { return static_cast<int>(sets_.size()); }
  void** pointers(int set);  // what solve() is called with
  // Payloads of all inputs, one after the other, each from a multiple of 256 bytes.
  void load(int set, const char* from);
  // Before a verified call: poisons outputs and workspace with their guards, restores what is changed in
  // place.
  void prepare(int set, std::uint64_t poison_seed);
  // Before a timed call: new inputs, poisoned outputs.
  void refill(int set, std::uint64_t seed);
  // All slots, one after the other; without guards not the workspace, which a kernel need not fill.
  void save(int set, char* to) const;
  std::size_t saved_bytes() const;

 private:
  struct Set {
    std::vector<char*> slots, pristine;  // by argument; nullptr for scalars and for what needs none
    std::vector<void*> pointers;
    std::vector<std::uint64_t> scalars;
    std::vector<void*> call;  // addresses of pointers and scalars
  };
  std::size_t slot_bytes(const Argument& a) const;
  bool saved(const Argument& a) const;
  std::size_t payload_at() const { return guard_ == 0 ? 0 : guard_ + 256; }
  void make(Set& set);

  std::vector<Argument> arguments_;
  std::size_t guard_;
  std::vector<Set> sets_;
};

}  // namespace explog
