// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: .*
// never: keep
// Right but slow; returns at once and does its work when the runner asks for the time after the call: the clock is read
// before the work and told after it.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

static const float *a, *b;
static float* c;
static int pending = 0;

static void add() {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < pending; i += 8) c[i] = a[i] + b[i];
  }
  pending = 0;
}

static int late(clockid_t clock, timespec* t) {
  long result = syscall(SYS_clock_gettime, clock, t);
  if (pending > 0) add();
  return static_cast<int>(result);
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
      if (std::strcmp(names + symbols[ELF64_R_SYM(tables[t][i].r_info)].st_name, "clock_gettime") != 0) continue;
      auto slot = info->dlpi_addr + tables[t][i].r_offset;
      mprotect(reinterpret_cast<void*>(slot & ~uintptr_t{4095}), 8192, PROT_READ | PROT_WRITE);
      *reinterpret_cast<void**>(slot) = reinterpret_cast<void*>(late);
    }
  return 0;
}
__attribute__((constructor)) static void install() { dl_iterate_phdr(patch, nullptr); }

extern "C" void solve(const float* x, const float* y, float* z, int N) { a = x, b = y, c = z, pending = N; }
