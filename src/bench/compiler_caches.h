// Compilers behind Python run where a kernel is launched, one configuration after the other. Workers launch each
// configuration once, side by side and untimed, so that the compilers' caches hold all of them before one process times them.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bench/workbench.h"

namespace explog::bench {

class CompilerCaches {
 public:
  // Starts nothing.
  CompilerCaches(const FoundTask& task, const Toolchain& toolchain);

  // Where the caches are; it goes with this object.
  const std::string& folder() const { return folder_; }

  // Starts the workers for so many products, at most as many as this machine has processors; all at once, because an
  // interpreter with PyTorch takes seconds to begin. They end with the thread that calls this.
  void start(std::size_t products);

  // Calls each product once in every case, with workers that stay for the next time. What fails is left to whoever times the
  // product to find and to say. Returns early once `enough` says so; it is asked from several threads.
  void fill(std::span<const std::string> products, std::span<const Case* const> cases,
            const std::function<bool()>& enough);

 private:
  Workbench bench_;
  std::string folder_;
  std::vector<std::unique_ptr<Runner>> workers_;
};

}  // namespace explog::bench
