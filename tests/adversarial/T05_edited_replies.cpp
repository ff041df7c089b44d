// task: vector_add
// run: bench
// expect: fail|cheat|crash|pass
// reason: forged|too_fast|.*
// never: keep
// Right but twice as slow as the baseline; puts a write() of its own into the import tables of all loaded
// objects, which divides the times in the runner's replies by four: no extra thread, and every reply carries
// what the supervisor asked for.
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

// The baseline's own loop.
static void add(const float* x, const float* y, float* z, int N) {
  for (int t = 0; t < 8; ++t) {
    for (long long i = t; i < N; i += 8) z[i] = x[i] + y[i];
  }
}

static bool mine = false;  // the last kernel that ran was this one, not the baseline

// Divides the numbers behind "ms": and in the lists event_ms and kernel_ms; keeps the text's length.
static std::string edited(std::string text) {
  for (const char* key : {"event_ms\":[", "kernel_ms\":[", "\"ms\":"}) {
    size_t at = text.find(key);
    if (at == std::string::npos) continue;
    at += std::strlen(key);
    while (at < text.size() && text[at] != ']' && text[at] != '}') {
      size_t end = text.find_first_of(",]}", at);
      std::string number = std::to_string(std::atof(&text[at]) / 4);
      number.resize(end - at, '0');
      text.replace(at, end - at, number);
      at = end + (text[end] == ',');
      if (text[at] == '"') break;
    }
  }
  return text;
}
static ssize_t forged_write(int fd, const void* data, size_t size) {
  std::string text(static_cast<const char*>(data), size);
  if (mine) text = edited(text);
  mine = false;
  return syscall(SYS_write, fd, text.data(), text.size());
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
      if (std::strcmp(names + symbols[ELF64_R_SYM(tables[t][i].r_info)].st_name, "write") != 0) continue;
      auto slot = base + tables[t][i].r_offset;
      mprotect(reinterpret_cast<void*>(slot & ~uintptr_t{4095}), 8192, PROT_READ | PROT_WRITE);
      *reinterpret_cast<void**>(slot) = reinterpret_cast<void*>(forged_write);
    }
  return 0;
}
__attribute__((constructor)) static void install() { dl_iterate_phdr(patch, nullptr); }

extern "C" void solve(const float* x, const float* y, float* z, int N) {
  mine = true;
  for (int repeat = 0; repeat < 2; ++repeat) {
    add(x, y, z, N);
    asm volatile("" ::: "memory");
  }
}
