#include "model/transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "model/parameter_names.h"

namespace explog {
namespace {

struct Meaning {
  std::string_view name, meaning;
};

// Lower case. What stands in none of these rows means what it is called.
constexpr auto meanings = std::to_array<Meaning>({
    {"block_size_m", "tile_m"},
    {"block_m", "tile_m"},
    {"tile_size_m", "tile_m"},
    {"tm", "tile_m"},
    {"mma_tiler_m", "tile_m"},
    {"wg_tile_m", "tile_m"},
    {"block_size_n", "tile_n"},
    {"block_n", "tile_n"},
    {"tile_size_n", "tile_n"},
    {"tn", "tile_n"},
    {"mma_tiler_n", "tile_n"},
    {"wg_tile_n", "tile_n"},
    {"block_size_k", "tile_k"},
    {"block_k", "tile_k"},
    {"tile_size_k", "tile_k"},
    {"tk", "tile_k"},
    {"wg_tile_k", "tile_k"},
    {"bm", "tile_m"},
    {"bn", "tile_n"},
    {"bk", "tile_k"},
    {"group_size_m", "group_m"},
    {"swizzle_group", "group_m"},
    {"swizzle_group_m", "group_m"},
    {"group_size", "group_m"},
    {"group", "group_m"},
    {"warps", "num_warps"},
    {"stages", "num_stages"},
    {"cluster_m", "cluster_shape_m"},
    {"cluster_n", "cluster_shape_n"},
    {"block_size", "block"},
    {"tile_size", "block"},
    {"tile", "block"},
});

std::string meaning_of(std::string_view name) {
  std::string low = lower(name);
  auto it = std::find_if(meanings.begin(), meanings.end(), [&](const Meaning& m) { return m.name == low; });
  return it != meanings.end() ? std::string(it->meaning) : low;
}

// The parameter that `name` of another kernel is here; nothing where there is none, or another name has taken it.
std::optional<std::size_t> counterpart(const std::string& name, const Space& to,
                                       const std::vector<bool>& taken) {
  auto found = [&](auto&& same) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < to.parameters.size(); ++i) {
      if (!taken[i] && same(to.parameters[i].name)) return i;
    }
    return std::nullopt;
  };
  if (auto i = found([&](const std::string& own) { return lower(own) == lower(name); })) return i;
  std::string shared = shared_parameter_name(name), meaning = meaning_of(name);
  if (auto i = found([&](const std::string& own) { return shared_parameter_name(own) == shared; })) return i;
  return found([&](const std::string& own) { return meaning_of(own) == meaning; });
}

double apart(double a, double b) { return a > 0 && b > 0 ? std::abs(std::log2(a / b)) : std::abs(a - b); }

// The number of the listed value that is nearest; nothing for text that is not listed.
std::optional<std::uint32_t> nearest_value(const Parameter& p, const Scalar& value) {
  std::optional<std::uint32_t> best;
  auto wanted = as_number(value);
  for (std::uint32_t i = 0; i < p.values.size(); ++i) {
    if (p.values[i] == value) return i;
    auto own = as_number(p.values[i]);
    if (!wanted || !own) continue;
    if (!best || apart(*own, *wanted) < apart(*as_number(p.values[*best]), *wanted)) best = i;
  }
  return best;
}

}  // namespace

Transferred transferred(const Settings& from, const Space& to, const Configuration& original) {
  Transferred result{original, {}, {}, {}};
  std::vector<bool> taken(to.parameters.size());
  for (const auto& [name, value] : from) {
    auto i = counterpart(name, to, taken);
    auto number = i ? nearest_value(to.parameters[*i], value) : std::nullopt;
    if (!number) {
      result.no_counterpart.emplace_back(name, value);
      continue;
    }
    taken[*i] = true;
    result.row[*i] = *number;
    result.taken.emplace_back(name, value);
    if (as_number(to.parameters[*i].values[*number]) != as_number(value))
      result.moved.emplace_back(name, value);
  }
  return result;
}

}  // namespace explog
