#include "model/gemm_heuristics.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/text.h"
#include "model/arch.h"
#include "model/cards.h"
#include "model/json.h"

namespace explog {
namespace {

constexpr std::string_view heuristics_mark = "explog-heuristics ";
constexpr int heuristics_format = 1;

struct HeuristicsGpu {
  std::string_view card;
  int number;
};
// The numbers are the library's.
constexpr auto heuristics_gpus = std::to_array<HeuristicsGpu>({{"A100 SXM4 80GB", 8000},
                                                               {"A100 PCIe 80GB", 8001},
                                                               {"A30", 8002},
                                                               {"A10", 8003},
                                                               {"A40", 8600},
                                                               {"RTX 3090", 8601},
                                                               {"RTX A6000", 8602},
                                                               {"L20", 8900},
                                                               {"L40", 8901},
                                                               {"L40S", 8902},
                                                               {"L4", 8903},
                                                               {"RTX 4090", 8904},
                                                               {"RTX 6000 Ada", 8905},
                                                               {"H100 SXM5", 9000},
                                                               {"H100 PCIe", 9001},
                                                               {"H100 NVL", 9002},
                                                               {"H200", 9003},
                                                               {"H20", 9004},
                                                               {"B200", 10000},
                                                               {"GB200", 10001},
                                                               {"GB300", 10300},
                                                               {"RTX 5080", 12000},
                                                               {"RTX 5090", 12001},
                                                               {"RTX PRO 6000 Blackwell", 12002}});
// Makers of kernels, by the library's numbers too.
constexpr int target_cutlass = 2, target_triton = 3, target_cutlass3 = 4;

char precision_letter(Dtype dtype) {
  switch (dtype) {
    case Dtype::f16:
      return 'H';
    case Dtype::bf16:
      return 'T';
    case Dtype::f32:
      return 'S';
    case Dtype::f64:
      return 'D';
    default:
      return 0;
  }
}

// Of the lowest precision that a sum or product may use.
char sum_letter(const std::string& intermediate) {
  if (intermediate == "tf32") return 'F';
  auto dtype = parse_dtype(intermediate);
  return dtype ? precision_letter(*dtype) : char(0);
}

std::optional<std::int64_t> size_in(const Dims& shape, const std::string& name) {
  for (const auto& [dim, size] : shape) {
    if (dim == name) return size;
  }
  return std::nullopt;
}

// 0 where `wanted` is the dimension at `at` of the last two, 1 where it is the other: transposed. `other` becomes the
// one beside it.
std::optional<int> transposed_by(const Argument& a, const std::string& wanted, std::size_t at,
                                 std::string& other) {
  std::size_t first = a.shape.size() - 2;
  for (std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    if (a.shape[first + i] != wanted || a.shape[first + 1 - i] == wanted) continue;
    other = a.shape[first + 1 - i];
    return i == at ? 0 : 1;
  }
  return std::nullopt;
}

struct Matrices {
  const Argument *a = nullptr, *b = nullptr, *c = nullptr;
};

std::optional<Matrices> matrices_of(const Task& task) {
  Matrices found;
  for (const Argument& argument : task.arguments) {
    if (argument.role == Role::scalar || argument.shape.size() < 2) continue;
    if (argument.is_output() && found.c == nullptr) found.c = &argument;
    if (argument.role != Role::in || found.b != nullptr) continue;
    (found.a == nullptr ? found.a : found.b) = &argument;
  }
  if (found.b == nullptr || found.c == nullptr) return std::nullopt;
  std::size_t rank = found.c->shape.size();
  bool same = rank <= 3 && found.a->shape.size() == rank && found.b->shape.size() == rank;
  if (same && rank == 3)
    same = found.a->shape[0] == found.c->shape[0] && found.b->shape[0] == found.c->shape[0];
  return same ? std::optional(found) : std::nullopt;
}

int tile_size(const Json& value) {
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 1 << 20) bad("a size is no whole number");
  return value.get<int>();
}

template <std::size_t N>
std::array<int, N> tile_sizes(const Json& list) {
  if (!list.is_array() || list.size() != N) bad("a list of sizes has another length");
  std::array<int, N> numbers;
  std::transform(list.begin(), list.end(), numbers.begin(), tile_size);
  return numbers;
}

GemmEstimate estimate_in(const Json& object) {
  GemmEstimate e;
  e.tile = tile_sizes<3>(object.at("tile"));
  e.warp = tile_sizes<3>(object.at("warp"));
  e.cluster = tile_sizes<2>(object.at("cluster"));
  e.split_k = tile_size(object.at("split_k"));
  e.stages = tile_size(object.at("stages"));
  e.swizzle = tile_size(object.at("swizzle"));
  e.ms = 1000 * object.at("seconds").get<double>();
  if (e.ms <= 0 || std::min({e.tile[0], e.tile[1], e.tile[2]}) < 1) bad("an estimate is no time of a tile");
  return e;
}

}  // namespace

