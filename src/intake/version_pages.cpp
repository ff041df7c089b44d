#include "intake/version_pages.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "intake/dims.h"
#include "intake/markdown.h"
#include "intake/python_repr.h"
#include "model/version_metrics.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

constexpr size_t largest_page = size_t{1} << 20;  // of a page
constexpr std::string_view tick = "\xE2\x9C\x93";

// A page's own way to say that there is nothing.
std::string given(std::string_view value) {
  value = trim(value);
  return value.starts_with("N/A") || value == "\xE2\x80\x94" || value == "-" ? "" : std::string(value);
}

// "**GPU**" and "`v1.cu`" without their marks.
std::string plain(std::string_view cell) {
  return given(replace_all(replace_all(std::string(cell), "**", ""), "`", ""));
}

// "47.8810 ms +- 0.2603 ms" in milliseconds.
std::optional<double> first_ms(const std::string& text) {
  size_t at = text.find(" ms");
  auto ms = parse_number(trim(text.substr(0, at)));
  return at != std::string::npos && ms && *ms > 0 && std::isfinite(*ms) ? ms : std::nullopt;
}

// "{'M': 4096}" and "M=4096,N=512"; of several shapes it is not known which one was timed.
Facts shape_of(const std::string& text) {
  if (text.empty() || text.find(';') != std::string::npos) return {};
  Json value = text.front() == '{' ? Json::parse(python_to_json(text), nullptr, false) : Json(text);
  auto dims = value.is_discarded() ? std::nullopt : read_dims(value);
  return dims ? dims->shape : Facts{};
}

std::string backend_from_name(const std::string& file) {
  return file.ends_with(".cu") ? std::string(word(RecordBackend::cuda)) : "";
}

// A row of two cells of either page.
void take(const std::string& name, const std::string& value, VersionPages& pages) {
  if (name == "Kernel" && pages.file.empty()) pages.file = value;
  if (name == "Backend") pages.backend = value;
  if (name == "GPU" && pages.gpu.empty()) pages.gpu = value;
  if (name == "Arch" && pages.arch.empty()) pages.arch = value;
  if (name == "Dims" && pages.shape.empty()) pages.shape = shape_of(value);
  if (name == "Execution Time") pages.ms = first_ms(value);
  if (name == "Result" && !value.empty())
    pages.correctness = word(value == "ALL PASS" ? Correctness::pass : Correctness::fail);
  for (const VersionMetric& metric : version_metrics()) {
    auto number = name == metric.label ? parse_number(value) : std::nullopt;
    if (number && std::isfinite(*number)) add_named(pages.metrics, metric.name, *number);
  }
}

void take_words(std::string_view line, VersionPages& pages) {
  for (auto [head, into] : {std::pair{"Hypothesis:", &pages.hypothesis},
                            {"Rationale:", &pages.rationale},
                            {"Expected:", &pages.expected}}) {
    if (line.starts_with(head) && into->empty()) *into = given(line.substr(std::string_view(head).size()));
  }
}

// The column of "v3" in the headings of the table; also where more stands behind it.
std::optional<size_t> column_of(const std::vector<std::string>& headings, int version) {
  std::string name = "v" + std::to_string(version);
  for (size_t i = 1; i < headings.size(); ++i) {
    if (headings[i] == name || headings[i].starts_with(name + " ")) return i;
  }
  return std::nullopt;
}

}  // namespace

std::string page_text(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return "";
  try {
    std::string text = read_file(path, nullptr, largest_page);
    return valid_utf8(text) ? text : "";
  } catch (const Error&) {
    return "";
  }
}

void read_version_page(std::string_view text, VersionPages& pages) {
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with("## Value Previews")) break;
    auto cells = table_cells(trim(line));
    if (cells.size() == 2) take(plain(cells[0]), plain(cells[1]), pages);
  }
  if (pages.backend.empty()) pages.backend = backend_from_name(pages.file);
}

void read_hypothesis(std::string_view text, VersionPages& pages) {
  for (std::string_view line : split(text, '\n')) take_words(trim(line), pages);
}

VersionPages version_pages(const std::string& folder) {
  VersionPages pages;
  read_version_page(page_text(folder + "/ncu_summary.md"), pages);
  read_version_page(page_text(folder + "/correctness.md"), pages);
  read_hypothesis(page_text(folder + "/hypothesis.txt"), pages);
  return pages;
}

std::vector<std::string> strategies_new_in(std::string_view final_report, int version, int before) {
  std::vector<std::string> names, headings;
  for (std::string_view line : split(final_report, '\n')) {
    auto cells = table_cells(trim(line));
    if (cells.size() < 2) headings.clear();
    if (lower(cells[0]) == "strategy") headings = cells;
    auto now = column_of(headings, version), then = column_of(headings, before);
    if (!now || cells.size() != headings.size() || !cells[*now].starts_with(tick)) continue;
    std::string more = given(cells[*now].substr(tick.size()));
    if (!then || !cells[*then].starts_with(tick))
      names.push_back(plain(cells[0]) + (more.empty() ? "" : " " + more));
  }
  return names;
}

}  // namespace explog::intake
