#include "drain.h"
#include "entry.h"
#include "intake/version_pages.h"
#include "targets.h"

namespace explog::fuzz {

// Any text as each page of a version, and as the report that names what its versions do.
void fuzz_loop_pages(std::string_view data) {
  intake::VersionPages pages;
  intake::read_version_page(data, pages);
  intake::read_hypothesis(data, pages);
  if (pages.ms && !(*pages.ms > 0)) broken("no time", std::to_string(*pages.ms));
  Parsed parsed;
  parsed.where = "v1/ncu_summary.md";
  Experience& e = parsed.experience.emplace();
  e.gpu = pages.gpu;
  e.arch = pages.arch;
  e.backend = pages.backend;
  e.shape = pages.shape;
  e.metrics_after = pages.metrics;
  e.latency_before_ms = e.latency_after_ms = pages.ms;
  e.correctness = pages.correctness;
  e.hypothesis = pages.hypothesis;
  for (const std::string& name : intake::strategies_new_in(data, 1, 0)) e.strategy += name;
  check(parsed);
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_loop_pages)
