// Inputs of another benchmark's workload that lie in safetensors files, as given inputs of a task.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bench/foreign_task.h"
#include "model/json.h"
#include "model/safetensors.h"

namespace explog::bench {

// What lies where a workload says.
struct ForeignFile {
  std::string source, why;  // its path here; where that is empty, why it cannot be had
  std::uint64_t bytes = 0;
  std::vector<Tensor> tensors;
};
using FindForeignFile = std::function<ForeignFile(const std::string& path)>;

// Of all files of a task together: they lie beside it, and are hashed whenever it is read.
constexpr std::uint64_t most_given_bytes = std::uint64_t{1} << 30;

// Adds the workload's file inputs for this shape to the task, and the files to those that are copied beside it. Where one
// cannot be had or does not fit the task, the workload is left out with a line, and false is returned.
bool take_given(ForeignTask& made, const Json& workload, const Dims& shape, const FindForeignFile& find);

}  // namespace explog::bench
