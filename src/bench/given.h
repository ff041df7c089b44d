// Inputs that lie in safetensors files beside a task.json: held against what the task says, and put into a case.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "bench/judge/case.h"
#include "model/safetensors.h"

namespace explog::bench {

// The tensors of a file. Throws Error(usage) in one line that names the file.
std::vector<Tensor> tensors_of(const std::string& path);

// What speaks against a tensor as the input of an operand, "is F32 [4, 64]; the task wants bf16 [4, 32]"; empty: nothing.
std::string unlike(const Tensor& tensor, const Operand& operand);

// Reads each shape's tensors when they are asked for, and keeps those of the last one.
class GivenData {
 public:
  explicit GivenData(std::string folder) : folder_(std::move(folder)) {}  // of task.json

  // The operands that the entry names get its data. Throws Error(usage) where a file is missing or broken, or its tensor
  // is of another type or shape.
  void put_into(Case& c, const GivenShape& given);

 private:
  std::string folder_;
  GivenShape last_;
  std::vector<std::shared_ptr<const std::string>> data_;  // of last_.inputs
};

}  // namespace explog::bench
