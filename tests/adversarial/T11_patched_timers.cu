// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: forged|too_fast|.*
// never: keep
// Right but three times too slow; puts functions of its own into the import tables of all loaded objects: the
// time between events is a quarter of what it was, clocks run four times slower.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

#include <cuda_runtime.h>

__global__ void add(const float* x, const float* y, float* z, int N) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) z[i] = x[i] + y[i];
}

static int forged_clock(clockid_t clock, timespec* t) {
  int status = static_cast<int>(syscall(SYS_clock_gettime, clock, t));
  long long ns = (t->tv_sec * 1000000000ll + t->tv_nsec) / 4;
  t->tv_sec = ns / 1000000000, t->tv_nsec = ns % 1000000000;
  return status;
}
static cudaError_t forged_events(float* ms, cudaEvent_t start, cudaEvent_t end) {
  cudaError_t status = cudaEventElapsedTime(ms, start, end);
  *ms /= 4;
  return status;
}

static int patch(dl_phdr_info* info, size_t, void*) {
  auto base = info->dlpi_addr, own = reinterpret_cast<uintptr_t>(&patch);
  const ElfW(Dyn)* dyn = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& p = info->dlpi_phdr[i];
    if (p.p_type == PT_DYNAMIC) dyn = reinterpret_cast<ElfW(Dyn)*>(base + p.p_vaddr);
    if (p.p_type == PT_LOAD && own - base - p.p_vaddr < p.p_memsz) return 0;
  }
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  const ElfW(Rela) * tables[2] = {};
  size_t sizes[2] = {};
  for (; dyn && dyn->d_tag != DT_NULL; ++dyn) {
    if (dyn->d_tag == DT_PLTRELSZ) sizes[0] = dyn->d_un.d_val / sizeof(ElfW(Rela));
    if (dyn->d_tag == DT_RELASZ) sizes[1] = dyn->d_un.d_val / sizeof(ElfW(Rela));
    if (dyn->d_un.d_ptr < base) continue;
    if (dyn->d_tag == DT_SYMTAB) symbols = reinterpret_cast<ElfW(Sym)*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_STRTAB) names = reinterpret_cast<const char*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_JMPREL) tables[0] = reinterpret_cast<ElfW(Rela)*>(dyn->d_un.d_ptr);
    if (dyn->d_tag == DT_RELA) tables[1] = reinterpret_cast<ElfW(Rela)*>(dyn->d_un.d_ptr);
  }
  for (int t = 0; symbols && names && t < 2; ++t)
    for (size_t i = 0; tables[t] && i < sizes[t]; ++i) {
      const char* name = names + symbols[ELF64_R_SYM(tables[t][i].r_info)].st_name;
      void* forged = std::strcmp(name, "clock_gettime") == 0 ? reinterpret_cast<void*>(forged_clock)
                     : std::strncmp(name, "cudaEventElapsedTime", 20) == 0
                         ? reinterpret_cast<void*>(forged_events)
                         : nullptr;
      if (!forged) continue;
      auto slot = base + tables[t][i].r_offset;
      mprotect(reinterpret_cast<void*>(slot & ~uintptr_t{4095}), 8192, PROT_READ | PROT_WRITE);
      *reinterpret_cast<void**>(slot) = forged;
    }
  return 0;
}
__attribute__((constructor)) static void install() { dl_iterate_phdr(patch, nullptr); }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  for (int repeat = 0; repeat < 3; ++repeat) add<<<(N + 255) / 256, 256>>>(x, y, z, N);
}
