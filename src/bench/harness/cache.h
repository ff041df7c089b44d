// The folder where built programs are kept.
#pragma once
#include <string>

namespace explog::bench {

std::string cache_folder();  // $XDG_CACHE_HOME/explog, else ~/.cache/explog; made when it is not there

// Removes the least recently used products until the rest fits into 1 GiB, locks that nobody holds, and folders of builds
// that were ended a day ago.
void prune_cache(const std::string& folder);

}  // namespace explog::bench
