// What a task keeps of the benchmark that it was imported from: in task.json, and the origin in each measurement too.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "model/json.h"

namespace explog {

inline constexpr const char* sol_exec_bench = "SOL-ExecBench";
inline constexpr const char* flashinfer_bench = "FlashInfer-Bench";
inline constexpr const char* kernel_bench = "KernelBench";

struct TaskOrigin {
  std::string format;                  // one of those above, "GPU MODE", "kernel-opt-skill"
  std::string definition;              // its name there: of a definition, of a problem's file with its folder
  std::vector<std::string> workloads;  // of timed shapes: JSON objects as the benchmark writes them
  bool operator==(const TaskOrigin&) const = default;
};
// Throws JsonError naming `where`.
TaskOrigin origin_in(const Json& json, const std::string& where);
Json origin_json(const TaskOrigin& origin);

// A rule beside explog's own, as SOL-ExecBench words it: an element is near where |o - r| <= max_atol + max_rtol |r|;
// that part of the elements must be near, and none further off than the cap.
struct ForeignTolerance {
  double max_atol = 1e-2, max_rtol = 1e-2, required_matched_ratio = 0.99;
  std::optional<double> max_error_cap;
  bool operator==(const ForeignTolerance&) const = default;
};
ForeignTolerance tolerance_in(const Json& json, const std::string& where);
Json tolerance_json(const ForeignTolerance& tolerance);
// The stricter of the two in each part.
ForeignTolerance strictest(const ForeignTolerance& a, const ForeignTolerance& b);

}  // namespace explog
