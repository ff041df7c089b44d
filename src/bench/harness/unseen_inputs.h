// Flags of a user's through which assembler, linker or compiler read files that no preprocessor lists.
#pragma once
#include <string>
#include <vector>

namespace explog::bench {

// Whether what these flags make may change though neither they nor the source do: libraries, objects, scripts, files of
// options, plugins, folders of tools. Nothing that is made so may be taken from a cache.
bool may_read_unseen(const std::vector<std::string>& flags);

}  // namespace explog::bench
