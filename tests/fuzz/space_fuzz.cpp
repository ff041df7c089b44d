#include "base/error.h"
#include "broken.h"
#include "entry.h"
#include "model/python_expression.h"
#include "model/tuning_space.h"
#include "targets.h"

namespace explog::fuzz {

// A space file, ours or T1: every knob that is taken has values. And a source's declarations, and a list in Python.
void fuzz_space(std::string_view data) {
  auto check = [&](auto read) {
    try {
      for (const DeclaredKnob& knob : read().knobs) {
        if (knob.name.empty() || knob.values.empty()) broken("a knob without a value", knob.name);
      }
    } catch (const Error&) {
    }
  };
  check([&] { return declared_in_json(data, "space.json"); });
  check([&] { return declared_in_source(data, "k.cu"); });
  check([&] { return declared_in_words(data, "--space"); });
  try {
    python_list(parse_python(std::string(data)));
  } catch (const std::exception&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_space)
