#include "intake/cutlass.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/csv.h"
#include "base/text.h"
#include "intake/common.h"
#include "intake/measured_rows.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr std::string_view cutlass_header = "Problem,Provider,OperationKind,Operation,Disposition,Status";

// Columns that say how a kernel was made or launched; every other argument is the problem.
constexpr std::array<std::string_view, 22> cutlass_knobs = {"cta_m",
                                                            "cta_n",
                                                            "cta_k",
                                                            "cluster_m",
                                                            "cluster_n",
                                                            "cluster_k",
                                                            "stages",
                                                            "warps_m",
                                                            "warps_n",
                                                            "warps_k",
                                                            "inst_m",
                                                            "inst_n",
                                                            "inst_k",
                                                            "split_k_slices",
                                                            "use_pdl",
                                                            "cluster_m_fallback",
                                                            "cluster_n_fallback",
                                                            "cluster_k_fallback",
                                                            "split_k_mode",
                                                            "raster_order",
                                                            "swizzle_size",
                                                            "iterator_algorithm"};
// What comes of a run, what only counts rows, and which GPUs the instruction exists on.
constexpr std::array<std::string_view, 11> cutlass_results = {"Bytes",  "Flops",  "Flops/Byte", "Runtime",
                                                              "GB/s",   "GFLOPs", "Problem",    "Disposition",
                                                              "Status", "min_cc", "max_cc"};
// Parts of an operation's name: how a convolution is computed, which has a column; and what of a schedule changes sums.
constexpr std::array<std::string_view, 5> iterators = {"analytic", "optimized", "fixed", "few", "channels"};
constexpr std::array<std::string_view, 5> summing = {"fastaccum", "fastf32", "acc2x4", "vs16", "vs32"};

template <class List>
bool is_in(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Behind "alignN_" in an operation's name stands how it is scheduled: warpspecialized_pingpong_epi_tma.
std::string schedule_of(std::string_view operation) {
  size_t at = operation.rfind("_align");
  if (at == std::string_view::npos) return "";
  std::string_view rest = operation.substr(at + 6);
  size_t behind = rest.find('_');
  return behind == std::string_view::npos ? "" : std::string(rest.substr(behind + 1));
}

// "s16816gemm" -> "sgemm": the shape of the instruction has columns of its own, and changes no value's type. "f16" stays.
std::string without_shape(std::string_view part) {
  auto digit = [](char c) { return c >= '0' && c <= '9'; };
  auto first = std::find_if(part.begin(), part.end(), digit);
  auto last = std::find_if_not(first, part.end(), digit);
  if (last - first < 3) return std::string(part);
  return std::string(part.begin(), first) + std::string(last, part.end());
}

bool is_tile(std::string_view part) {
  return part.find('x') != std::string_view::npos &&
         part.find_first_not_of("0123456789x") == std::string_view::npos;
}

// What is computed with which types, of "cutlass_tensorop_s1688tf32gemm_256x128_16x3_nn_align4": columns tell the types in
// memory and of the sum, and not that f32 is multiplied as tf32, bf16 or f16, or that sums are rounded on the way.
std::string arithmetic_of(std::string_view operation) {
  std::vector<std::string> parts;
  bool behind_tile = false;
  for (std::string_view part : split(operation, '_')) {
    behind_tile |= is_tile(part);
    if (behind_tile ? is_in(summing, part) : !is_in(iterators, part)) parts.push_back(without_shape(part));
  }
  return behind_tile ? join(parts, "_") : "";
}

std::string alignment_of(std::string_view operation) {
  size_t at = operation.rfind("_align");
  std::string_view rest = at == std::string_view::npos ? "" : operation.substr(at + 6);
  return std::string(rest.substr(0, rest.find('_')));
}

// A column of the table: the rows' fields by name.
using CutlassRow = std::vector<std::pair<std::string_view, std::string_view>>;

std::string_view cell_of(const CutlassRow& fields, std::string_view name) {
  auto it = std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.first == name; });
  return it != fields.end() ? it->second : std::string_view();
}

Trial trial_of_fields(const CutlassRow& fields) {
  std::string disposition = lower(cell_of(fields, "Disposition")), status = lower(cell_of(fields, "Status"));
  auto ms = parse_number(cell_of(fields, "Runtime"));
  if (disposition == "incorrect") return {Trial::State::wrong_values};
  if (disposition == "failed" ||
      (status != "success" && !status.empty() && disposition != "not_supported" && disposition != "not_run"))
    return {Trial::State::launch_failed};
  if (status == "success" && ms && *ms > 0) return {Trial::State::valid, *ms};
  return {};
}

// "fe4m3:column": the element type of an operand, and how it lies in memory. CUTLASS writes s8 for a signed integer and
// fe4m3 for a float whose exponent has four bits.
std::string dtype_of_operand(std::string_view operand) {
  std::string type(operand.substr(0, operand.find(':')));
  auto digit_at = [&](size_t i) { return i < type.size() && type[i] >= '0' && type[i] <= '9'; };
  if (type.starts_with('s') && digit_at(1)) type[0] = 'i';
  if (type.starts_with("fe") && digit_at(2)) type.erase(0, 1);
  return canonical(Vocabulary::dtype, type).value_or("");
}

