// T1, the input format of Kernel Tuner and of the Autotuning Methodology community (version 1.0.0, schema
// kernel_tuner/schema/T1/1.0.0/input-schema.json of KernelTuner/kernel_tuner, commit 96a6abc1), as a space of explog's own.
#pragma once
#include <nlohmann/json_fwd.hpp>

#include "model/json.h"

namespace explog {

bool is_t1(const Json& document);

// A space file (schema/formats/tune.md): values worked out, conditions in SQL, a parameter's default as the original where
// it is among its values, the product of LocalSize as "threads" where it is made of parameters. Throws JsonError naming the
// parameter or the condition.
Json space_of_t1(const Json& document);

}  // namespace explog
