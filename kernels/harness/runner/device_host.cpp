// The runner's device where there is no GPU: host memory, the steady clock.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "device.h"
#include "lent.h"

namespace explog::device {
namespace {

using Steady = std::chrono::steady_clock;

double milliseconds_since(Steady::time_point start) {
  return std::chrono::duration<double, std::milli>(Steady::now() - start).count();
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "processor";
}

// Twice the private L2 cache, 4 MiB at least.
std::size_t flush_bytes() {
  long l2 = sysconf(_SC_LEVEL2_CACHE_SIZE);
  return std::max<std::size_t>(std::size_t{4} << 20, l2 > 0 ? 2 * static_cast<std::size_t>(l2) : 0);
}

std::vector<Sample> samples;
Lent lent{std::size_t{64} << 20};

void limit(decltype(RLIMIT_AS) resource, rlim_t most) {
  rlimit now{};
  getrlimit(resource, &now);
  now.rlim_max = std::min(now.rlim_max, most);
  now.rlim_cur = std::min(now.rlim_cur, now.rlim_max);
  setrlimit(resource, &now);
}

void nothing(void**) {}

}  // namespace

std::string start() {
  // Half of the machine's memory as address space: a hog fails alone. (A CUDA process reserves far more than
  // it uses.)
  rlim_t half = static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) / 2;
  limit(RLIMIT_AS, half);
  // What may be written to a file of its folder, and how many files or pipes it may hold, each with memory of the kernel's.
  limit(RLIMIT_FSIZE, rlim_t{64} << 20);
  limit(RLIMIT_NOFILE, 1024);
  std::string name;
  for (char c : processor()) {
    if (c != '"' && c != '\\') name += c;
  }
  return "\"gpu\":\"" + name + "\",\"arch\":\"host\",\"flush_bytes\":" + std::to_string(flush_bytes()) +
         ",\"cache_bytes\":" + std::to_string(flush_bytes() / 2) + ",\"clock\":\"steady\"";
}

void* allocate(std::size_t bytes) {
  void* p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!p && lent.release_spare(release)) p = std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  if (!p) throw Failure("out_of_memory", "no room for " + std::to_string(bytes) + " bytes");
  return p;
}
void release(void* p) { std::free(p); }
void* borrow(std::size_t bytes) { return lent.borrow(bytes, allocate); }
void give_back(void* p) { lent.give_back(p, release); }
void copy_in(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_out(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }

void poison(void* p, std::size_t bytes, std::uint64_t seed) {
  auto* words = static_cast<std::uint64_t*>(p);
  for (std::size_t i = 0; i < bytes / 8; ++i) words[i] = poison_word(seed, i);
}

void fill(void* p, const FillOrder& order) { fill_span(p, order, 0, order.count); }

void flush() {}
bool in_reach() { return true; }

bool leaves_errors() { return false; }
void synchronize() {}
Clocks clocks() { return {}; }

void begin_pass() { samples.clear(); }
void time(Call call, void** arguments) {
  auto start = Steady::now();
  call(arguments);
  samples.push_back({milliseconds_since(start), 0, 0});
}
std::vector<Sample> end_pass() { return samples; }
Call empty() { return nothing; }

double burst(Call call, const std::vector<void**>& arguments, int calls) {
  auto start = Steady::now();
  for (int i = 0; i < calls; ++i) call(arguments[burst_set(i, calls, arguments.size())]);
  return milliseconds_since(start);
}
bool returns_early(Call, void**) { return false; }
std::string profile(const std::vector<std::string>&, const std::function<void()>&,
                    const std::function<void()>&) {
  throw Failure("unprofiled", "the host backend has no GPU counters");
}

}  // namespace explog::device
