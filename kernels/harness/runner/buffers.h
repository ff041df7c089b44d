// The arguments of one shape in device memory: some sets of buffers with different contents.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "device.h"
#include "harness/protocol.h"

namespace explog {

enum class Role { in, out, inout, scalar, workspace };

struct Argument {
  Role role = Role::in;
  FillOrder order;  // type, count, row and what timed calls fill it with; the seed is set for each call
  std::vector<std::uint64_t> extents;  // of the dimensions, outermost first
  std::size_t bytes = 0;               // of the payload
  double scalar = 0;                   // value of a scalar
  bool writable() const { return role == Role::out || role == Role::inout || role == Role::workspace; }
  bool input() const { return role == Role::in || role == Role::inout; }
};

// What solve() is called with, and the dimensions that it comes from.
struct Shape {
  std::vector<std::pair<std::string, std::int64_t>> dims;
  std::vector<Argument> arguments;
  // Adds "N=4096", "in,f32,16x64,0.5,normal" (role, type, extents, scale, fill) or "scalar,i32,4096". Throws
  // Failure("protocol").
  void add(const std::string& word);
};

// Each buffer is a slot of harness/protocol.h.
class Buffers {
 public:
  Buffers(Shape shape, std::size_t guard, int sets);
  ~Buffers();
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;

  int sets() const { return static_cast<int>(sets_.size()); }
  const Shape& shape() const { return shape_; }
  const std::vector<Argument>& arguments() const { return shape_.arguments; }
  void** pointers(int set);  // what solve() is called with
  // Whether these bytes are all of an output; whether some of them belong to an argument.
  bool is_output(int set, const void* at, std::size_t bytes) const;
  bool holds(int set, const void* at, std::size_t bytes) const;
  // Payloads of all inputs, one after the other, each padded.
  void load(int set, const char* from);
  // Before a verified call: poisons outputs and workspace with their guards, restores what is changed in
  // place.
  void prepare(int set, std::uint64_t poison_seed);
  // Before a timed call: inputs drawn on the device, poisoned outputs.
  void refill(int set, std::uint64_t seed, std::uint64_t poison_seed);
  void refill(int set, std::uint64_t seed) { refill(set, seed, seed | 1); }
  // All slots, one after the other; without guards not the workspace, which a kernel need not fill.
  void save(int set, char* to) const;
  std::size_t saved_bytes() const;
  std::size_t input_bytes() const;  // what load() takes
  std::string addresses() const;    // of the slots, [[a, b, 0], ...] by set and argument; 0 for a scalar

 private:
  struct Set {
    std::vector<char*> slots, pristine;  // by argument; nullptr for scalars and for what needs none
    std::vector<void*> pointers;
    std::vector<std::uint64_t> scalars;
    std::vector<void*> call;  // addresses of pointers and scalars
  };
  std::size_t slot_bytes(const Argument& a) const { return protocol::slot_bytes(guard_, a.bytes); }
  bool saved(const Argument& a) const;
  void make(Set& set);
  void* take(std::size_t bytes) const;
  void give_up(void* p) const;

  Shape shape_;
  std::size_t guard_;
  std::vector<Set> sets_;
};

}  // namespace explog
