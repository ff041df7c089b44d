// Files for people that are made from a campaign's events: text from contract and state alone.
#pragma once
#include <string>

#include "campaign/state.h"

namespace explog::campaign {

// perf_results.md: a table of the decided versions and nothing else (as TileGym's skill for cuTile kernels has it).
std::string perf_results(const State& state);

// Hypothesis, Rationale and Expected of one change, a line each.
std::string hypothesis_text(const Proposed& proposal);

// campaign.md: contract, limits and how to answer, for somebody who knows nothing else.
std::string campaign_page(const Contract& contract);

// final_report.md, once it has ended.
std::string final_report(const Contract& contract, const State& state);

// "N/A", or "1.435x (99% 1.431 to 1.439)".
std::string faster_text(const Faster& faster);

}  // namespace explog::campaign
