// Whether a plan that was read may be carried out: every reference, index and size.
#pragma once
#include <string>
#include <string_view>
#include <variant>

#include "harness/plan.h"

namespace explog::bench {

// What is wrong with a plan, in one line; empty when every index names something, every address lies in what it
// names, and no figure is beyond what a device can be asked for.
std::string fault_of(const plan::Plan& p);

// The plan in these bytes, or what is wrong with them. They come from a process that ran a candidate.
std::variant<plan::Plan, std::string> read_plan(std::string_view bytes);

}  // namespace explog::bench
