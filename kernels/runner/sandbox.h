// What candidate code may touch on this machine.
#pragma once
#include <string>

namespace explog {

// Takes from this process, for good: writing to files outside the current folder and /dev, looking into or
// signalling other processes, TCP (Landlock, Linux 5.13 and later; the last two need 6.12). Returns what is
// in force, in words.
std::string enter_sandbox();

}  // namespace explog
