// A candidate in the runner's own process: a shared object with its solve().
#include <dlfcn.h>

#include "loaded.h"

namespace explog {
namespace {

class Library : public Loaded {
 public:
  explicit Library(const std::string& path) {
    void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) throw Failure("load_error", dlerror());
    call_ = reinterpret_cast<Call>(dlsym(handle, "explog_call"));
    error_ = reinterpret_cast<int (*)(const char**)>(dlsym(handle, "explog_error"));
    if (!call_) throw Failure("load_error", "no entry point");
  }
  Call function() const override { return call_; }
  // Errors of launches stay in the runtime that the candidate was linked with.
  void raise_errors() const override {
    const char* text = "";
    if (error_ && error_(&text) != 0) throw Failure("launch_error", text);
  }

 private:
  Call call_ = nullptr;
  int (*error_)(const char**) = nullptr;
};

}  // namespace

std::unique_ptr<Loaded> load_file(const std::string& path) {
  std::size_t at = path.rfind('.');
  if (at != std::string::npos && path.substr(at) == module_ending) return load_module(path);
  return std::make_unique<Library>(path);
}

}  // namespace explog
