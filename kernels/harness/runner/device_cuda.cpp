// The runner's device: CUDA device 0 of this process.
#include <cuda_runtime.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "activity.h"
#include "device.h"
#include "device_kernels.h"
#include "lent.h"

namespace explog::device {
namespace {

void check(cudaError_t error, const char* what) {
  if (error == cudaSuccess) return;
  std::string reason = error == cudaErrorMemoryAllocation ? "out_of_memory" : "launch_error";
  throw Failure(reason, std::string(what) + ": " + cudaGetErrorString(error));
}

struct Nvml {
  int (*reasons)(void*, unsigned long long*) = nullptr;
  void* device = nullptr;
  std::string driver;  // "580.159.04"
};

struct State {
  cudaDeviceProp properties{};
  bool has_cupti = false, has_persisting = false;
  std::size_t write_bytes = 0, read_bytes = 0;
  void *write_region = nullptr, *read_region = nullptr, *sink = nullptr;
  unsigned round = 0;
  unsigned long long* stamps = nullptr;  // before the pass, then after it
  std::vector<cudaEvent_t> events;
  std::size_t used = 0;  // events of the pass
  Nvml nvml;
  Lent lent{std::size_t{1} << 30};
};
State s;

void open_nvml() {
  void* library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  auto init = reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"));
  auto find =
      reinterpret_cast<int (*)(const char*, void**)>(dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2"));
  auto reasons = dlsym(library, "nvmlDeviceGetCurrentClocksThrottleReasons");
  char bus[32] = "";
  if (!init || !find || !reasons || cudaDeviceGetPCIBusId(bus, sizeof bus, 0) != cudaSuccess) return;
  if (init() != 0) return;
  auto version = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(library, "nvmlSystemGetDriverVersion"));
  char text[80] = "";  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
  if (version && version(text, sizeof text) == 0) s.nvml.driver = text;
  if (find(bus, &s.nvml.device) != 0) return;
  s.nvml.reasons = reinterpret_cast<int (*)(void*, unsigned long long*)>(reasons);
}

int blocks() { return s.properties.multiProcessorCount * 8; }

void stamp(int which) {
  int slots = s.properties.multiProcessorCount;
  kernels::stamp(s.stamps + which * 2 * slots, slots);
}

// Median over the multiprocessors of cycles per second between the two stamps, in MHz.
double sm_mhz() {
  int slots = s.properties.multiProcessorCount;
  std::vector<unsigned long long> values(static_cast<std::size_t>(slots) * 4);
  check(cudaMemcpy(values.data(), s.stamps, values.size() * 8, cudaMemcpyDeviceToHost), "reading the clock");
  std::vector<double> rates;
  for (int i = 0; i < slots; ++i) {
    const auto* before = &values[static_cast<std::size_t>(i) * 2];
    const auto* after = before + 2 * slots;
    if (before[1] != 0 && after[1] > before[1])
      rates.push_back(1e3 * static_cast<double>(after[0] - before[0]) /
                      static_cast<double>(after[1] - before[1]));
  }
  if (rates.empty()) return 0;
  std::nth_element(rates.begin(), rates.begin() + static_cast<long>(rates.size() / 2), rates.end());
  return rates[rates.size() / 2];
}

std::string version_text(int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); }

std::string quoted(const std::string& name, const std::string& value) {
  return "\"" + name + "\":\"" + value + "\"";
}

int attribute(cudaDeviceAttr which) {
  int value = 0;
  cudaDeviceGetAttribute(&value, which, 0);
  return value;
}

// The call's time by CUPTI: from its first activity's start to the last one's end.
void add_activity(Sample& sample, const cupti::Activity& a, std::uint64_t& first, std::uint64_t& last) {
  if (sample.activities++ == 0) first = a.start_ns, last = a.end_ns;
  last = std::max(last, a.end_ns);
  sample.kernel_ms = static_cast<double>(last - first) * 1e-6;
}

// Activities between the end of a flush and the next kernel of ours belong to that sample's call.
void assign_activities(std::vector<Sample>& samples, const std::vector<cupti::Activity>& activities) {
  std::size_t next = 0;
  bool inside = false;
  std::uint64_t first = 0, last = 0;
  for (const cupti::Activity& a : activities) {
    if (a.name == "explog_flush_read") {
      inside = next < samples.size();
      ++next;
    } else if (a.name == "explog_fill" || a.name == "explog_poison" || a.name == "explog_flush_write" ||
               a.name == "explog_stamp" || a.name == "explog_hash" || a.name == "explog_mark") {
      inside = false;
    } else if (inside) {
      add_activity(samples[next - 1], a, first, last);
    }
  }
}

void empty_call(void**) { kernels::empty(); }

}  // namespace

