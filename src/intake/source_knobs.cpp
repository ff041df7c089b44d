#include "intake/source_knobs.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

#include "base/text.h"

namespace explog::intake {
namespace {

constexpr std::size_t most_knobs = 40, most_knob_values = 12;

class Knobs {
 public:
  explicit Knobs(std::vector<SourceKnob>& knobs) : knobs_(knobs) {}

  void add(const std::string& name, const std::string& text) {
    auto value = text == "True"    ? std::optional(1.0)
                 : text == "False" ? std::optional(0.0)
                                   : parse_number(text);
    if (!value) return;
    auto at = std::find_if(knobs_.begin(), knobs_.end(), [&](const SourceKnob& k) { return k.name == name; });
    if (at == knobs_.end()) {
      if (knobs_.size() >= most_knobs) return;
      knobs_.push_back({name, {}});
      at = knobs_.end() - 1;
    }
    bool known = std::find(at->values.begin(), at->values.end(), *value) != at->values.end();
    if (!known && at->values.size() < most_knob_values) at->values.push_back(*value);
  }

  // Every match of `pattern` in the code, whose groups are a name and a value.
  void add_all(const std::string& code, const char* pattern) {
    RE2 expression(pattern);
    re2::StringPiece rest(code);
    std::string name, value;
    while (RE2::FindAndConsume(&rest, expression, &name, &value)) add(name, value);
  }

 private:
  std::vector<SourceKnob>& knobs_;
};

void find_cuda_knobs(const std::string& code, Knobs knobs) {
  knobs.add_all(code, R"((?m)^\s*#\s*define\s+([A-Za-z]\w*)\s+\(?(\d+)\)?\s*(?:$|//|/\*))");
  knobs.add_all(
      code,
      R"((?:constexpr|static const)\s+(?:static\s+)?(?:unsigned\s+)?(?:int|unsigned|size_t|long long)\s+(\w+)\s*=\s*(\d+)\s*[,;])");
  knobs.add_all(code, R"((?:constexpr|const)\s+int\s+\w+\s*=\s*\d+\s*,\s*(\w+)\s*=\s*(\d+)\s*[,;])");
  knobs.add_all(code, R"(#\s*pragma\s+(unroll)\s*\(?(\d+)\)?)");
  std::string threads;
  if (RE2::PartialMatch(code, R"(<<<[^<>;]*,\s*(\d+)\s*(?:,[^<>;]*)?>>>)", &threads))
    knobs.add("block_size", threads);
  std::string across;
  if (RE2::PartialMatch(code, R"(<<<[^;]*dim3\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)\s*(?:,[^<>;]*)?>>>)", &across,
                        &threads)) {
    knobs.add("block_x", across);
    knobs.add("block_y", threads);
  }
}

void find_python_knobs(const std::string& code, Knobs knobs) {
  knobs.add_all(code, R"(['"]([A-Z][A-Z0-9_]*)['"]\s*:\s*(\d+))");
  knobs.add_all(code, R"(\b(num_warps|num_stages|num_ctas|occupancy|maxnreg|opt_level)\s*=\s*(\d+))");
  static const RE2 several(R"((?m)^\s*((?:[A-Z][A-Z0-9_]*\s*,\s*)+[A-Z][A-Z0-9_]*)\s*=\s*([\d, ]+)$)");
  re2::StringPiece rest(code);
  std::string names, values;
  while (RE2::FindAndConsume(&rest, several, &names, &values)) {
    auto name = split(names, ','), value = split(values, ',');
    for (std::size_t i = 0; i < name.size() && i < value.size(); ++i)
      knobs.add(std::string(trim(name[i])), std::string(trim(value[i])));
  }
  std::string one_by_one = code;
  RE2::GlobalReplace(&one_by_one, several, "");
  knobs.add_all(one_by_one,
                R"((?m)(?:^|[(\s])([A-Z][A-Z0-9_]*)\s*(?::\s*[\w.\[\]]+\s*)?=\s*(\d+)(?:[\s),:]|$))");
  knobs.add_all(code,
                R"(\b(use_2cta_instrs|use_tma_store|allow_tma|use_tma)\s*(?::\s*\w+\s*)?=\s*(True|False))");
  std::string m, n;
  for (const char* pair : {"mma_tiler_mn", "cluster_shape_mn"}) {
    if (!RE2::PartialMatch(code, std::string(pair) + R"([^=\n]*=\s*\(\s*(\d+)\s*,\s*(\d+))", &m, &n))
      continue;
    knobs.add(std::string(pair) + "[0]", m);
    knobs.add(std::string(pair) + "[1]", n);
  }
}

}  // namespace

std::vector<SourceKnob> cuda_source_knobs(const std::string& code) {
  std::vector<SourceKnob> knobs;
  find_cuda_knobs(code, Knobs(knobs));
  return knobs;
}

std::vector<SourceKnob> python_source_knobs(const std::string& code) {
  std::vector<SourceKnob> knobs;
  find_python_knobs(code, Knobs(knobs));
  return knobs;
}

}  // namespace explog::intake
