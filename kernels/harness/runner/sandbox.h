// What candidate code may touch on this machine.
#pragma once
#include <string>

namespace explog {

// Takes from this process, for good: writing to files outside the current folder and the devices that a kernel needs,
// looking into or signalling other processes, TCP (Landlock, Linux 5.13 and later; the last two need 6.12), and what
// seccomp.h lists. Returns what is in force, in words: "landlock 7, seccomp", "landlock 7, no seccomp", "none".
std::string enter_sandbox(bool on_gpu);

}  // namespace explog