std::optional<GemmProduct> gemm_product(const Task& task, const Dims& shape) {
  auto found = matrices_of(task);
  if (!found || found->a->dtype != found->b->dtype) return std::nullopt;
  const std::vector<std::string>& c = found->c->shape;
  std::string depth_a, depth_b;
  auto a = transposed_by(*found->a, c[c.size() - 2], 0, depth_a);
  auto b = transposed_by(*found->b, c.back(), 1, depth_b);
  auto m = size_in(shape, c[c.size() - 2]), n = size_in(shape, c.back()), k = size_in(shape, depth_a);
  auto batch = c.size() == 3 ? size_in(shape, c[0]) : std::optional<std::int64_t>(1);
  if (!a || !b || depth_a != depth_b || !m || !n || !k || !batch) return std::nullopt;
  std::string letters = {precision_letter(found->a->dtype), sum_letter(task.intermediate),
                         precision_letter(found->c->dtype)};
  if (letters.find('\0') != std::string::npos) return std::nullopt;
  return GemmProduct{letters, 2 * *a + *b, *m, *n, *k, *batch};
}

std::optional<int> heuristics_gpu(std::string_view name) {
  const Card* card = find_card(name);
  for (const HeuristicsGpu& gpu : heuristics_gpus) {
    if (card != nullptr && card->name == gpu.card) return gpu.number;
  }
  return std::nullopt;
}

int heuristics_target(const std::string& backend, const std::string& arch) {
  if (backend == "triton") return target_triton;
  return sm_number(canonical_arch(arch).value_or("")).value_or(0) >= 90 ? target_cutlass3 : target_cutlass;
}

int GemmEstimate::warps() const {
  return (tile[0] / std::max(warp[0], 1)) * (tile[1] / std::max(warp[1], 1));
}

GemmEstimates parse_gemm_estimates(std::string_view output) {
  std::size_t at = output.find(heuristics_mark);
  if (at == std::string_view::npos) bad("it says nothing");
  std::string_view line = output.substr(at + heuristics_mark.size());
  Json said = parse_json(line.substr(0, line.find('\n')));
  try {
    refuse_other_format(said, heuristics_format);
    GemmEstimates estimates{said.at("version").get<std::string>(), {}};
    for (const Json& candidate : said.at("candidates")) estimates.list.push_back(estimate_in(candidate));
    return estimates;
  } catch (const Json::exception&) {
    bad("its answer lacks something");
  }
}

Settings settings_of(const GemmEstimate& e, const std::string& backend) {
  auto [m, n, k] = e.tile;
  auto knobs = [](std::initializer_list<std::pair<const char*, int>> list) {
    Settings settings;
    for (const auto& [name, value] : list) settings.emplace_back(name, static_cast<double>(value));
    return settings;
  };
  int blocks = e.cluster[0] * e.cluster[1];
  if (backend == "cutedsl")
    return knobs({{"mma_tiler_m", m},
                  {"mma_tiler_n", n},
                  {"cluster_shape_m", e.cluster[0]},
                  {"cluster_shape_n", e.cluster[1]}});
  if (backend == "cutile")
    return knobs({{"TILE_SIZE_M", m},
                  {"TILE_SIZE_N", n},
                  {"TILE_SIZE_K", k},
                  {"GROUP_SIZE_M", e.swizzle},
                  {"SPLIT_K", e.split_k},
                  {"num_ctas", blocks}});
  if (backend == "triton")
    return knobs({{"BLOCK_M", m},
                  {"BLOCK_N", n},
                  {"BLOCK_K", k},
                  {"GROUP_M", e.swizzle},
                  {"SPLIT_K", e.split_k},
                  {"num_warps", e.warps()},
                  {"num_stages", e.stages}});
  return knobs({{"BLOCK_M", m},
                {"BLOCK_N", n},
                {"BLOCK_K", k},
                {"GROUP_M", e.swizzle},
                {"SPLIT_K", e.split_k},
                {"WARPS", e.warps()},
                {"STAGES", e.stages},
                {"CLUSTER_M", e.cluster[0]},
                {"CLUSTER_N", e.cluster[1]}});
}

}  // namespace explog
