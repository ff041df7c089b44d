// The machine code of a campaign's versions: two sources that compile to the same program are judged once.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "app/campaign/folder.h"
#include "bench/harness/source_file.h"

namespace explog::app {

// A hash of what the version's file compiles to, which stays in the build cache for the judge. Empty where it is no kernel, is
// in Python, or does not compile: the judge says why.
std::string machine_code_of_version(const CampaignFolder& folder, const campaign::Proposed& proposal,
                                    const Session& session);

// How many sources compile in the time of one here, before anything is timed.
std::size_t compiled_at_once();

// Compiles them beside each other into the build cache. Nothing where they are no kernels, or are in Python; what does not
// compile says so where it is judged.
void compile_versions(const campaign::Contract& contract, const std::vector<bench::SourceFile>& sources,
                      const Session& session);

}  // namespace explog::app
