// The files that a command of the user's names.
#pragma once
#include <string>
#include <vector>

namespace explog::app {

// Paths of the files that stand in a shell's command as words, quoted or not, or within such words: `sh -c './run.sh fast'`,
// `cd tools && CONFIG=a.ini ./check.sh`. Each once, in the order of the command; relative ones from `folder`.
std::vector<std::string> files_named_in(const std::string& command, const std::string& folder);

}  // namespace explog::app
