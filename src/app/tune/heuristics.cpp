#include "app/tune/heuristics.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "bench/harness/gpus.h"
#include "bench/harness/matmul_heuristics.h"
#include "model/cards.h"
#include "model/kernel_type.h"
#include "model/transfer.h"

namespace explog::app {

using namespace bench;

namespace {

std::string tool_name(const GemmEstimates& estimates) { return "nvMatmulHeuristics " + estimates.version; }

bool is_tile(const std::string& name) {
  return name.starts_with("BLOCK_") || name.starts_with("TILE_SIZE_") || name.starts_with("mma_tiler_");
}

bool has_tile(const Settings& settings) {
  return std::any_of(settings.begin(), settings.end(), [](const auto& s) { return is_tile(s.first); });
}

// A kernel without it does the same: nothing to tell.
void drop_ones(Settings& settings) {
  std::erase_if(settings, [](const auto& s) { return as_number(s.second) == 1; });
}

// Whether the space has a knob for a side of the tile.
bool has_tile_knob(const TuneRequest& request) {
  GemmEstimate any;
  any.tile = {1, 1, 1};
  Transferred t =
      transferred(settings_of(any, request.key.backend), request.space.space, request.rows.rows.front());
  return has_tile(t.taken);
}

std::string first_gpu() {
  try {
    return find_gpus().front().name;
  } catch (const Error&) {
    return "";
  }
}

std::string unknown_gpu(const std::string& gpu) { return "nvMatmulHeuristics knows no " + printable(gpu); }

// The same configuration once: a backend may have no word for what made two of them differ.
std::vector<std::pair<Settings, double>> distinct_settings(const GemmEstimates& estimates,
                                                           const std::string& backend) {
  std::vector<std::pair<Settings, double>> list;
  for (const GemmEstimate& e : estimates.list) {
    Settings settings = settings_of(e, backend);
    bool again =
        std::any_of(list.begin(), list.end(), [&](const auto& other) { return other.first == settings; });
    if (!again) list.emplace_back(std::move(settings), e.ms);
  }
  return list;
}

// "tune: BLOCK_M 64 128": every value that one of them has.
std::vector<std::string> knob_lines(const std::vector<std::pair<Settings, double>>& list) {
  std::vector<std::string> lines;
  for (std::size_t knob = 0; !list.empty() && knob < list.front().first.size(); ++knob) {
    std::vector<double> values;
    for (const auto& [settings, ms] : list) values.push_back(*as_number(settings[knob].second));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    if (values == std::vector<double>{1}) continue;
    std::string line = "tune: " + list.front().first[knob].first;
    for (double value : values) line += " " + number_text(value);
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace

std::vector<TuneCandidate> estimated_rows(const GemmEstimates& estimates, const std::string& backend,
                                          const Space& space, const std::vector<Configuration>& rows) {
  std::map<Configuration, std::size_t> numbers;
  for (std::size_t row = 0; row < rows.size(); ++row) numbers.emplace(rows[row], row);
  std::vector<TuneCandidate> candidates;
  for (auto& [asked, ms] : distinct_settings(estimates, backend)) {
    Transferred t = transferred(asked, space, rows.front());
    auto it = numbers.find(t.row);
    if (!has_tile(t.taken) || has_tile(t.moved) || it == numbers.end()) continue;
    bool again = std::any_of(candidates.begin(), candidates.end(),
                             [&](const TuneCandidate& c) { return c.row == it->second; });
    if (again) continue;
    TuneCandidate c{it->second, settings_of(space, t.row), tool_name(estimates), t.no_counterpart};
    drop_ones(c.no_counterpart);
    c.moved = t.moved;
    c.asked = asked;
    c.estimate_ms = ms;
    candidates.push_back(std::move(c));
  }
  return candidates;
}

HeuristicsCandidates heuristics_candidates(const TuneRequest& request, const TuneOptions& o) {
  const TuningKey& key = request.key;
  bool product =
      family_of(canonical_kernel_type(key.kernel_type)) == "gemm" && request.files.toolchain.row().on_gpu;
  auto question = product ? gemm_product(request.files.found.task, key.shape) : std::nullopt;
  if (!question || !has_tile_knob(request)) return {};
  std::string library = find_matmul_heuristics(o.names.python);
  if (library.empty()) return {};
  auto gpu = heuristics_gpu(key.gpu);
  if (!gpu) return {{}, unknown_gpu(key.gpu)};
  HeuristicsAnswer said = ask_matmul_heuristics(
      library, HeuristicsQuestion{*gpu, heuristics_target(key.backend, key.arch), *question});
  if (!said.trouble.empty()) return {{}, said.trouble};
  return {estimated_rows(said.estimates, key.backend, request.space.space, request.rows.rows), ""};
}

HeuristicsTemplate heuristics_template(const Task& task, const Dims& shape, const std::string& backend,
                                       const std::string& gpu, const std::string& python) {
  auto question = gemm_product(task, shape);
  std::string library = question ? find_matmul_heuristics(python) : "";
  if (library.empty()) return {};
  HeuristicsAnswer here = ask_matmul_heuristics(library);
  if (!here.trouble.empty()) return {{}, here.trouble};
  std::string device = gpu.empty() ? first_gpu() : gpu;
  if (device.empty())
    return {{}, tool_name(here.estimates) + " is here and no GPU is: name one, --gpu 'NVIDIA H200'"};
  auto number = heuristics_gpu(device);
  if (!number) return {{}, unknown_gpu(device)};
  int target = heuristics_target(backend, arch_of_card(device).value_or(""));
  HeuristicsAnswer said = ask_matmul_heuristics(library, HeuristicsQuestion{*number, target, *question});
  if (!said.trouble.empty()) return {{}, said.trouble};
  auto list = distinct_settings(said.estimates, backend);
  TuneTemplate t{
      tool_name(said.estimates),
      fmt::format("what it expects of {}, {} on {}", task.name, dims_text(shape), printable(device)),
      knob_lines(list), list};
  return {std::move(t), ""};
}

}  // namespace explog::app
