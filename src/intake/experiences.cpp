#include "intake/experiences.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "intake/common.h"
#include "intake/dims.h"
#include "intake/measured_rows.h"
#include "model/arch.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr size_t longest_row = size_t{200} * 1024;  // a stored line is read back with a limit of 256 KiB
constexpr size_t most_extra = 100;

constexpr std::array<const char*, 17> known_keys = {
    "id",           "date",         "iteration",      "kernel",
    "backend",      "chip",         "dims",           "bottleneck_before",
    "speedup",      "optimization", "hypothesis",     "outcome",
    "notes",        "merged_count", "dominant_stall", "metrics_before",
    "metrics_after"};

// Its memory_sol_pct is DRAM throughput, not Nsight Compute's memory speed of light.
constexpr std::array<std::pair<const char*, const char*>, 3> metric_names = {
    {{"memory_sol_pct", "dram__throughput.avg.pct_of_peak_sustained_elapsed"},
     {"sm_sol_pct", "sm__throughput.avg.pct_of_peak_sustained_elapsed"},
     {"achieved_occupancy", "sm__warps_active.avg.pct_of_peak_sustained_active"}}};

// A row that cannot be used; caught where its place is known.
struct RowFault {
  std::string why;
};

std::string short_json(const Json& value) {
  return ellipsis(printable(value.dump(-1, ' ', false, Json::error_handler_t::replace)), 40);
}

// "unknown" and a dash are how the log says "not given".
std::string word_at(const Json& row, const char* key) {
  const Json& value = member(row, key);
  if (!value.is_null() && !value.is_string())
    throw RowFault{fmt::format("{}: expected text, got {}", key, short_json(value))};
  std::string text(trim(text_of(value)));
  return text == "unknown" || text == "-" || text == "\xE2\x80\x94" ? "" : text;
}

std::optional<double> number_at(const Json& object, const char* key, const std::string& name) {
  const Json& value = member(object, key);
  if (value.is_null() || text_of(value) == "\xE2\x80\x94" ||
      (value.is_string() && trim(text_of(value)).empty()))
    return std::nullopt;
  auto number = number_of(value);
  if (!number) throw RowFault{fmt::format("{}: expected a number, got {}", name, short_json(value))};
  return number;
}

void read_metrics(const Json& row, const char* key, Facts& metrics, std::optional<double>& latency) {
  const Json& set = member(row, key);
  if (set.is_null()) return;
  if (!set.is_object()) throw RowFault{fmt::format("{}: expected an object, got {}", key, short_json(set))};
  for (const auto& [from, to] : metric_names) {
    if (auto value = number_at(set, from, fmt::format("{}.{}", key, from))) metrics.emplace_back(to, *value);
  }
  latency = number_at(set, "latency_ms", fmt::format("{}.latency_ms", key));
}

void keep_extra(Experience& e, const std::string& key, const Json& value) {
  if (e.extra.size() >= most_extra) throw RowFault{fmt::format("more than {} keys", most_extra)};
  std::string name =
      find_field(key) != nullptr ? "experiences." + key : key;  // explog's own names mean something else
  bool twice =
      std::any_of(e.extra.begin(), e.extra.end(), [&](const auto& entry) { return entry.first == name; });
  if (!twice) e.extra.emplace_back(name, json_text(value));
}

bool is_read_metric(std::string_view name) {
  return name == "latency_ms" || std::any_of(metric_names.begin(), metric_names.end(),
                                             [&](const auto& m) { return name == m.first; });
}

// What has no field of its own. The id is left out: the log renumbers its rows, and a row read again must be
// known.
void read_extra(const Json& row, Experience& e) {
  for (const auto& [key, value] : row.items()) {
    bool known = std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end();
    bool kept_as_is = key == "date" || key == "merged_count";
    if ((!known || kept_as_is) && !value.is_null()) keep_extra(e, key, value);
  }
  for (const char* key : {"metrics_before", "metrics_after"}) {
    for (const auto& [name, value] : member(row, key).items()) {
      if (!is_read_metric(name) && !value.is_null()) keep_extra(e, std::string(key) + "." + name, value);
    }
  }
}

void read_chip(const std::string& chip, Experience& e) {
  std::string word = lower(chip);
  bool arch =
      word.starts_with("sm") || word.starts_with("gfx") || word.starts_with("compute") || parse_number(word);
  (arch ? e.arch : e.gpu) = chip;
}

