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

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

Argument parse_argument(const std::string& text) {
  std::vector<std::string> parts = split_at(text, ',');
  if (parts.size() != 3 && parts.size() != 5) throw Failure("protocol", "argument " + text);
  Argument a;
  a.role = named<Role>(role_names, parts[0]);
  a.order.bits = named<Bits>(type_names, parts[1]);
  if (a.role == Role::scalar) {
    a.scalar = std::stod(parts[2]);
    return a;
  }
  if (parts.size() != 5) throw Failure("protocol", "argument " + text);
  a.order.count = 1;
  for (const std::string& extent : split_at(parts[2], 'x')) {
    a.extents.push_back(std::stoull(extent));
    a.order.row = a.extents.back();
    a.order.count *= a.order.row;
  }
  a.order.scale = std::stod(parts[3]);
  a.order.fill = named<Fill>(fill_names, parts[4]);
  a.bytes = a.order.count * type_bytes[static_cast<int>(a.order.bits)];
  return a;
}

}  // namespace

void Shape::add(const std::string& word) {
  if (std::size_t at = word.find('='); at != std::string::npos) {
    dims.emplace_back(word.substr(0, at), std::stoll(word.substr(at + 1)));
  } else {
    arguments.push_back(parse_argument(word));
  }
}

Buffers::Buffers(Shape shape, std::size_t guard, int sets)
    : shape_(std::move(shape)), guard_(guard), sets_(static_cast<std::size_t>(sets)) {
  for (Set& set : sets_) make(set);
}

void Buffers::make(Set& set) {
  std::size_t n = shape_.arguments.size();
  set.slots.assign(n, nullptr);
  set.pristine.assign(n, nullptr);
  set.pointers.assign(n, nullptr);
  set.scalars.assign(n, 0);
  set.call.assign(n, nullptr);
  for (std::size_t i = 0; i < n; ++i) {
    const Argument& a = shape_.arguments[i];
    if (a.role == Role::scalar) {
      set.scalars[i] = scalar_bits(a);
      set.call[i] = &set.scalars[i];
      continue;
    }
    set.slots[i] = static_cast<char*>(take(slot_bytes(a)));
    set.pointers[i] = set.slots[i] + protocol::payload_offset(guard_);
    set.call[i] = &set.pointers[i];
    if (a.role == Role::inout) set.pristine[i] = static_cast<char*>(take(padded(a.bytes)));
    if (guard_ > 0) device::poison(set.slots[i], slot_bytes(a), protocol::ones_poison);
  }
}

Buffers::~Buffers() {
  for (Set& set : sets_) {
    for (char* slot : set.slots) {
      if (slot) give_up(slot);
    }
    for (char* copy : set.pristine) {
      if (copy) give_up(copy);
    }
  }
}

// Without guards a tool looks for accesses beyond the end, which is where an allocation ends.
void* Buffers::take(std::size_t bytes) const {
  return guard_ > 0 ? device::borrow(bytes) : device::allocate(bytes);
}

void Buffers::give_up(void* p) const { guard_ > 0 ? device::give_back(p) : device::release(p); }

bool Buffers::saved(const Argument& a) const {
  return a.role != Role::scalar && (guard_ > 0 || a.role != Role::workspace);
}

void** Buffers::pointers(int set) { return sets_[static_cast<std::size_t>(set)].call.data(); }

bool Buffers::is_output(int set, const void* at, std::size_t bytes) const {
  const Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < shape_.arguments.size(); ++i) {
    const Argument& a = shape_.arguments[i];
    bool is_one = a.role == Role::out || a.role == Role::inout;
    if (is_one && s.pointers[i] == at && a.bytes == bytes) return true;
  }
  return false;
}

bool Buffers::holds(int set, const void* at, std::size_t bytes) const {
  const Set& s = sets_[static_cast<std::size_t>(set)];
  auto begin = reinterpret_cast<std::uintptr_t>(at);
  for (std::size_t i = 0; i < shape_.arguments.size(); ++i) {
    auto slot = reinterpret_cast<std::uintptr_t>(s.slots[i]);
    if (slot != 0 && begin < slot + slot_bytes(shape_.arguments[i]) && slot < begin + bytes) return true;
  }
  return false;
}

void Buffers::load(int set, const char* from) {
  Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < shape_.arguments.size(); ++i) {
    const Argument& a = shape_.arguments[i];
    if (!a.input()) continue;
    device::copy_in(a.role == Role::inout ? s.pristine[i] : s.pointers[i], from, a.bytes);
    from += padded(a.bytes);
  }
}

void Buffers::prepare(int set, std::uint64_t poison_seed) {
  Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < shape_.arguments.size(); ++i) {
    const Argument& a = shape_.arguments[i];
    if (a.writable() && guard_ > 0) device::poison(s.slots[i], slot_bytes(a), poison_seed);
    if (a.role == Role::inout) device::copy(s.pointers[i], s.pristine[i], a.bytes);
  }
}

void Buffers::refill(int set, std::uint64_t seed, std::uint64_t poison_seed) {
  Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < shape_.arguments.size(); ++i) {
    const Argument& a = shape_.arguments[i];
    if (a.writable()) device::poison(s.slots[i], slot_bytes(a), poison_seed);
    if (!a.input()) continue;
    FillOrder order = a.order;
    order.seed = mix(seed, i);
    device::fill(s.pointers[i], order);
  }
}

void Buffers::save(int set, char* to) const {
  const Set& s = sets_[static_cast<std::size_t>(set)];
  for (std::size_t i = 0; i < shape_.arguments.size(); ++i) {
    if (!saved(shape_.arguments[i])) continue;
    device::copy_out(to, s.slots[i], slot_bytes(shape_.arguments[i]));
    to += slot_bytes(shape_.arguments[i]);
  }
}

std::size_t Buffers::saved_bytes() const {
  std::size_t sum = 0;
  for (const Argument& a : shape_.arguments) sum += saved(a) ? slot_bytes(a) : 0;
  return sum;
}

std::string Buffers::addresses() const {
  std::ostringstream out;
  for (const Set& set : sets_) {
    out << (&set == sets_.data() ? "[" : "],") << "[";
    for (const char* const& slot : set.slots)
      out << (&slot == set.slots.data() ? "" : ",") << reinterpret_cast<std::uintptr_t>(slot);
  }
  out << (sets_.empty() ? "[]" : "]]");
  return out.str();
}

std::size_t Buffers::input_bytes() const {
  std::size_t sum = 0;
  for (const Argument& a : shape_.arguments) sum += a.input() ? padded(a.bytes) : 0;
  return sum;
}

}  // namespace explog
