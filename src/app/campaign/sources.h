// Copies of kernels in a campaign's folder, with the files that they include.
#pragma once
#include <string>
#include <vector>

#include "bench/harness/source_file.h"

namespace explog::app {

// The files that a source includes by "name"; their `path` is the way from the source's folder.
std::vector<bench::IncludedFile> includes_of(const bench::SourceFile& source);
// Those of them that lie beside the source or below: only they may differ from version to version.
std::vector<bench::IncludedFile> own_includes_of(const bench::SourceFile& source);

// What contracts and journals know a source by: a hash of its bytes, and of the files that it includes where it includes any.
std::string identity_of(const bench::SourceFile& source);

enum class Existing { replace, leave };
// Writes the files that a source includes by "name" where a copy of it in `folder` finds them: below that folder, or beside
// it for "../name". Throws Error(usage) for one that lies further up, and where another version has other bytes there.
void put_includes(const bench::SourceFile& source, const std::string& folder,
                  Existing existing = Existing::replace);

}  // namespace explog::app
