// What this kernel offers to confine candidates with.
#pragma once
#include <string>

namespace explog::bench {

// "landlock 7, seccomp", with "no" before what is missing: what the runner will find.
std::string confinement_here();

}  // namespace explog::bench
