// The pages of one version in the folder of an experiment loop, ours or kernel-opt-skill's.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/experience.h"

namespace explog::intake {

// What the pages say; what none says is empty.
struct VersionPages {
  std::string file, backend, gpu, arch;
  Facts shape;               // none where several shapes were timed
  std::optional<double> ms;  // mean of a call
  Facts metrics;             // by Nsight Compute's names
  std::string correctness;   // pass, fail
  std::string hypothesis, rationale, expected;
};

// Adds what a page's text says; what is there already stays. Strange pages add nothing.
void read_version_page(std::string_view text, VersionPages& pages);  // ncu_summary.md, correctness.md
void read_hypothesis(std::string_view text, VersionPages& pages);

// Reads ncu_summary.md, correctness.md and hypothesis.txt in `folder`, each of which may be missing or strange.
VersionPages version_pages(const std::string& folder);

// What a version does that `before` does not, by the table of strategies in the text of final_report.md.
std::vector<std::string> strategies_new_in(std::string_view final_report, int version, int before);

// A page's text as UTF-8, at most 1 MiB; empty where there is none or it cannot be read.
std::string page_text(const std::string& path);

}  // namespace explog::intake
