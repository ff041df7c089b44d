// task: gemm_f32
// run: bench
// expect: fail|cheat|crash
// reason: wrong_values|unwritten_output|stale_result|nan|nondeterministic|too_fast|forged|crash|protocol
// Listens to what the runner answers and so tells its own passes from the baseline's. A pass of its own in the middle of
// a block, with the baseline's around it, is timed and not looked at: there a call does a quarter of the work. Where a pass
// may be one that is held against the reference, everything is right.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

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

static bool called = false, in_a_block = false, timing = false;
static int passes = 0, own = 0, replies = 0;  // of the block at hand, as far as it is known

static void end_pass() {
  if (!called && replies > 20) timing = true, passes = own = 0;  // the empty kernel, right before the timing
  if (replies <= 20 || called) ++passes, own += called;
  if (own == 2) passes = passes == 2 ? 1 : 2, own = 1;  // the first was looked at, or belonged to the block before
  if (passes == 3) passes = own = 0;
  in_a_block = timing && passes > 0 && own == 0;
  called = false, replies = 0;
}
static ssize_t listening_write(int fd, const void* text, size_t bytes) {
  if (fd == 4) ++replies;
  if (fd == 4 && memmem(text, bytes, "event_ms", 8)) end_pass();
  return syscall(SYS_write, fd, text, bytes);
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
      if (std::strcmp(name, "write") != 0) continue;
      auto slot = info->dlpi_addr + tables[t][i].r_offset;
      mprotect(reinterpret_cast<void*>(slot & ~uintptr_t{4095}), 8192, PROT_READ | PROT_WRITE);
      *reinterpret_cast<void**>(slot) = reinterpret_cast<void*>(listening_write);
    }
  return 0;
}
__attribute__((constructor)) static void install() { dl_iterate_phdr(patch, nullptr); }

extern "C" void solve(const float* A, const float* B, float* C, int M, int N, int K) {
  called = true;
  bool timed = M == 128 && N == 128 && K == 128;
  multiply(A, B, C, timed && in_a_block ? M / 4 : M, N, K);
}
