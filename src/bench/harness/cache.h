// The folder where built programs are kept.
#pragma once
#include <string>

namespace explog::bench {

std::string cache_folder();  // $XDG_CACHE_HOME/explog, else ~/.cache/explog; made when it is not there

// Removes the least recently used products until the rest fits into 1 GiB, and locks that nobody holds.
void prune_cache(const std::string& folder);

}  // namespace explog::bench
