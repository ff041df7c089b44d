// task: gemm_f32
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// at most: 1.4
// Right, and truly a quarter faster: a quarter of the rows is multiplied well. The baseline beside it does a seventh of its
// work twice, so that both together seem to be more.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

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

static void multiply_well(const float* A, const float* B, float* C, int M, int N, int K) {
  for (int i = 0; i < M; ++i) {
    float* c = C + (long long)i * N;
    for (int j = 0; j < N; ++j) c[j] = 0;
    for (int k = 0; k < K; ++k) {
      for (int j = 0; j < N; ++j) c[j] += A[(long long)i * K + k] * B[(long long)k * N + j];
    }
  }
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K);

static void slower(const float* A, const float* B, float* C, int M, int N, int K) {
  multiply(A, B, C, M / 7, N, K);
  asm volatile("" ::: "memory");
  multiply(A, B, C, M, N, K);
}

static int look(dl_phdr_info* info, size_t, void*) {
  void* library = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
  auto* other = library ? static_cast<unsigned char*>(dlsym(library, "solve")) : nullptr;
  if (!other || other == reinterpret_cast<unsigned char*>(&solve)) return 0;
  auto page = reinterpret_cast<uintptr_t>(other) & ~uintptr_t{4095};
  if (mprotect(reinterpret_cast<void*>(page), 8192, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return 0;
#if defined(__x86_64__)
  unsigned char jump[12] = {0x48, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xE0};  // mov rax, target; jmp rax
  void* target = reinterpret_cast<void*>(slower);
  std::memcpy(jump + 2, &target, 8);
#else
  unsigned char jump[16] = {0x50, 0, 0, 0x58, 0, 0x02, 0x1F, 0xD6};  // ldr x16, 8; br x16
  void* target = reinterpret_cast<void*>(slower);
  std::memcpy(jump + 8, &target, 8);
#endif
  std::memcpy(other, jump, sizeof jump);
  __builtin___clear_cache(reinterpret_cast<char*>(other), reinterpret_cast<char*>(other) + sizeof jump);
  return 0;
}

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  static int calls = 0;
  if (calls++ % 20 == 0) dl_iterate_phdr(look, nullptr);
  int plain = M * 3 / 4;
  multiply(A, B, C, plain, N, K);
  multiply_well(A + (long long)plain * K, B, C + (long long)plain * N, M - plain, N, K);
}
