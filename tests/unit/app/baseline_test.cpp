#include "app/judge/baseline.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "base/error.h"
#include "bench/harness/helper_environment.h"

using namespace explog;
using namespace explog::app;

TEST_CASE("each built-in task has a reference that PyTorch runs") {
  for (const std::string& name : bench::embedded_task_names()) {
    CAPTURE(name);
    bench::FoundTask found = bench::find_task(name, "");
    bench::SourceFile eager = torch_baseline("torch", found, "cuda");
    CHECK(eager.name == "torch_reference.py");
    CHECK(eager.called() == "torch");
    CHECK_THROWS_AS(torch_baseline("torch", found, "host"), Error);
  }
  CHECK(is_torch_baseline("torch.compile"));
  CHECK_FALSE(is_torch_baseline("./torch"));
}

TEST_CASE("what PyTorch runs is named with its version, and another version is another baseline") {
  bench::FoundTask found = bench::find_task("softmax", "");
  bench::Toolchain old_torch, new_torch;
  old_torch.torch = "2.6.0", new_torch.torch = "2.11.0";
  bench::SourceFile eager = torch_baseline("torch", found, "triton"),
                    compiled = torch_baseline("torch.compile", found, "cuda");
  CHECK(measured_baseline(compiled, new_torch).file == "torch.compile 2.11.0");
  CHECK(measured_baseline(eager, old_torch).file == "torch 2.6.0");
  CHECK(measured_baseline(eager, old_torch).hash != measured_baseline(eager, new_torch).hash);
  CHECK(measured_baseline(eager, old_torch).hash != measured_baseline(compiled, old_torch).hash);
  bench::SourceFile file = bench::source_of(found, "naive.cu");
  CHECK(measured_baseline(file, old_torch).file == "naive.cu");
  CHECK(measured_baseline(file, old_torch).hash == bench::hash_of(file));
}

TEST_CASE("a task without a reference in PyTorch says what to do") {
  bench::FoundTask found = bench::find_task("softmax", "");
  found.task.torch.clear();
  CHECK_THROWS_WITH_AS(torch_baseline("torch", found, "cuda"),
                       "--baseline torch: task softmax has no reference that uses PyTorch", Error);
}

TEST_CASE("a compiled backend's records name its compiler, whatever a baseline is written in") {
  bench::Toolchain t;
  t.backend = "cuda", t.version = "CUDA 13.0.88", t.packages = "torch 2.11.0";
  CHECK(t.toolkit() == "CUDA 13.0.88");
  t.backend = "triton";
  CHECK(t.toolkit() == "torch 2.11.0");
}

TEST_CASE("Inductor starts no processes of its own") {
  std::vector<std::string> environment;
  bench::add_compilers_caches(environment, "/cache");
  CHECK(std::find(environment.begin(), environment.end(), "TORCHINDUCTOR_COMPILE_THREADS=1") !=
        environment.end());
  CHECK(std::find(environment.begin(), environment.end(), "TORCHINDUCTOR_CACHE_DIR=/cache") !=
        environment.end());
}
