#include "images.h"

#include <cstdint>
#include <cstring>
#include <iterator>

namespace explog::capture {
namespace {

// ELF64 (little endian): header, section headers, symbols. Bounds are checked, because the file is the candidate's.
struct Section {
  std::uint32_t name, type;
  std::uint64_t flags, address, offset, size;
  std::uint32_t link, info;
  std::uint64_t alignment, entry;
};
struct ElfSymbol {
  std::uint32_t name;
  std::uint8_t info, other;
  std::uint16_t section;
  std::uint64_t value, size;
};
constexpr std::uint32_t symbol_table = 2;
constexpr int object_type = 1;

class Elf {
 public:
  explicit Elf(const std::string& bytes) : bytes_(bytes) {
    std::uint64_t at = 0;
    std::uint16_t entry = 0, count = 0, names = 0;
    if (bytes.compare(0, 4, "\177ELF") != 0 || !get(40, at) || !get(58, entry) || !get(60, count) ||
        !get(62, names))
      return;
    for (std::uint64_t i = 0; i < count; ++i) {
      Section s{};
      if (entry < sizeof s || !get(at + i * entry, s)) return;
      sections_.push_back(s);
    }
    for (const Section& s : sections_) names_.push_back(names < count ? text(sections_[names], s.name) : "");
  }
  const std::vector<Section>& sections() const { return sections_; }
  const std::string& name(std::size_t section) const { return names_[section]; }
  // A text of a table of texts; empty where there is none.
  std::string text(const Section& table, std::uint64_t at) const {
    if (at >= table.size || table.offset > bytes_.size() || table.size > bytes_.size() - table.offset)
      return "";
    const char* begin = bytes_.data() + table.offset + at;
    return std::string(begin, strnlen(begin, table.size - at));
  }
  template <class T>
  bool get(std::uint64_t at, T& value) const {
    if (at > bytes_.size() || bytes_.size() - at < sizeof value) return false;
    std::memcpy(&value, bytes_.data() + at, sizeof value);
    return true;
  }

 private:
  const std::string& bytes_;
  std::vector<Section> sections_;
  std::vector<std::string> names_;
};

bool holds_variables(const std::string& section) {
  return section.compare(0, 10, ".nv.global") == 0 || section.compare(0, 13, ".nv.constant3") == 0;
}

void add_variables(const Elf& elf, const Section& table, std::vector<std::string>& names) {
  if (table.link >= elf.sections().size()) return;
  for (std::uint64_t at = 0; at + sizeof(ElfSymbol) <= table.size; at += sizeof(ElfSymbol)) {
    ElfSymbol s{};
    if (!elf.get(table.offset + at, s)) return;
    bool variable = (s.info & 15) == object_type && s.section < elf.sections().size() && s.size > 0;
    if (variable && holds_variables(elf.name(s.section)))
      names.push_back(elf.text(elf.sections()[table.link], s.name));
  }
}

}  // namespace

Cubin read_cubin(std::string bytes) {
  Cubin cubin;
  cubin.bytes = std::move(bytes);
  Elf elf(cubin.bytes);
  constexpr std::size_t prefix = 6;  // of ".text."
  for (std::size_t i = 0; i < elf.sections().size(); ++i) {
    if (elf.name(i).compare(0, prefix, ".text.") == 0) cubin.kernels.insert(elf.name(i).substr(prefix));
    if (elf.sections()[i].type == symbol_table) add_variables(elf, elf.sections()[i], cubin.variables);
  }
  return cubin;
}

// The one that came last and that no module has; several may hold a kernel of the same name.
int Images::cubin_with(const std::string& kernel) const {
  int last = -1;
  for (std::size_t i = cubins_.size(); i-- > 0;) {
    if (!cubins_[i].kernels.count(kernel)) continue;
    if (!cubins_[i].taken) return static_cast<int>(i);
    if (last < 0) last = static_cast<int>(i);
  }
  return last;
}

void Images::find_variables(CUmodule module, std::size_t image, const Cubin& cubin) {
  std::vector<Variable> found;
  for (const std::string& name : cubin.variables) {
    CUdeviceptr at = 0;
    std::size_t bytes = 0;
    if (cuModuleGetGlobal(&at, &bytes, module, name.c_str()) == CUDA_SUCCESS)
      found.push_back({name, {at, bytes}, {}});
  }
  addresses_.add_variables(image, std::move(found));
}

int Images::image_of(CUmodule module, const std::string& kernel) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (images_[i].module == module) return static_cast<int>(i);
  }
  int cubin = cubin_with(kernel);
  if (cubin < 0) return -1;
  module_of(static_cast<std::size_t>(cubin), module);
  return static_cast<int>(images_.size()) - 1;
}

void Images::module_of(std::size_t cubin, CUmodule module) {
  Cubin& owner = cubins_[cubin];
  owner.taken = true;
  images_.push_back({module, cubin});
  find_variables(module, images_.size() - 1, owner);
}

void Images::unloaded(CUmodule module) {
  for (std::size_t i = 0; i < images_.size(); ++i) {
    if (images_[i].module != module) continue;
    images_[i].module = nullptr;
    for (auto k = kernels_.begin(); k != kernels_.end();)
      k = k->second.image == static_cast<int>(i) ? kernels_.erase(k) : std::next(k);
  }
}

// Tuners load a library a configuration; the next one may get its handles.
void Images::unloaded(CUlibrary library) {
  CUmodule module = nullptr;
  if (cuLibraryGetModule(&module, library) == CUDA_SUCCESS) unloaded(module);
  unsigned count = 0;
  if (cuLibraryGetKernelCount(&count, library) != CUDA_SUCCESS) return;
  std::vector<CUkernel> kernels(count);
  if (cuLibraryEnumerateKernels(kernels.data(), count, library) != CUDA_SUCCESS) return;
  for (CUkernel kernel : kernels) {
    kernels_.erase(kernel);
    library_kernels_.erase(kernel);
  }
}

const Kernel& Images::kernel(CUfunction function, const char* symbol) {
  auto known = kernels_.find(function);
  if (known != kernels_.end() && known->second.image >= 0) return known->second;
  Kernel k;
  k.function = function;
  std::size_t at = 0, bytes = 0;
  auto library_kernel = reinterpret_cast<CUkernel>(function);
  bool in_library = library_kernels_.count(function) > 0 ||
                    (cuFuncGetParamInfo(function, 0, &at, &bytes) != CUDA_SUCCESS &&
                     cuKernelGetParamInfo(library_kernel, 0, &at, &bytes) == CUDA_SUCCESS);
  if (in_library && cuKernelGetFunction(&k.function, library_kernel) != CUDA_SUCCESS) k.function = nullptr;
  const char* name = symbol;
  if (!name && k.function && cuFuncGetName(&name, k.function) != CUDA_SUCCESS) name = nullptr;
  k.name = name ? name : "";
  for (std::size_t i = 0;; ++i) {
    CUresult result = in_library ? cuKernelGetParamInfo(library_kernel, i, &at, &bytes)
                                 : cuFuncGetParamInfo(function, i, &at, &bytes);
    if (result != CUDA_SUCCESS) break;
    k.parameters.emplace_back(at, bytes);
  }
  CUmodule module = nullptr;
  if (k.function && cuFuncGetModule(&module, k.function) == CUDA_SUCCESS) k.image = image_of(module, k.name);
  return kernels_[function] = std::move(k);
}

}  // namespace explog::capture
