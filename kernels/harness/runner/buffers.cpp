#include "buffers.h"

#include <sstream>

namespace explog {
namespace {

using protocol::padded;

template <class T, std::size_t N>
T named(const char* const (&names)[N], const std::string& name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<T>(i);
  }
  throw Failure("protocol", "unknown word " + name);
}

constexpr const char* role_names[] = {"in", "out", "inout", "scalar", "workspace"};
constexpr const char* type_names[] = {"f32", "f64", "f16", "bf16", "i32", "i64", "u8"};
constexpr std::size_t type_bytes[] = {4, 8, 2, 2, 4, 8, 1};
constexpr const char* fill_names[] = {"normal", "positive", "mixed", "large", "offset",
                                      "sparse", "integers", "index", "unit",  "equal"};

std::uint64_t scalar_bits(const Argument& a) {
  std::uint64_t bits = 0;
  store_at(&bits, a.order.bits, 0, a.scalar);
  if (a.order.bits == Bits::i64) bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(a.scalar));
  return bits;
}

}  // namespace

Argument parse_argument(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) parts.push_back(part);
  if (parts.size() != 3 && parts.size() != 6) throw Failure("protocol", "argument " + text);
  Argument a;
  a.role = named<Role>(role_names, parts[0]);
  a.order.bits = named<Bits>(type_names, parts[1]);
  if (a.role == Role::scalar) {
    a.scalar = std::stod(parts[2]);
    return a;
  }
  a.order.count = std::stoull(parts[2]);
  a.order.row = std::stoull(parts[3]);
  a.order.scale = std::stod(parts[4]);
  a.order.fill = named<Fill>(fill_names, parts[5]);
  a.bytes = a.order.count * type_bytes[static_cast<int>(a.order.bits)];
  return a;
}

Buffers::Buffers(std::vector<Argument> arguments, std::size_t guard, int sets)
    : arguments_(std::move(arguments)), guard_(guard), sets_(static_cast<std::size_t>(sets)) {
  for (Set& set : sets_) make(set);
}

void Buffers::make(Set& set) {
  std::size_t n = arguments_.size();
  set.slots.assign(n, nullptr);
  set.pristine.assign(n, nullptr);
  set.pointers.assign(n, nullptr);
  set.scalars.assign(n, 0);
  set.call.assign(n, nullptr);
  for (std::size_t i = 0; i < n; ++i) {
    const Argument& a = arguments_[i];
    if (a.role == Role::scalar) {
      set.scalars[i] = scalar_bits(a);
      set.call[i] = &set.scalars[i];
      continue;
    }
    set.slots[i] = static_cast<char*>(device::allocate(slot_bytes(a)));
    set.pointers[i] = set.slots[i] + protocol::payload_offset(guard_);
    set.call[i] = &set.pointers[i];
    if (a.role == Role::inout) set.pristine[i] = static_cast<char*>(device::allocate(padded(a.bytes)));
    if (guard_ > 0) device::poison(set.slots[i], slot_bytes(a), protocol::ones_poison);
  }
}

Buffers::~Buffers() {
  for (Set& set : sets_) {
    for (char* slot : set.slots) {
      if (slot) device::release(slot);
    }
    for (char* copy : set.pristine) {
      if (copy) device::release(copy);
    }
  }
}

bool Buffers::saved(const Argument& a) const {
  return a.role != Role::scalar && (guard_ > 0 || a.role != Role::workspace);
}

void** Buffers::pointers(int set) { return sets_[static_cast<std::size_t>(set)].call.data(); }

void Buffers::load(int set, const char* from) {
  Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& a = arguments_[i];
    if (!a.input()) continue;
    device::copy_in(a.role == Role::inout ? s.pristine[i] : s.pointers[i], from, a.bytes);
    from += padded(a.bytes);
  }
}

void Buffers::prepare(int set, std::uint64_t poison_seed) {
  Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& a = arguments_[i];
    if (a.writable() && guard_ > 0) device::poison(s.slots[i], slot_bytes(a), poison_seed);
    if (a.role == Role::inout) device::copy(s.pointers[i], s.pristine[i], a.bytes);
  }
}

void Buffers::refill(int set, std::uint64_t seed, std::uint64_t poison_seed) {
  Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const Argument& a = arguments_[i];
    if (a.writable()) device::poison(s.slots[i], slot_bytes(a), poison_seed);
    if (!a.input()) continue;
    FillOrder order = a.order;
    order.seed = mix(seed, i);
    device::fill(s.pointers[i], order);
  }
}

void Buffers::save(int set, char* to) const {
  const Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (!saved(arguments_[i])) continue;
    device::copy_out(to, s.slots[i], slot_bytes(arguments_[i]));
    to += slot_bytes(arguments_[i]);
  }
}

std::size_t Buffers::saved_bytes() const {
  std::size_t sum = 0;
  for (const Argument& a : arguments_) sum += saved(a) ? slot_bytes(a) : 0;
  return sum;
}

std::size_t Buffers::input_bytes() const {
  std::size_t sum = 0;
  for (const Argument& a : arguments_) sum += a.input() ? padded(a.bytes) : 0;
  return sum;
}

}  // namespace explog