// "v3" and 3 are iteration 3.
void read_iteration(const Json& row, Experience& e) {
  const Json& value = member(row, "iteration");
  if (value.is_null()) return;
  std::string text = lower(trim(text_of(value)));
  e.iteration = value.is_string() && text.starts_with('v') ? parse_number(text.substr(1)) : number_of(value);
  if (!e.iteration && !text.empty() && text != "\xE2\x80\x94") keep_extra(e, "iteration", value);
}

void read_shape(const Json& row, Experience& e, std::vector<std::string>& remarks) {
  const Json& value = member(row, "dims");
  auto dims = read_dims(value);
  if (!dims) {
    remarks.push_back("dims " + short_json(value) + " not understood: kept as they are, shape unknown");
    keep_extra(e, "dims", value);
    return;
  }
  e.shape = std::move(dims->shape);
  e.dtype = std::move(dims->dtype);
  if (e.shape.empty()) remarks.emplace_back("no dims: shape unknown");
}

void remark_bottleneck(const Experience& e, std::vector<std::string>& remarks) {
  constexpr std::array<const char*, 6> own = {"memory_bound",    "compute_bound", "latency_bound",
                                              "occupancy_bound", "grid_anomaly",  "unknown"};
  bool listed = e.bottleneck.empty() || std::find(own.begin(), own.end(), e.bottleneck) != own.end();
  if (listed || !canonical(Vocabulary::bottleneck, e.bottleneck))
    return;  // prepare() reports what nobody knows
  remarks.push_back("bottleneck '" + printable(e.bottleneck) + "' is not a word of the log's own list");
}

// The log rounds speed-ups to two digits: what follows from the latencies is derived from them again, more
// exactly.
void check_speedup(Experience& e, std::vector<std::string>& remarks) {
  bool latencies =
      e.latency_before_ms && e.latency_after_ms && *e.latency_before_ms > 0 && *e.latency_after_ms > 0;
  if (!latencies || !e.speedup) return;
  double ratio = *e.latency_before_ms / *e.latency_after_ms;
  if (std::abs(*e.speedup / ratio - 1) > 0.05) return;  // far off: kept, and reported by prepare()
  if (std::abs(*e.speedup - ratio) > 0.00501) {
    remarks.push_back(fmt::format("speedup {} does not follow from the latencies ({:.3f}): derived anew",
                                  number_text(*e.speedup), ratio));
  }
  e.speedup.reset();
}

// The log's rule for "neutral" is a gain of 2 to 5 %.
void remark_neutral(const Experience& e, std::vector<std::string>& remarks) {
  if (lower(e.outcome) != Outcome::neutral || !e.latency_before_ms || !e.latency_after_ms ||
      *e.latency_after_ms <= 0)
    return;
  double gain = (*e.latency_before_ms / *e.latency_after_ms - 1) * 100;
  if (std::abs(gain) < 2) {
    remarks.push_back(fmt::format("neutral, the change is {:+.1f}%: below 2%, within the noise", gain));
  } else if (gain < 0) {
    remarks.push_back(fmt::format("neutral, but it became slower ({:+.1f}%)", gain));
  }
}

Experience read_row(const Json& row, std::vector<std::string>& remarks) {
  Experience e;
  e.kernel = text_of(member(row, "kernel"));
  std::string kernel = word_at(row, "kernel");
  e.kernel_type = e.kernel.empty() ? "" : kernel.empty() ? "other" : kernel_type_of(kernel);
  e.backend = word_at(row, "backend");
  read_chip(word_at(row, "chip"), e);
  e.bottleneck = word_at(row, "bottleneck_before");
  e.stall = word_at(row, "dominant_stall");
  e.hypothesis = word_at(row, "hypothesis");
  e.outcome = word_at(row, "outcome");
  e.notes = word_at(row, "notes");
  e.at = word_at(row, "date");
  read_iteration(row, e);
  read_metrics(row, "metrics_before", e.metrics_before, e.latency_before_ms);
  read_metrics(row, "metrics_after", e.metrics_after, e.latency_after_ms);
  e.speedup = number_at(row, "speedup", "speedup");
  read_shape(row, e, remarks);
  read_change(word_at(row, "optimization"), e, remarks);
  if (e.strategy.empty()) remarks.emplace_back("no optimization named: nothing to learn a strategy from");
  read_extra(row, e);
  remark_bottleneck(e, remarks);
  check_speedup(e, remarks);
  remark_neutral(e, remarks);
  return e;
}

bool agree(const std::string& a, const std::string& b) { return a.empty() || b.empty() || a == b; }

