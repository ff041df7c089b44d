#include "bench/foreign_given.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"
#include "bench/foreign_parts.h"
#include "bench/given.h"

namespace explog::bench {
namespace {

// "/blob/b 4.safetensors" -> inputs/b_4.safetensors
std::string place_of(const std::string& path, size_t number) {
  std::string name = path.substr(path.rfind('/') + 1);
  name = name.substr(name.size() > 100 ? name.size() - 100 : 0);
  for (char& c : name) {
    bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
                c == '-' || c == '.';
    if (!fine) c = '_';
  }
  return number == 0 ? "inputs/" + name : fmt::format("inputs/{}_{}", number, name);
}

class Taker {
 public:
  Taker(ForeignTask& made, const Dims& shape, const FindForeignFile& find)
      : made_(made),
        find_(find),
        data_(made.data),
        given_{shape, {}},
        case_(make_case(made.task, shape, made.task.distributions[0])) {}

  // Why not; empty where all was taken.
  std::string run(const Json& inputs) {
    for (const auto& [name, input] : inputs.items()) {
      if (text_at(input, "type") != "safetensors") continue;
      if (std::string why = add(name, text_at(input, "path"), text_at(input, "tensor_key")); !why.empty())
        return printable(name) + ": " + why;
    }
    made_.data = std::move(data_);
    made_.task.given.push_back(std::move(given_));
    return "";
  }

 private:
  std::string add(const std::string& name, const std::string& path, const std::string& key) {
    auto operand = std::find_if(case_.operands.begin(), case_.operands.end(),
                                [&](const Operand& o) { return o.argument->name == name; });
    if (operand == case_.operands.end() || !operand->argument->is_input())
      return "a file for what is no array among the inputs";
    ForeignFile file = find_ ? find_(path) : ForeignFile{"", "there are no files here", 0, {}};
    if (file.source.empty()) return printable(path) + ": " + file.why;
    auto tensor = std::find_if(file.tensors.begin(), file.tensors.end(),
                               [&](const Tensor& t) { return t.name == key; });
    if (key.empty() || tensor == file.tensors.end())
      return fmt::format("{}: no tensor '{}'", printable(path), printable(key));
    if (std::string why = unlike(*tensor, *operand); !why.empty())
      return fmt::format("{}: tensor '{}' {}", printable(path), printable(key), why);
    auto place = place_in_task(path, file);
    if (!place)
      return fmt::format("{} has {} bytes; a task takes {} of files in all", printable(path), file.bytes,
                         most_given_bytes);
    given_.inputs.push_back({name, *place, key});
    return "";
  }

  // Nothing where there is no room.
  std::optional<std::string> place_in_task(const std::string& path, const ForeignFile& file) {
    std::uint64_t all = file.bytes;
    for (const ForeignData& d : data_) {
      if (d.source == file.source) return d.name;
      all += d.bytes;
    }
    if (all > most_given_bytes) return std::nullopt;
    std::string name;
    for (size_t number = 0; name.empty() || is_taken(name); ++number) name = place_of(path, number);
    data_.push_back({name, file.source, file.bytes});
    return name;
  }

  bool is_taken(const std::string& name) const {
    return std::any_of(data_.begin(), data_.end(), [&](const ForeignData& d) { return d.name == name; });
  }

  ForeignTask& made_;
  const FindForeignFile& find_;
  std::vector<ForeignData> data_;
  GivenShape given_;
  Case case_;
};

}  // namespace

bool take_given(ForeignTask& made, const Json& workload, const Dims& shape, const FindForeignFile& find) {
  auto inputs = workload.find("inputs");
  if (inputs == workload.end()) return false;
  std::string why = Taker(made, shape, find).run(*inputs);
  if (!why.empty())
    made.left_out.push_back(fmt::format(
        "the files of a workload with {}, whose inputs are generated instead: {}", dims_text(shape), why));
  return why.empty();
}

}  // namespace explog::bench