// A driver makes a thread for the host's callbacks at the first one: here, so that a candidate's adds none.
void start_callbacks() {
  cudaLaunchHostFunc(
      nullptr, [](void*) {}, nullptr);
  cudaGetLastError();  // who has no callbacks has no such thread either
}

std::string start() {
  int count = 0;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0)
    throw Failure("no_gpu", error != cudaSuccess ? cudaGetErrorString(error) : "no CUDA device");
  std::string why;
  s.has_cupti = std::getenv("EXPLOG_NO_CUPTI") == nullptr && cupti::start(why);
  check(cudaSetDevice(0), "choosing the device");
  check(cudaGetDeviceProperties(&s.properties, 0), "reading its properties");
  s.has_persisting = s.properties.persistingL2CacheMaxSize > 0;
  if (s.has_persisting) check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0), "clearing the L2 limit");
  std::size_t l2 = static_cast<std::size_t>(s.properties.l2CacheSize);
  s.write_bytes = std::max<std::size_t>(2 * l2, std::size_t{256} << 20);
  // Twice the L2: after one L2's worth a reduction still paid 8% for lines of ours that had not been written
  // back (H200).
  s.read_bytes = std::max<std::size_t>(2 * l2, std::size_t{16} << 20);
  s.sink = allocate(256);
  s.stamps = static_cast<unsigned long long*>(
      allocate(static_cast<std::size_t>(s.properties.multiProcessorCount) * 32));
  start_callbacks();
  open_nvml();
  int driver = 0, runtime = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&runtime);
  // Peak bandwidth: two transfers a clock of a bus of this width.
  double bandwidth =
      2e3 * attribute(cudaDevAttrMemoryClockRate) * (attribute(cudaDevAttrGlobalMemoryBusWidth) / 8.0);
  synchronize();
  return quoted("gpu", s.properties.name) + "," +
         quoted("arch", "sm_" + std::to_string(s.properties.major * 10 + s.properties.minor)) + "," +
         quoted("driver", s.nvml.driver) + "," + quoted("driver_cuda", version_text(driver)) + "," +
         quoted("runtime", version_text(runtime)) +
         ",\"multiprocessors\":" + std::to_string(s.properties.multiProcessorCount) +
         ",\"clock_khz\":" + std::to_string(attribute(cudaDevAttrClockRate)) +
         ",\"memory_bytes\":" + std::to_string(s.properties.totalGlobalMem) +
         ",\"bandwidth\":" + std::to_string(bandwidth) + ",\"cache_bytes\":" + std::to_string(l2) +
         ",\"flush_bytes\":" + std::to_string(s.write_bytes) + "," +
         quoted("clock", s.has_cupti ? "cupti" : "events") +
         (why.empty() ? "" : "," + quoted("cupti_missing", why));
}

// For the first pass: a process that only checks needs none.
void make_regions() {
  if (s.read_region) return;
  s.write_region = allocate(s.write_bytes);
  s.read_region = allocate(s.read_bytes);
  poison(s.read_region, s.read_bytes, 1);
}

