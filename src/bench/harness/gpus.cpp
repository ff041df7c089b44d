#include "bench/harness/gpus.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::bench {
namespace {

bool is_named(const Gpu& gpu, const std::string& name) {
  return gpu.index == name || (name.starts_with("GPU-") && gpu.uuid.starts_with(name));
}

const Gpu& named(const std::vector<Gpu>& all, const std::string& name) {
  auto it = std::find_if(all.begin(), all.end(), [&](const Gpu& gpu) { return is_named(gpu, name); });
  if (it != all.end()) return *it;
  std::vector<std::string> known;
  for (const Gpu& gpu : all) known.push_back(gpu.index);
  throw Error(Exit::usage, "--gpus: no GPU '" + printable(name) + "' here",
              "there are: " + join(known, ", "));
}

void check_one_model(const std::vector<Gpu>& chosen) {
  for (const Gpu& gpu : chosen) {
    if (gpu.name != chosen[0].name)
      throw Error(Exit::usage,
                  fmt::format("GPUs {} and {} are of different models ({}, {})", chosen[0].index, gpu.index,
                              printable(chosen[0].name), printable(gpu.name)),
                  "name those of one model with --gpus");
  }
}

}  // namespace

std::string arch_of_capability(std::string_view capability) {
  int major = 0, minor = 0;
  if (!RE2::FullMatch(capability, R"((\d{1,3})\.(\d))", &major, &minor)) return "";
  return fmt::format("sm_{}{}", major * 10 + minor, major >= 9 ? "a" : "");
}

std::vector<Gpu> parse_gpus(std::string_view csv) {
  std::vector<Gpu> gpus;
  for (std::string_view line : split(csv, '\n')) {
    auto cells = split(line, ',');
    if (cells.size() != 4) continue;
    std::string arch = arch_of_capability(trim(cells[3]));
    if (arch.empty()) continue;
    gpus.push_back({std::string(trim(cells[0])), std::string(trim(cells[1])), std::string(trim(cells[2])),
                    std::move(arch)});
  }
  return gpus;
}

std::vector<Gpu> find_gpus() {
  auto smi = find_program("nvidia-smi");
  std::vector<Gpu> gpus;
  if (smi) {
    Finished run =
        run_program({*smi, "--query-gpu=index,uuid,name,compute_cap", "--format=csv,noheader"}, 20'000);
    if (run.status == 0) gpus = parse_gpus(run.output);
  }
  if (gpus.empty())
    throw Error(
        Exit::unavailable, "no NVIDIA GPU here (nvidia-smi finds none)",
        "use --backend host; `explog check TASK FILE --compile-only --arch sm_NN` compiles without one");
  return gpus;
}

std::vector<Gpu> choose_gpus(const std::vector<Gpu>& all, const std::vector<std::string>& wanted) {
  std::vector<Gpu> chosen = wanted.empty() ? all : std::vector<Gpu>();
  for (const std::string& name : wanted) {
    const Gpu& gpu = named(all, name);
    bool twice = std::any_of(chosen.begin(), chosen.end(), [&](const Gpu& g) { return g.uuid == gpu.uuid; });
    if (twice) throw Error(Exit::usage, "--gpus: GPU " + gpu.index + " is named twice");
    chosen.push_back(gpu);
  }
  check_one_model(chosen);
  return chosen;
}

}  // namespace explog::bench
