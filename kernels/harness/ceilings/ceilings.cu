// What the device present really reaches, as one JSON object: bandwidth of memory and L2, FLOP a second of
// the CUDA cores and of the tensor cores. Rates are of bursts of some 50 ms: a device that is short of power
// sustains less. Exit status 1: a CUDA error before anything was measured, said in one line; 4: no device.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "loops.h"
#include "timing.h"

namespace {

using namespace ceilings;

struct Result {
  double rate = 0;
  std::string how;
};

struct State {
  cudaDeviceProp properties{};
  int compiled_for = 0;  // __CUDA_ARCH__ of the code that runs
  bool has_wgmma = false;
  double sm_mhz = 0;
  std::map<std::string, Result> ceilings;
  std::map<std::string, std::string> failed;
};
State s;

std::string formatted(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// A failing measure leaves its key as it was, which is absent or a lower bound.
template <class Measure>
void record(const std::string& key, const Measure& measure) {
  try {
    Result result = measure();
    if (!std::isfinite(result.rate) || result.rate <= 0) throw Failure{"no finite rate"};
    if (result.rate > s.ceilings[key].rate) s.ceilings[key] = result;
  } catch (const Failure& failure) {
    s.failed.emplace(key, failure.reason);    // the first reason, of those a key has met
    if (!timer.is_stuck) cudaGetLastError();  // clears what is not sticky
  }
  if (s.ceilings[key].rate <= 0) s.ceilings.erase(key);
}

std::size_t l2_bytes() { return static_cast<std::size_t>(s.properties.l2CacheSize); }

// 1 GiB, or a quarter of the free memory if that is less; multiples of 1 MiB, which hold whole tiles.
std::size_t buffer_bytes() {
  std::size_t free_bytes = 0, total = 0;
  check(cudaMemGetInfo(&free_bytes, &total), "asking for free memory");
  std::size_t bytes = std::min<std::size_t>(std::size_t{1} << 30, free_bytes / 4) >> 20 << 20;
  if (bytes == 0 || bytes < 4 * l2_bytes()) throw Failure{"too little free memory: buffers would fit in L2"};
  return bytes;
}

void fill_all(const Memory& memory, std::size_t bytes) {
  fill<<<s.properties.multiProcessorCount * 8, threads>>>(memory.as<uint4>(), bytes / 16);
  check(cudaGetLastError(), "filling");
}

// Blocks a multiprocessor to try; 0: one tile a block.
constexpr int grids[] = {0, 4, 8, 16, 32};

unsigned blocks_for(int grid, std::size_t bytes, int in_flight) {
  std::size_t tiles = bytes / 16 / (static_cast<std::size_t>(threads) * in_flight);
  std::size_t wanted = static_cast<std::size_t>(s.properties.multiProcessorCount) * grid;
  return static_cast<unsigned>(grid == 0 ? tiles : std::min(tiles, wanted));
}

void keep_better(Result& best, double rate, const std::string& how) {
  if (rate > best.rate) best = {rate, how};
}

std::string grid_text(int grid) {
  return grid == 0 ? "one tile a block" : std::to_string(grid) + " blocks an SM";
}

Result measure_copy() {
  std::size_t bytes = buffer_bytes();
  Memory from(bytes), to(bytes);
  fill_all(from, bytes);
  fill_all(to, bytes);
  std::string size = std::to_string(bytes >> 20) + " MiB + " + std::to_string(bytes >> 20) + " MiB";
  Result best;
  auto driver = [&](int rounds) {
    for (int i = 0; i < rounds; ++i)
      check(cudaMemcpyAsync(to.data, from.data, bytes, cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
  };
  keep_better(best, best_rate(driver, 2.0 * bytes), "copy, " + size + ", cudaMemcpyAsync");
  for (int grid : grids) {
    unsigned blocks = blocks_for(grid, bytes, copy_in_flight);
    auto kernel = [&](int rounds) {
      for (int i = 0; i < rounds; ++i)
        copy_dram<<<blocks, threads>>>(from.as<uint4>(), to.as<uint4>(), bytes / 16);
    };
    keep_better(best, best_rate(kernel, 2.0 * bytes), "copy, " + size + ", uint4 kernel, " + grid_text(grid));
  }
  return best;
}

Result measure_read() {
  std::size_t bytes = buffer_bytes();
  Memory from(bytes), sink(256);
  fill_all(from, bytes);
  Result best;
  for (int grid : grids) {
    unsigned blocks = blocks_for(grid, bytes, read_in_flight);
    auto kernel = [&](int rounds) {
      for (int i = 0; i < rounds; ++i)
        read_dram<<<blocks, threads>>>(from.as<uint4>(), bytes / 16, sink.as<unsigned>());
    };
    keep_better(best, best_rate(kernel, static_cast<double>(bytes)),
                "read, " + std::to_string(bytes >> 20) + " MiB, uint4 kernel, " + grid_text(grid));
  }
  return best;
}

// An L2 of two partitions may hold far lines twice, so smaller sets than half of it are tried as well.
Result measure_l2() {
  if (l2_bytes() < (std::size_t{1} << 18)) throw Failure{"the size of the L2 is not known"};
  std::size_t set = std::size_t{1} << 16;
  while (set * 2 <= l2_bytes() / 2) set *= 2;
  Memory from(set), sink(256);
  fill_all(from, set);
  unsigned blocks = static_cast<unsigned>(s.properties.multiProcessorCount) * 4;
  double round_bytes = 16.0 * blocks * threads * read_in_flight;
  Result best;
  for (int i = 0; i < 3 && set >= (std::size_t{1} << 16); ++i, set /= 2) {
    unsigned mask = static_cast<unsigned>(set / 16 - 1);
    auto kernel = [&](int rounds) {
      read_l2<<<blocks, threads>>>(from.as<uint4>(), mask, rounds, sink.as<unsigned>());
    };
    keep_better(best, best_rate(kernel, round_bytes),
                "read, " + std::to_string(set >> 10) + " KiB again and again, ld.global.cg");
  }
  return best;
}

using Loop = void (*)(int, float*, Stamp*);

// Median over the blocks, in MHz.
double clock_mhz(const Memory& stamps, unsigned blocks) {
  std::vector<Stamp> values(blocks);
  check(cudaMemcpy(values.data(), stamps.data, blocks * sizeof(Stamp), cudaMemcpyDeviceToHost),
        "reading clocks");
  std::vector<double> rates;
  for (const Stamp& v : values)
    if (v.ns > 0) rates.push_back(1e3 * static_cast<double>(v.cycles) / static_cast<double>(v.ns));
  if (rates.empty()) return 0;
  std::nth_element(rates.begin(), rates.begin() + static_cast<long>(rates.size() / 2), rates.end());
  return rates[rates.size() / 2];
}

// Infinity or zeros mean that the units did not do the work that is counted.
void check_results(const Memory& sink, std::size_t count) {
  std::vector<float> values(count);
  check(cudaMemcpy(values.data(), sink.data, count * sizeof(float), cudaMemcpyDeviceToHost),
        "reading results");
  for (float v : values)
    if (!std::isfinite(v) || v == 0) throw Failure{"results are zero or not finite"};
}

// `flops`: of one thread in one round; blocks: as many as run at once, since a second wave would leave a
// tail.
Result measure_loop(Loop loop, double flops, unsigned shared, const std::string& what) {
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, loop, threads, shared),
        "asking for occupancy");
  if (resident == 0) throw Failure{"does not fit on a multiprocessor"};
  unsigned blocks = static_cast<unsigned>(std::min(resident, 4) * s.properties.multiProcessorCount);
  std::size_t count = static_cast<std::size_t>(blocks) * threads;
  Memory sink(count * sizeof(float)), stamps(blocks * sizeof(Stamp));
  check(cudaMemset(sink.data, 0, count * sizeof(float)), "clearing results");
  auto kernel = [&](int rounds) {
    loop<<<blocks, threads, shared>>>(rounds, sink.as<float>(), stamps.as<Stamp>());
  };
  double rate = best_rate(kernel, flops * static_cast<double>(count));
  check_results(sink, count);
  double mhz = clock_mhz(stamps, blocks);
  if (loop == &fma_loop<float>) s.sm_mhz = mhz;
  return {rate, what + formatted(", at %.0f MHz", mhz)};
}

// Idle clocks are a sixth of busy ones, and take some 0.1 s to rise.
void wake() {
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 100 && std::chrono::steady_clock::now() - start < std::chrono::milliseconds(500); ++i)
    try {
      measure_loop(fma_loop<float>, fma_flops, 0, "");
    } catch (const Failure&) {  // to be met again, and recorded, when it counts
      return;
    }
}

// tcgen05 (10.x, 11.x) and wgmma (9.0) do more than mma.sync does.
bool is_bound(int major) { return major >= 9 && major < 12; }

template <Kind kind>
void record_mma(const char* key, const char* shape) {
  std::string what = std::string("mma.sync ") + shape + ", operands in registers";
  if (is_bound(s.properties.major)) what += ", a lower bound: this device has faster instructions";
  record(key, [&] { return measure_loop(mma_loop<kind>, mma_flops(kind) / 32, 0, what); });
}

template <Kind kind>
void record_wgmma(const char* key, const char* shape) {
  std::string what = std::string("wgmma ") + shape + ", operands in shared memory";
  record(key, [&] { return measure_loop(wgmma_loop<kind>, wgmma_flops(kind) / 128, wgmma_shared, what); });
}

void measure_all() {
  record("dram_bytes_per_s", measure_copy);
  record("dram_read_bytes_per_s", measure_read);
  record("l2_bytes_per_s", measure_l2);
  record("fp32_flops",
         [] { return measure_loop(fma_loop<float>, fma_flops, 0, "FMA in registers, CUDA cores"); });
  record("fp64_flops",
         [] { return measure_loop(fma_loop<double>, fma_flops, 0, "FMA in registers, CUDA cores"); });
  if (s.compiled_for >= 750)
    record_mma<Kind::f16>("f16_tensor_flops", s.compiled_for >= 800 ? "m16n8k16" : "m16n8k8");
  if (s.compiled_for >= 800) record_mma<Kind::bf16>("bf16_tensor_flops", "m16n8k16");
  if (s.compiled_for >= 800) record_mma<Kind::tf32>("tf32_tensor_flops", "m16n8k8");
  if (!s.has_wgmma) return;
  // Last: a fault in these would end every later measurement as well.
  record_wgmma<Kind::bf16>("bf16_tensor_flops", "m64n256k16");
  record_wgmma<Kind::f16>("f16_tensor_flops", "m64n256k16");
  record_wgmma<Kind::tf32>("tf32_tensor_flops", "m64n256k8");
}

void start() {
  check(cudaSetDevice(0), "choosing the device");
  check(cudaGetDeviceProperties(&s.properties, 0), "reading its properties");
  check(cudaEventCreate(&timer.from), "creating an event");
  check(cudaEventCreate(&timer.to), "creating an event");
  Memory features(2 * sizeof(int));
  int values[2] = {};
  describe<<<1, 1>>>(features.as<int>());
  check(cudaGetLastError(), "launching the first kernel");
  check(cudaMemcpy(values, features.data, sizeof values, cudaMemcpyDeviceToHost), "running the first kernel");
  s.compiled_for = values[0];
  s.has_wgmma = values[1] != 0;
  wake();
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out + "\"";
}

template <class Map, class Text>
std::string object(const Map& map, const Text& text) {
  std::string out;
  for (const auto& [key, value] : map) {
    if (!out.empty()) out += ',';
    out.append(quoted(key)).append(":").append(text(value));
  }
  return "{" + out + "}";
}

std::string version_text(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

std::string report() {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  const cudaDeviceProp& p = s.properties;
  return "{\"gpu\":" + quoted(p.name) +
         ",\"arch\":" + quoted("sm_" + std::to_string(p.major * 10 + p.minor)) +
         ",\"driver_cuda\":" + quoted(version_text(driver)) +
         ",\"multiprocessors\":" + std::to_string(p.multiProcessorCount) +
         ",\"sm_mhz\":" + formatted("%.1f", s.sm_mhz) +
         ",\"ceilings\":" + object(s.ceilings, [](const Result& r) { return formatted("%.5g", r.rate); }) +
         ",\"how\":" + object(s.ceilings, [](const Result& r) { return quoted(r.how); }) +
         (s.failed.empty()
              ? ""
              : ",\"failed\":" + object(s.failed, [](const std::string& r) { return quoted(r); })) +
         "}";
}

}  // namespace

int main() {
  alarm(300);  // should the driver itself hang
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ||
      (error == cudaSuccess && count == 0)) {
    std::fprintf(stderr, "no CUDA device\n");
    return 4;
  }
  try {
    check(error, "counting devices");
    start();
    measure_all();
    if (s.ceilings.empty()) throw Failure{s.failed.empty() ? "nothing measured" : s.failed.begin()->second};
  } catch (const Failure& failure) {
    std::fprintf(stderr, "ceilings: %s\n", failure.reason.c_str());
    std::_Exit(1);
  }
  std::printf("%s\n", report().c_str());
  std::fflush(stdout);
  std::_Exit(0);  // without the runtime's teardown, which would wait for a kernel that does not end
}
