// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: baseline_sabotaged|.*
// never: keep
// Right, and no faster than the baseline; finds the other loaded object that exports solve() and overwrites its first bytes
// with a jump to a version that does a sixth of the work twice: less than a busy machine may slow a baseline.
#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

extern "C" void solve(const float* x, const float* y, float* z, int N);

static void slower(const float* x, const float* y, float* z, int N) {
  add(x, y, z, N / 6);
  asm volatile("" ::: "memory");
  add(x, y, z, N);
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

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  dl_iterate_phdr(look, nullptr);
  add(x, y, z, N);
}