class CutlassTable {
 public:
  CutlassTable(const std::string& path, std::istream* in)
      : path_(path), text_(read_text(path, in)), csv_(text_) {
    while (!csv_.at_end()) {
      if (csv_.peek_line().find(cutlass_header) != std::string_view::npos) {
        read_header();
      } else if (columns_.empty() || !csv_.read(fields_)) {
        csv_.skip_line();
      } else {
        take();
      }
    }
    if (columns_.empty())
      refuse_file(path, "no table of cutlass_profiler: expected the columns " + std::string(cutlass_header),
                  "write it with --output=FILE");
    if (left_out_ > 0 && !groups_.empty())
      groups_.front().remarks.push_back(
          fmt::format("{} rows left out, which were not run or have another number of columns", left_out_));
  }

  std::vector<MeasuredGroup> groups() { return std::move(groups_); }

 private:
  void read_header() {
    columns_.clear();
    if (!csv_.read(fields_)) return csv_.skip_line();
    for (std::string_view name : fields_) columns_.emplace_back(trim(name));
  }

  void take() {
    bool blank = fields_.size() == 1 && trim(fields_[0]).empty();
    if (blank || fields_.size() != columns_.size()) {
      left_out_ +=
          fields_.size() > 6 ? 1 : 0;  // other lines of the profiler's output are none of the table's
      return;
    }
    CutlassRow row;
    for (size_t i = 0; i < columns_.size(); ++i) row.emplace_back(columns_[i], trim(fields_[i]));
    MeasuredRow measured;
    measured.trial = trial_of_fields(row);
    bool text = std::all_of(row.begin(), row.end(), [](const auto& f) { return valid_utf8(f.second); });
    if (measured.trial.state == Trial::State::unusable || !text) {
      ++left_out_;
      return;
    }
    for (const auto& [name, value] : row) {
      if (is_in(cutlass_knobs, name) && !value.empty()) add_named(measured.settings, name, scalar_of(value));
    }
    std::string operation(cell_of(row, "Operation"));
    add_named(measured.settings, "schedule", Scalar(schedule_of(operation)));
    add_named(measured.settings, "alignment", scalar_of(alignment_of(operation)));
    group_of_row(row).rows.push_back(std::move(measured));
  }

  MeasuredGroup& group_of_row(const CutlassRow& row) {
    std::string key;
    for (const auto& [name, value] : row) {
      bool problem = !is_in(cutlass_knobs, name) && !is_in(cutlass_results, name) && name != "Operation" &&
                     !name.starts_with("Runtime_");
      if (problem) key += std::string(value) + "\n";
    }
    key += arithmetic_of(cell_of(row, "Operation"));
    auto [it, added] = places_.try_emplace(key, groups_.size());
    if (!added) return groups_[it->second];
    MeasuredGroup& group = groups_.emplace_back();
    group.where = shown_path(path_);
    describe(row, group.common);
    return group;
  }

  void describe(const CutlassRow& row, Experience& e) const {
    e.kernel = std::string(cell_of(row, "OperationKind"));
    e.kernel_type = e.kernel.empty() ? "" : kernel_type_of(e.kernel);
    e.backend = word(RecordBackend::cuda);
    std::string arithmetic = arithmetic_of(cell_of(row, "Operation"));
    if (!arithmetic.empty()) e.tags.push_back(ellipsis("arithmetic=" + arithmetic, 100));
    for (std::string_view operand : {"A", "Activation"}) {
      if (e.dtype.empty()) e.dtype = dtype_of_operand(cell_of(row, operand));
    }
    for (const auto& [name, value] : row) {
      if (is_in(cutlass_knobs, name) || is_in(cutlass_results, name) || name == "Operation" ||
          name == "OperationKind")
        continue;
      auto number = parse_number(value);
      bool size =
          number && *number >= 1 && *number == static_cast<double>(static_cast<std::int64_t>(*number));
      bool factor = name == "alpha" || name == "beta" || name.starts_with("Runtime_");
      if (size && !factor)
        add_named(e.shape, name, *number);
      else if (!value.empty() && !factor && e.tags.size() < 16)
        e.tags.push_back(ellipsis(fmt::format("{}={}", name, value), 100));
    }
    e.condition = timing("ms", "mean", "warm");
    e.source = "cutlass_profiler " + file_name(path_);
  }

  std::string path_, text_;
  CsvReader csv_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
  std::map<std::string, size_t> places_;  // of each problem's group
  std::vector<MeasuredGroup> groups_;
  size_t left_out_ = 0;
};

}  // namespace

Source cutlass(const std::string& path, std::istream* in) {
  return changes_of(path, list_groups(CutlassTable(path, in).groups()));
}

// What the profiler prints of each operation stands before its table, and may be longer than the head.
bool looks_like_cutlass(std::string_view head) {
  auto has = [&](std::string_view text) { return head.find(text) != std::string_view::npos; };
  return has(cutlass_header) || (has("  Problem ID: ") && has("OperationKind: "));
}

}  // namespace explog::intake
