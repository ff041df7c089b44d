#include "model/python_knobs.h"

#include "base/error.h"
#include "bench/harness/source_file.h"
#include "broken.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

// A place lies in the source and holds what it says, one behind the other; a source is the same one after the values of its
// knobs were written.
void fuzz_python_knobs(std::string_view data) {
  std::size_t from = 0;
  for (const KnobPlace& place : python_knobs(data)) {
    if (place.begin < from || place.end < place.begin || place.end > data.size())
      broken("a place outside of the source or in another", place.name);
    if (place.choices == 0 && data.substr(place.begin, place.end - place.begin) != place.value)
      broken("another value", place.name);
    from = place.end;
  }
  DeclaredSpace found = found_in_python(data, "k.py");
  for (const DeclaredKnob& knob : found.knobs) {
    bench::SourceFile source{"k.py", "", std::string(data)};
    bench::SourceFile set = bench::configured(source, {{knob.name, knob.values.back()}});
    if (without_knob_values(set.text, "k.py", {knob.name}) != without_knob_values(data, "k.py", {knob.name}))
      broken("a value changed more than itself", knob.name);
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_python_knobs)
