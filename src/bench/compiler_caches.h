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
  ~CompilerCaches();  // its workers end side by side
  CompilerCaches(const CompilerCaches&) = delete;
  CompilerCaches& operator=(const CompilerCaches&) = delete;

  // Where the caches are; it goes with this object.
  const std::string& folder() const { return folder_; }

  // Starts the workers for so many products, at most as many as this machine has processors, and waits for none: an
  // interpreter with PyTorch takes seconds to begin. They end with the thread that calls this.
  void start(std::size_t products);

  // Calls each product once, with workers that stay for the next time. What fails is left to whoever times the product to
  // find and to say. Returns early once `enough` says so; it is asked from several threads.
  void fill(std::span<const std::string> products, const Case& c, const std::function<bool()>& enough);

 private:
  struct Worker {
    std::unique_ptr<Runner> runner;  // none where its process ended
    bool greeted = false;
  };
  static void work(Worker& worker, const std::string& product, const Case& c);

  Workbench bench_;
  std::string folder_;
  std::vector<Worker> workers_;
};

}  // namespace explog::bench
