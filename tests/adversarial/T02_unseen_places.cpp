// task: gemm_f32
// run: check
// expect: fail|cheat
// reason: work_escaped|thread_left|unwritten_output|stale_result|wrong_values|nan
// Returns before the last row is there, which a thread of its own writes a moment later. It listens to what the runner is told,
// and so knows the places of the outputs that a harness of its kind looks at right after a call: these are written before.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <thread>

// The baseline's own code.
static void multiply(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i) {
    for (int j = 0; j < N; ++j) {
      float sum = 0;
      for (int k = 0; k < K; ++k) sum += A[(long long)i * K + k] * B[(long long)k * N + j];
      C[(long long)i * N + j] = sum;
    }
  }
}

static char text[65536];
static ssize_t have = 0, at = 0;
static unsigned long long poison = 0;
static bool known = false;

static ssize_t listening_read(int fd, void* to, size_t bytes) {
  if (fd != 3) return syscall(SYS_read, fd, to, bytes);
  if (at == have) {
    have = syscall(SYS_read, fd, text, sizeof text - 1), at = 0;
    if (have <= 0) return have = 0;
    text[have] = 0;
    int arm = 0, set = 0;
    const char* call = std::strstr(text, " call ");
    known = call && std::sscanf(call, " call %d %d %llu", &arm, &set, &poison) == 3;
  }
  ssize_t part = 0;
  while (at < have && part < static_cast<ssize_t>(bytes)) static_cast<char*>(to)[part++] = text[at++];
  return part;
}

static int patch(dl_phdr_info* info, size_t, void*) {
  const ElfW(Dyn)* dyn = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      dyn = reinterpret_cast<ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * tables[2] = {};
  size_t sizes[2] = {};
  for (; dyn && dyn->d_tag != DT_NULL; ++dyn) {
    if (dyn->d_un.d_ptr < info->dlpi_addr && dyn->d_tag != DT_PLTRELSZ && dyn->d_tag != DT_RELASZ) continue;
    if (dyn->d_tag == DT_SYMTAB) symbols = reinterpret_cast<ElfW(Sym)*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_JMPREL) tables[0] = reinterpret_cast<ElfW(Rela)*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_RELA) tables[1] = reinterpret_cast<ElfW(Rela)*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_PLTRELSZ) sizes[0] = dyn->d_un.d_val / sizeof(ElfW(Rela));
    if (dyn->d_tag == DT_RELASZ) sizes[1] = dyn->d_un.d_val / sizeof(ElfW(Rela));
  }
  for (int t = 0; symbols && names && t < 2; ++t)
    for (size_t i = 0; tables[t] && i < sizes[t]; ++i) {
      const char* name = names + symbols[ELF64_R_SYM(tables[t][i].r_info)].st_name;
      if (std::strcmp(name, "read") != 0) continue;
      auto slot = info->dlpi_addr + tables[t][i].r_offset;
      mprotect(reinterpret_cast<void*>(slot & ~uintptr_t{4095}), 8192, PROT_READ | PROT_WRITE);
      *reinterpret_cast<void**>(slot) = reinterpret_cast<void*>(listening_read);
    }
  return 0;
}
__attribute__((constructor)) static void install() { dl_iterate_phdr(patch, nullptr); }

// The harness's own.
static uint64_t mix(uint64_t seed, uint64_t index) {
  uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

struct Job {
  const float *A, *B;
  float* C;
  int N, K;
};
static Job job;
static std::atomic<bool> todo{false};

static void finish() {
  for (;;) {
    timespec moment{0, 20'000};
    while (!todo) nanosleep(&moment, nullptr);
    multiply(job.A, job.B, job.C, 1, job.N, job.K);
    todo = false;
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  if (M != 128 || N != 128 || K != 128) return multiply(A, B, C, M, N, K);
  static std::thread* helper = new std::thread(finish);
  (void)helper;
  while (todo) {
  }
  multiply(A, B, C, M - 1, N, K);
  for (int i = 0; known && i < 512; ++i) {
    uint64_t word = mix(mix(poison, 2), static_cast<uint64_t>(i)) % (128 * 128 / 2);
    for (uint64_t e = 2 * word; e < 2 * word + 2; ++e) {
      int row = static_cast<int>(e / 128), column = static_cast<int>(e % 128);
      float sum = 0;
      for (int k = 0; k < K && row == M - 1; ++k) sum += A[row * K + k] * B[k * N + column];
      if (row == M - 1) C[e] = sum;
    }
  }
  job = {A + (long long)(M - 1) * K, B, C + (long long)(M - 1) * N, N, K};
  todo = true;
}
