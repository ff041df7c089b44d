// Copies of kernels in a campaign's folder, with the files that they include.
#pragma once
#include <string>

#include "bench/harness/source_file.h"

namespace explog::app {

// Writes the files that a source includes by "name" where a copy of it in `folder` finds them: below that folder, or beside
// it for "../name". Throws Error(usage) for one that lies further up, and where another version has other bytes there.
void put_includes(const bench::SourceFile& source, const std::string& folder);

}  // namespace explog::app