void* allocate(std::size_t bytes) {
  void* p = nullptr;
  cudaError_t error = cudaMalloc(&p, bytes);
  if (error == cudaErrorMemoryAllocation && s.lent.release_spare(release)) error = cudaMalloc(&p, bytes);
  if (error == cudaErrorMemoryAllocation) cudaGetLastError();  // not sticky: later shapes may fit
  check(error, "cudaMalloc");
  return p;
}
void release(void* p) { cudaFree(p); }

void* borrow(std::size_t bytes) { return s.lent.borrow(bytes, allocate); }
void give_back(void* p) { s.lent.give_back(p, release); }
void copy_in(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice), "copying in");
}
void copy_out(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost), "copying out");
}
void copy(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice), "copying");
}

void poison(void* p, std::size_t bytes, std::uint64_t seed) {
  if (bytes > 0) kernels::poison(blocks(), static_cast<std::uint64_t*>(p), bytes / 8, seed);
}

void fill(void* p, const FillOrder& order) {
  if (order.count > 0) kernels::fill(blocks(), p, order);
}

void flush() {
  if (s.has_persisting) check(cudaCtxResetPersistingL2Cache(), "resetting persisting lines");
  overwrite_caches();
}

void overwrite_caches() {
  make_regions();
  kernels::write(blocks(), s.write_region, s.write_bytes, ++s.round);
  kernels::read(blocks(), s.read_region, s.read_bytes, static_cast<unsigned*>(s.sink));
}

bool leaves_errors() { return true; }
bool in_reach() { return false; }

void synchronize() {
  check(cudaDeviceSynchronize(), "the kernel failed");
  check(cudaGetLastError(), "the kernel failed");
}

Clocks clocks() {
  Clocks c;
  c.sm_mhz = sm_mhz();
  unsigned long long reasons = 0;
  if (s.nvml.reasons && s.nvml.reasons(s.nvml.device, &reasons) == 0) c.throttle = reasons;
  std::size_t limit = 0;
  if (s.has_persisting && cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize) == cudaSuccess)
    c.persisting_l2 = limit;
  return c;
}

void begin_pass() {
  make_regions();
  s.used = 0;
  if (s.has_cupti) cupti::take();
  check(cudaMemset(s.stamps, 0, static_cast<std::size_t>(s.properties.multiProcessorCount) * 32),
        "clearing stamps");
  stamp(0);
}

void time(Call call, void** arguments) {
  while (s.events.size() < s.used + 2) check(cudaEventCreate(&s.events.emplace_back()), "creating an event");
  check(cudaEventRecord(s.events[s.used]), "recording an event");
  call(arguments);
  check(cudaEventRecord(s.events[s.used + 1]), "recording an event");
  s.used += 2;
  synchronize();
  kernels::mark();
}

std::vector<Sample> end_pass() {
  stamp(1);
  synchronize();
  std::vector<Sample> samples(s.used / 2);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    float ms = 0;
    check(cudaEventElapsedTime(&ms, s.events[2 * i], s.events[2 * i + 1]), "reading an event");
    samples[i].event_ms = ms;
  }
  if (s.has_cupti) assign_activities(samples, cupti::take());
  return samples;
}

Call empty() { return empty_call; }

double burst(Call call, const std::vector<void**>& arguments, int calls) {
  while (s.events.size() < 2) check(cudaEventCreate(&s.events.emplace_back()), "creating an event");
  check(cudaEventRecord(s.events[0]), "recording an event");
  for (int i = 0; i < calls; ++i) call(arguments[burst_set(i, calls, arguments.size())]);
  check(cudaEventRecord(s.events[1]), "recording an event");
  synchronize();
  float ms = 0;
  check(cudaEventElapsedTime(&ms, s.events[0], s.events[1]), "reading an event");
  return ms;
}

bool returns_early(Call call, void** arguments) {
  call(arguments);  // first calls load modules, which waits for the device
  synchronize();
  kernels::spin(20'000'000);
  auto start = std::chrono::steady_clock::now();
  call(arguments);
  auto waited = std::chrono::steady_clock::now() - start;
  synchronize();
  return waited < std::chrono::milliseconds(10);
}

}  // namespace explog::device
