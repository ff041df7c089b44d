// A candidate in the runner's own process: a shared object with its solve().
#include <dlfcn.h>

#include <array>

#include "loaded.h"

namespace explog {
namespace {

// The entry points of the libraries that are loaded, an arm each, and a function for each that guards its calls: what is
// timed is a plain function.
std::array<Call, 2> entries;
template <std::size_t number>
void guarded(void** arguments) {
  run_guarded("solve()", [arguments] { entries[number](arguments); });
}
constexpr std::array<Call, 2> guards = {guarded<0>, guarded<1>};

class Library : public Loaded {
 public:
  explicit Library(const std::string& path) : place_(entries[0] ? 1 : 0) {
    void* handle = run_guarded("its loading", [&] { return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL); });
    if (!handle) throw Failure("load_error", dlerror());
    auto entry = reinterpret_cast<Call>(dlsym(handle, "explog_call"));
    if (!entry) throw Failure("load_error", "no entry point");
    if (device::leaves_errors())
      error_ = reinterpret_cast<int (*)(const char**)>(dlsym(handle, "explog_error"));
    entries[place_] = entry;
  }
  ~Library() override { entries[place_] = nullptr; }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  Call function() const override { return guards[place_]; }
  // Errors of launches stay in the runtime that the candidate was linked with.
  void raise_errors() const override {
    const char* text = "";
    if (error_ && error_(&text) != 0) throw Failure("launch_error", text);
  }

 private:
  std::size_t place_;
  int (*error_)(const char**) = nullptr;
};

}  // namespace

std::unique_ptr<Loaded> load_file(const std::string& path) {
  std::size_t at = path.rfind('.');
  if (at != std::string::npos && path.substr(at) == module_ending) return load_module(path);
  return std::make_unique<Library>(path);
}

}  // namespace explog
