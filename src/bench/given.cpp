#include "bench/given.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/raw_file.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::bench {
namespace {

bool is_of_type(const std::string& tensor_type, Dtype dtype) {
  if (dtype == Dtype::u8) return tensor_type == "U8" || tensor_type == "BOOL";
  return lower(tensor_type) == dtype_name(dtype);
}

// One element may be a scalar there.
bool is_of_shape(const Tensor& tensor, const Operand& o) {
  return tensor.shape == o.shape || (tensor.shape.empty() && o.count == 1);
}

Operand& operand_of(Case& c, const std::string& argument) {
  return *std::find_if(c.operands.begin(), c.operands.end(),
                       [&](const Operand& o) { return o.argument->name == argument; });
}

std::string data_of(const std::string& folder, const GivenInput& input, const Operand& operand) {
  std::string path = folder + "/" + input.file;
  std::vector<Tensor> tensors = tensors_of(path);
  auto at =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == input.tensor; });
  if (at == tensors.end()) {
    std::vector<std::string> names;
    for (const Tensor& t : tensors) names.push_back(t.name);
    throw Error(Exit::usage, fmt::format("{}: no tensor '{}'{}", printable(input.file),
                                         printable(input.tensor), did_you_mean(input.tensor, names)));
  }
  if (std::string why = unlike(*at, operand); !why.empty())
    throw Error(Exit::usage,
                fmt::format("{}: tensor '{}' {}", printable(input.file), printable(input.tensor), why));
  return RawFile(path).read(at->begin, at->end - at->begin);
}

}  // namespace

std::vector<Tensor> tensors_of(const std::string& path) try {
  RawFile file(path);
  std::string first = file.read(0, std::min<std::uint64_t>(tensor_length_bytes, file.size()));
  std::uint64_t header = tensor_header_bytes(first, file.size());
  return read_tensors(file.read(tensor_length_bytes, header), file.size());
} catch (const JsonError& e) {
  throw Error(Exit::usage, printable(path) + ": " + e.what());
}

std::string unlike(const Tensor& tensor, const Operand& o) {
  if (is_of_type(tensor.dtype, o.argument->dtype) && is_of_shape(tensor, o)) return "";
  return fmt::format("is {} {}; the task wants {} {}", printable(tensor.dtype), shape_text(tensor.shape),
                     dtype_name(o.argument->dtype), shape_text(o.shape));
}

void GivenData::put_into(Case& c, const GivenShape& given) {
  if (!(last_ == given) || data_.empty()) {
    data_.clear();
    last_ = given;
    for (const GivenInput& input : given.inputs)
      data_.push_back(
          std::make_shared<const std::string>(data_of(folder_, input, operand_of(c, input.argument))));
  }
  for (std::size_t i = 0; i < given.inputs.size(); ++i)
    operand_of(c, given.inputs[i].argument).given = data_[i];
}

}  // namespace explog::bench
