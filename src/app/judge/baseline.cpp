#include "app/judge/baseline.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "bench/harness/python.h"
#include "model/backend.h"

namespace explog::app {

using namespace bench;

const std::vector<std::string>& torch_baselines() {
  static const std::vector<std::string> names = {std::string(eager_torch), std::string(compiled_torch)};
  return names;
}

bool is_torch_baseline(const std::string& named) {
  return std::find(torch_baselines().begin(), torch_baselines().end(), named) != torch_baselines().end();
}

SourceFile torch_baseline(const std::string& named, const FoundTask& found, const std::string& backend) {
  if (!backend_named(backend).on_gpu)
    throw Error(Exit::usage,
                "--baseline " + named + ": torch is a baseline of GPU backends, and " + backend + " is none",
                "name a file");
  const Task& task = found.task;
  SourceFile source;
  if (!task.torch.empty())
    source = source_of(found, task.torch);
  else if (is_python(task.reference))
    source = source_of(found, task.reference);
  if (!uses_torch(source.text))
    throw Error(
        Exit::usage, "--baseline " + named + ": task " + task.name + " has no reference that uses PyTorch",
        "write reference(...) into a file beside task.json, and its name there: \"torch\": \"FILE.py\"");
  source.run_by = named;
  return source;
}

MeasuredFile measured_baseline(const SourceFile& baseline, const Toolchain& toolchain) {
  std::string hash = hash_of(baseline);
  if (baseline.run_by.empty()) return {baseline.name, hash};
  return {baseline.run_by + " " + toolchain.torch, hex(blake2b_128(hash + '\0' + toolchain.torch))};
}

}  // namespace explog::app