bool agree(const Facts& a, const Facts& b) {
  return std::all_of(a.begin(), a.end(), [&](const auto& entry) {
    auto other = fact(b, entry.first);
    return !other || *other == entry.second;
  });
}

// Whether two rows of the same kernel and latencies tell of one experiment: nothing in them contradicts.
bool same_experiment(const Experience& a, const Experience& b) {
  std::string x = canonical_strategy(a.strategy), y = canonical_strategy(b.strategy);
  if (x.empty() && y.empty() && !agree(a.hypothesis, b.hypothesis)) return false;
  return agree(x, y) && agree(a.outcome, b.outcome) && agree(a.metrics_before, b.metrics_before) &&
         agree(a.metrics_after, b.metrics_after) && agree(a.shape, b.shape);
}

// Finds rows that repeat an earlier one under another id.
class Repeats {
 public:
  // The id of the earlier row, or "" and `e` is remembered.
  std::string find_or_add(const Experience& e, const std::string& id) {
    if (!e.latency_before_ms || !e.latency_after_ms) return "";
    std::string key = fmt::format("{}|{}|{}|{}|{}|{}", lower(e.kernel), lower(e.backend), lower(e.arch),
                                  lower(e.gpu), *e.latency_before_ms, *e.latency_after_ms);
    auto& rows = seen_[key];
    auto it = std::find_if(rows.begin(), rows.end(),
                           [&](const auto& row) { return same_experiment(row.first, e); });
    if (it != rows.end()) return it->second;
    if (rows.size() < 32) rows.emplace_back(e, id);
    return "";
  }

 private:
  std::unordered_map<std::string, std::vector<std::pair<Experience, std::string>>> seen_;
};

// The rows of the document: a list, or an object that holds one.
const Json& rows_of(const Json& document, const std::string& path) {
  if (document.is_array()) return document;
  for (const char* key : {"experiences", "entries"}) {
    if (member(document, key).is_array()) return member(document, key);
  }
  refuse_file(path, "expected a list of records, or an object with \"experiences\" or \"entries\"");
}

class ExperiencesReader {
 public:
  ExperiencesReader(const std::string& path, std::istream* in)
      : path_(path), document_(read_json(path, in)), rows_(rows_of(document_, path)) {}

  std::optional<Parsed> next() {
    if (at_ == rows_.size()) return std::nullopt;
    const Json& row = rows_[at_++];
    Parsed parsed;
    std::string id = id_of(row);
    parsed.where = shown_path(path_) + ":record " + id;
    try {
      read(row, id, parsed);
    } catch (const RowFault& fault) {
      parsed.experience.reset();
      parsed.fault = fault.why;
    }
    return parsed;
  }

 private:
  // "id 29", or the place in the list.
  std::string id_of(const Json& row) const {
    const Json& id = member(row, "id");
    if (id.is_number()) return "id " + number_text(id.get<double>());
    if (id.is_string()) return "id " + ellipsis(printable(id.get<std::string>()), 40);
    return std::to_string(at_);
  }

  void read(const Json& row, const std::string& id, Parsed& parsed) {
    if (!row.is_object()) throw RowFault{"expected an object, got " + short_json(row)};
    if (row.dump().size() > longest_row) throw RowFault{"longer than 200 KiB"};
    Experience e = read_row(row, parsed.remarks);
    if (e.latency_before_ms || e.latency_after_ms) e.condition = timing("ms", "unknown", "unknown");
    e.source = file_name(path_);
    if (!ids_.insert(id).second) parsed.remarks.push_back(id + " is used by an earlier record too");
    std::string earlier = repeats_.find_or_add(e, id);
    if (!earlier.empty()) throw RowFault{"same experiment as " + earlier};
    parsed.experience = std::move(e);
  }

  std::string path_;
  Json document_;
  const Json& rows_;
  size_t at_ = 0;
  std::unordered_set<std::string> ids_;
  Repeats repeats_;
};

}  // namespace

Source experiences(const std::string& path, std::istream* in) {
  auto reader = std::make_shared<ExperiencesReader>(path, in);
  return [reader] { return reader->next(); };
}

bool looks_like_experiences(std::string_view head) {
  auto has = [&](const char* key) { return head.find(key) != std::string_view::npos; };
  return (head[0] == '[' || head[0] == '{') && has("\"optimization\"") &&
         (has("\"bottleneck_before\"") || has("\"metrics_before\"") || has("\"dominant_stall\""));
}

}  // namespace explog::intake
