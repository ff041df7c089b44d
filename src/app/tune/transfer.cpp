#include "app/tune/transfer.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "app/tune/configs.h"
#include "app/tune/store.h"
#include "intake/common.h"
#include "model/arch.h"
#include "model/kernel_type.h"
#include "model/transfer.h"
#include "store/configurations.h"

namespace explog::app {
namespace {

constexpr std::size_t most_candidates = 5, most_of_a_list = 3;
// How far these are, in doublings of a shape.
constexpr double other_backend = 2, other_arch = 3, unknown_dimension = 0.5, without_time = 1;

struct Known {
  Settings settings;
  std::string from;
  double distance = 0;
};

double shape_distance(const Dims& a, const Dims& b) {
  double sum = 0;
  for (const auto& [name, size] : a) {
    auto same = [&, &wanted = name](const auto& dim) { return dim.first == wanted; };
    auto it = std::find_if(b.begin(), b.end(), same);
    bool known = it != b.end() && it->second > 0 && size > 0;
    sum += known ? std::abs(std::log2(static_cast<double>(size) / static_cast<double>(it->second)))
                 : unknown_dimension;
  }
  return sum;
}

double place_distance(const TuningKey& key, const std::string& backend, const std::string& gpu,
                      const std::string& arch) {
  double distance = key.backend == backend ? 0 : other_backend;
  if (key.gpu == gpu) return distance;
  auto here = canonical_arch(key.arch), there = canonical_arch(arch);
  return distance + other_arch * (here && there ? 1 - arch_weight(*here, *there) : 1);
}

std::string place_text(const std::string& kernel, const Dims& shape, const std::string& gpu) {
  std::string text = kernel;
  if (!shape.empty()) text += ", " + dims_text(shape);
  return gpu.empty() ? text : text + ", " + gpu;
}

std::vector<Known> known_results(const TuningKey& key, const std::string& family, const Session& session) {
  std::vector<Known> list;
  for (const StoredTuned& stored : stored_results("", session)) {
    const Tuned& t = stored.tuned;
    if (t.best_ms <= 0 || family_of(canonical_kernel_type(t.key.kernel_type)) != family) continue;
    double distance =
        place_distance(key, t.key.backend, t.key.gpu, t.key.arch) + shape_distance(key.shape, t.key.shape);
    list.push_back({t.best, place_text(t.key.task + "/" + t.key.kernel, t.key.shape, t.key.gpu), distance});
  }
  return list;
}

// A configuration as names and values; what is no number or text is left out.
Settings settings_in(const std::string& json) {
  Settings settings;
  Json params = parse_json(json);
  if (!params.is_object()) return settings;
  for (const auto& [name, value] : params.items()) {
    if (value.is_number()) settings.emplace_back(name, value.get<double>());
    if (value.is_boolean()) settings.emplace_back(name, value.get<bool>() ? 1.0 : 0.0);
    if (value.is_string()) settings.emplace_back(name, value.get<std::string>());
  }
  return settings;
}

// Rows of a size are known by how far that is from the shape's M, the number of rows.
double size_distance(const ConfigRow& row, const Dims& shape) {
  if (!row.size) return 0;
  return shape_distance({{"M", *row.size}}, shape);
}

void add_set(std::vector<Known>& list, const ConfigSet& set, const TuningKey& key) {
  std::string backend = set.runtime == "cutile" ? "cutile" : "triton";
  double distance =
      place_distance(key, backend, set.gpu, canonical_arch(set.gpu).value_or("")) + without_time;
  std::vector<Known> rows;
  for (const ConfigRow& row : set.rows) {
    Settings settings = settings_in(row.params);
    if (settings.empty()) continue;
    Dims shape = set.shape;
    if (row.size) shape.emplace_back("M", *row.size);
    rows.push_back(
        {std::move(settings), place_text(set.runtime + " " + set.kernel, shape, set.gpu),
         distance + (row.size ? size_distance(row, key.shape) : shape_distance(key.shape, set.shape))});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Known& a, const Known& b) { return a.distance < b.distance; });
  if (rows.size() > most_of_a_list) rows.resize(most_of_a_list);
  list.insert(list.end(), rows.begin(), rows.end());
}

std::vector<Known> known_sets(const TuningKey& key, const std::string& family, const Session& session) {
  std::vector<Known> list;
  sql::Db db = session.reader();
  for (const std::string& runtime : config_runtimes()) {
    for (const ConfigSet& set : store::config_sets(db, runtime, "")) {
      if (family_of(intake::kernel_type_of(set.kernel)) == family) add_set(list, set, key);
    }
  }
  return list;
}

}  // namespace

std::vector<TuneCandidate> transfer_candidates(const TuneRequest& request, const Session& session) {
  std::string family = family_of(canonical_kernel_type(request.key.kernel_type));
  std::vector<Known> known = known_results(request.key, family, session);
  for (Known& k : known_sets(request.key, family, session)) known.push_back(std::move(k));
  std::stable_sort(known.begin(), known.end(),
                   [](const Known& a, const Known& b) { return a.distance < b.distance; });
  std::map<Configuration, std::size_t> rows;
  for (std::size_t row = 0; row < request.rows.rows.size(); ++row) rows.emplace(request.rows.rows[row], row);
  std::vector<TuneCandidate> candidates;
  for (const Known& k : known) {
    Transferred t = transferred(k.settings, request.space.space, request.rows.rows.front());
    auto it = rows.find(t.row);
    if (t.taken.empty() || it == rows.end() || it->second == 0)
      continue;  // a rule excludes it, or it is the original
    bool again = std::any_of(candidates.begin(), candidates.end(),
                             [&](const TuneCandidate& c) { return c.row == it->second; });
    if (again) continue;
    candidates.push_back(
        {it->second, settings_of(request.space.space, t.row), k.from, std::move(t.no_counterpart)});
    if (candidates.size() == most_candidates) break;
  }
  return candidates;
}

}  // namespace explog::app
