// What a runner's answers say. A list that is none is the candidate's doing: Failed("forged").
#pragma once
#include <string>
#include <vector>

#include "bench/judge/device.h"
#include "model/json.h"
#include "model/profile.h"

namespace explog::bench {

Device device_of(const Json& answer);
std::vector<double> numbers(const Json& answer, const char* key);
std::vector<std::string> texts(const Json& answer, const char* key);
Launch launch_of(const Json& answer, const Device& device);

}  // namespace explog::bench
