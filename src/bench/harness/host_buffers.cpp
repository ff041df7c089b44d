#include "bench/harness/host_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/parallel.h"
#include "bench/harness/line_protocol.h"
#include "bench/judge/compare.h"
#include "harness/protocol.h"

namespace explog::bench {
namespace {

constexpr double most_ms_while_stopped = 0.02;  // less than any work that pays

[[noreturn]] void out_of_reach() {
  if (errno == EPERM || errno == ENOSYS)
    throw Failed{
        "protocol",
        "this system does not let explog write to the memory of its own child (process_vm_writev); a "
        "container or kernel.yama.ptrace_scope may forbid it"};
  throw Failed{"protocol", fmt::format("its buffers cannot be reached: {}", std::strerror(errno))};
}

void check_reached(int error) {
  if (error == 0) return;
  errno = error;
  out_of_reach();
}

// In pieces that stay in a cache. By one thread: what others wrote would stay in the caches of their processors, which flush() does
// not reach.
void write_poison(const Child& child, std::uint64_t slot, std::size_t bytes, std::uint64_t seed) {
  std::array<std::uint64_t, 8192> words;
  for (std::size_t at = 0; at < bytes; at += sizeof words) {
    const std::size_t n = std::min(sizeof words, bytes - at);
    for (std::size_t i = 0; i < n / 8; ++i) words[i] = poison_word(seed, at / 8 + i);
    if (!child.write_memory(slot + at, reinterpret_cast<const char*>(words.data()), n)) out_of_reach();
  }
}

constexpr std::size_t grain = std::size_t{4} << 20;

// By several threads: whatever of it their caches keep is written over before the next call.
void read_slot(const Child& child, std::uint64_t slot, char* to, std::size_t bytes) {
  std::atomic<int> failed = 0;
  parallel_for(bytes, grain, [&](std::size_t begin, std::size_t end) {
    if (!child.read_memory(slot + begin, to + begin, end - begin)) failed = errno;
  });
  check_reached(failed);
}

// In pieces that stay in a cache: a second copy of large outputs would cost more than to compare them.
bool slot_holds(const Child& child, std::uint64_t slot, const char* bytes_then, std::size_t bytes) {
  std::atomic<int> failed = 0;
  std::atomic<bool> same = true;
  parallel_for(bytes, grain, [&](std::size_t begin, std::size_t end) {
    std::vector<char> now(std::min(end - begin, std::size_t{256} << 10));
    for (std::size_t at = begin; at < end && same; at += now.size()) {
      const std::size_t n = std::min(now.size(), end - at);
      if (!child.read_memory(slot + at, now.data(), n)) failed = errno;
      if (failed != 0 || std::memcmp(now.data(), bytes_then + at, n) != 0) same = false;
    }
  });
  check_reached(failed);
  return same;
}

}  // namespace

void HostBuffers::find(const Json& addresses, const Case& c) {
  addresses_.clear();
  if (!addresses.is_array()) throw Failed{"protocol", "the runner does not say where its buffers lie"};
  for (const Json& set : addresses) {
    if (!set.is_array() || set.size() != c.operands.size())
      throw Failed{"protocol", "the runner has other buffers than it was asked for"};
    std::vector<std::uint64_t>& slots = addresses_.emplace_back();
    for (const Json& address : set)
      slots.push_back(address.is_number_unsigned() ? address.get<std::uint64_t>() : 0);
  }
}

void HostBuffers::write(const Child& child, int set, std::size_t argument, std::size_t offset,
                        const char* from, std::size_t bytes) const {
  std::uint64_t slot = addresses_.at(static_cast<std::size_t>(set)).at(argument);
  if (bytes > 0 && !child.write_memory(slot + offset, from, bytes)) out_of_reach();
}

void HostBuffers::put(const Child& child, const Case& c, int set, const char* payloads,
                      std::uint64_t poison) {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    const Operand& o = c.operands[i];
    if (o.argument->role == Role::scalar) continue;
    if (o.argument->role != Role::in)
      write_poison(child, addresses_.at(static_cast<std::size_t>(set)).at(i), slot_bytes(o), poison);
    if (!o.argument->is_input()) continue;
    write(child, set, i, payload_offset, payloads, o.bytes());
    payloads += padded(o.bytes());
  }
}

void HostBuffers::fill(const Child& child, const Case& c, const SampleOrder& order, double flush_bytes) {
  inputs_.reserve(c.input_bytes());
  generate_inputs(c, order.seed, inputs_.data());
  child.wait_until_off();
  const double before = child.cpu_ms();
  put(child, c, order.set, inputs_.data(), order.poison);
  flush(flush_bytes);
  if (child.cpu_ms() - before > most_ms_while_stopped)
    throw Failed{"forged", "the process ran while it was stopped, between two calls"};
}

void HostBuffers::read(const Child& child, const Case& c, int set, char* slots) const {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    if (c.operands[i].argument->role == Role::scalar) continue;
    std::uint64_t slot = addresses_.at(static_cast<std::size_t>(set)).at(i);
    read_slot(child, slot, slots, slot_bytes(c.operands[i]));
    slots += slot_bytes(c.operands[i]);
  }
}

bool HostBuffers::hold(const Child& child, const Case& c, int set, const char* slots) const {
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    if (c.operands[i].argument->role == Role::scalar) continue;
    const std::size_t bytes = slot_bytes(c.operands[i]);
    if (!slot_holds(child, addresses_.at(static_cast<std::size_t>(set)).at(i), slots, bytes)) return false;
    slots += bytes;
  }
  return true;
}

// One region written, so that lines of the buffers leave the caches, then another read, so that the kernel does not pay for
// writing ours back.
void HostBuffers::flush(double bytes) {
  written_.resize(static_cast<std::size_t>(bytes) / 8);
  read_.resize(written_.size(), 1);
  ++round_;
  for (std::uint64_t& word : written_) word = round_;
  round_ += std::accumulate(read_.begin(), read_.end(), std::uint64_t{0}) != read_.size() ? 1 : 0;
}

}  // namespace explog::bench
