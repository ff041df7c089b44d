// The device code of this process: which cubin a kernel comes from, its parameters, its variables.
#pragma once
#include <cuda.h>

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "addresses.h"

namespace explog::capture {

// A cubin as the driver loaded it, and what its tables name.
struct Cubin {
  std::string bytes;
  std::set<std::string> kernels;
  std::vector<std::string> variables;
  bool taken = false;  // by a module
};
Cubin read_cubin(std::string bytes);

struct Kernel {
  std::string name;
  int image = -1;  // -1: its cubin was not seen
  CUfunction function = nullptr;
  std::vector<std::pair<std::size_t, std::size_t>> parameters;  // offset, bytes
};

class Images {
 public:
  explicit Images(Addresses& addresses) : addresses_(addresses) {}

  // A cubin that the driver has loaded. Gives its number.
  std::size_t loaded(const char* bytes, std::size_t size) {
    cubins_.push_back(read_cubin({bytes, size}));
    return cubins_.size() - 1;
  }
  // The module of a cubin, where the call that loaded it says so: several may hold kernels of the same names.
  void module_of(std::size_t cubin, CUmodule module);
  // Its handle, and those of its kernels, may be given to others from now on.
  void unloaded(CUmodule module);
  void unloaded(CUlibrary library);
  // Handles of library kernels go where functions are expected.
  void library_kernel(const void* handle) { library_kernels_.insert(handle); }
  // What a launch names is a CUfunction, or a CUkernel of a library in its place. Asks the driver once for each.
  const Kernel& kernel(CUfunction function, const char* symbol);
  const std::string& bytes(std::size_t image) const { return cubins_[images_[image].cubin].bytes; }
  std::size_t cubins() const { return cubins_.size(); }

 private:
  struct Loaded {
    CUmodule module = nullptr;
    std::size_t cubin = 0;
  };
  int image_of(CUmodule module, const std::string& kernel);
  int cubin_with(const std::string& kernel) const;
  void find_variables(CUmodule module, std::size_t image, const Cubin& cubin);

  Addresses& addresses_;
  std::deque<Cubin> cubins_;  // asking the driver may load more: references must stay
  std::vector<Loaded> images_;
  std::set<const void*> library_kernels_;
  std::map<const void*, Kernel> kernels_;
};

}  // namespace explog::capture
