#include "intake/loop_version.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <utility>

#include "base/text.h"
#include "intake/common.h"
#include "intake/loop_pages.h"
#include "intake/measured_rows.h"
#include "intake/version_pages.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::intake {
namespace {

namespace fs = std::filesystem;

struct Numbered {
  int version = 0;
  VersionPages pages;
};

// The fastest of the versions before it that is right, on the same GPU at the same shape.
std::optional<Numbered> best_before(const fs::path& loop, const Numbered& now) {
  std::optional<Numbered> best;
  for (int v = 0; v < now.version; ++v) {
    VersionPages pages = version_pages((loop / fmt::format("v{}", v)).string());
    bool counts = pages.ms && pages.correctness != word(Correctness::fail);
    bool alike = pages.gpu == now.pages.gpu && pages.shape == now.pages.shape;
    if (counts && alike && (!best || *pages.ms < *best->pages.ms)) best = Numbered{v, std::move(pages)};
  }
  return best;
}

// What was changed: the version's own words, else what the final report ticks for it and not for the one before.
void name_change(const fs::path& loop, const Numbered& now, int before, Parsed& parsed) {
  Experience& e = *parsed.experience;
  if (!now.pages.hypothesis.empty()) return read_change(now.pages.hypothesis, e, parsed.remarks);
  auto names = strategies_new_in(page_text((loop / "final_report.md").string()), now.version, before);
  if (names.size() == 1) return read_change(names[0], e, parsed.remarks);
  if (names.empty()) {
    parsed.remarks.emplace_back(
        "neither hypothesis.txt nor final_report.md says what was changed: nothing to learn a strategy from");
    return;
  }
  e.strategy = "several_changes";
  e.strategy_text = join(names, " + ");
  parsed.remarks.push_back(fmt::format("{} changes at once: none of them is credited", names.size()));
}

Parsed record_of(const fs::path& loop, const Numbered& now, const Numbered& before) {
  Parsed parsed;
  Experience& e = parsed.experience.emplace();
  const VersionPages& pages = now.pages;
  parsed.usual_backend = pages.backend;
  e.kernel = loop.filename().string();
  std::string type = kernel_type_of(e.kernel);
  if (is_known_kernel_type(type)) e.kernel_type = type;  // else the user knows
  e.gpu = pages.gpu;
  e.arch = pages.arch;
  e.shape = pages.shape;
  e.iteration = now.version;
  e.correctness = pages.correctness;
  if (e.correctness == word(Correctness::fail)) e.cause = word(Cause::wrong_values);
  e.latency_before_ms = before.pages.ms;
  e.latency_after_ms = pages.ms;
  e.metrics_before = before.pages.metrics;
  e.metrics_after = pages.metrics;
  e.condition = timing("ms", "mean", "unknown");
  name_change(loop, now, before.version, parsed);
  e.hypothesis = pages.hypothesis;
  e.notes = pages.rationale;
  if (!pages.expected.empty()) e.notes += (e.notes.empty() ? "expected: " : "; expected: ") + pages.expected;
  return parsed;
}

Parsed read(const std::string& path) {
  Parsed parsed;
  parsed.where = shown_path(path);
  std::error_code ignored;
  fs::path folder = fs::absolute(path, ignored).parent_path(), loop = folder.parent_path();
  auto version = path == "-" ? std::nullopt : version_of_page(path);
  if (!version) {
    parsed.fault =
        "counters of one version of a loop, which are compared with those in v0/, v1/ ... beside its folder";
    return parsed;
  }
  if (*version == 0) return parsed;
  Numbered now{*version, version_pages(folder.string())};
  auto before = best_before(loop, now);
  if (!now.pages.ms && now.pages.correctness != word(Correctness::fail)) {
    parsed.fault = "no execution time";
  } else if (!before) {
    parsed.fault =
        "no version before it that is right and was timed on this GPU at this shape: nothing to compare with";
  } else {
    Parsed record = record_of(loop, now, *before);
    record.where = parsed.where;
    record.experience->source =
        fmt::format("{0}/v{1} against {0}/v{2}", loop.filename().string(), *version, before->version);
    return record;
  }
  return parsed;
}

}  // namespace

Source loop_version(const std::string& path, std::istream* /*in*/) {
  return [path, done = false]() mutable -> std::optional<Parsed> {
    if (std::exchange(done, true)) return std::nullopt;
    Parsed parsed = read(path);
    return parsed.experience || !parsed.fault.empty() ? std::optional(std::move(parsed)) : std::nullopt;
  };
}

bool looks_like_loop_version(std::string_view head) { return head.starts_with("# NCU Profile Summary"); }

}  // namespace explog::intake
