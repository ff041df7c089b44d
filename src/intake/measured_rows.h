// Measured configurations, whatever file they come from -> records of single changes. Readers of autotuners' files
// say what a row is; which rows can be compared, and what a change is called, is the same for all.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "intake/source.h"
#include "model/single_changes.h"

namespace explog::intake {

// What readers write for Python's None, which is neither False nor a size.
inline constexpr std::string_view python_none = "None";

struct MeasuredRow {
  // A row that lacks a setting of another has 0 there, or the empty text. Beside numbers python_none is as good as lacking,
  // beside True and False all three are words.
  Params settings;
  Trial trial;
};

// Rows that are comparable: one kernel and problem, one GPU, one way of timing.
struct MeasuredGroup {
  std::string where;          // "file.jsonl:3"
  std::string fault;          // why there is no group here; nothing else counts then
  Experience common;          // what holds for all of its records
  std::string usual_backend;  // as Parsed has it
  std::vector<MeasuredRow> rows;
  std::vector<std::string> remarks;
};

// The next group, or nothing at the end.
using Groups = std::function<std::optional<MeasuredGroup>()>;
Groups list_groups(std::vector<MeasuredGroup> list);

// The changes of each group, one at a time. A file without any gives one fault that says so.
Source changes_of(const std::string& path, Groups groups);

// How times were taken, as `condition` says it: "time=ms stat=median cache=cold". `unit` is the file's; records
// always hold milliseconds. Words of `stat`: median, mean, min, unknown; of `cache`: cold, warm, unknown.
std::string timing(std::string_view unit, std::string_view stat, std::string_view cache);

// Milliseconds in one of `unit`: "ns", "us", "milliseconds"; nothing for a word that is no unit.
std::optional<double> milliseconds_in(std::string_view unit);

}  // namespace explog::intake
