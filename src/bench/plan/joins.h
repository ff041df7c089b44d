// Whether all work of a plan lies between its begin and its end on the default stream.
#pragma once
#include <string>

#include "harness/plan.h"

namespace explog::bench {

// Why a call's work cannot be told apart from what comes before or after it, in one line; empty when every
// operation begins after what was in the default stream before the call, and what is put there after the call
// begins after every operation.
std::string unjoined(const plan::Plan& p);

}  // namespace explog::bench
