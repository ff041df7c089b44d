#include "model/tuned.h"

#include <algorithm>

#include "base/error.h"
#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {
namespace {

template <class Body>
void refused_in_one_line(Body&& body) {
  try {
    body();
  } catch (const Error& e) {
    if (e.exit != Exit::usage || std::string(e.what()).empty()) broken("refused without a word", e.what());
  } catch (const JsonError&) {
  }
}

// Rows are there, the first is the original, and a rule never lets anything unlisted in.
void check_space(const DeclaredSpace& declared, std::string_view code) {
  if (declared.knobs.size() > 4) return;  // its combinations would take all the time
  for (const DeclaredKnob& knob : declared.knobs) {
    if (knob.values.size() > 8) return;
  }
  TuningSpace space = tuning_space(declared, code, "k.cu");
  TuningRows rows = tuning_rows(space, limits_of("sm_90"));
  if (rows.rows.empty() || settings_of(space.space, rows.rows[0]) != space.original)
    broken("the first row is not the original", std::string(code));
}

}  // namespace

// Knobs in comments, on the command line and in a file; results; and sources without the values of knobs.
void fuzz_tuned(std::string_view data) {
  refused_in_one_line([&] { check_space(declared_in_source(data, "k.cu"), data); });
  refused_in_one_line([&] { check_space(declared_in_words(data, "--space"), data); });
  refused_in_one_line([&] { check_space(declared_in_json(data, "s.json"), data); });
  refused_in_one_line([&] {
    std::string written = to_json(parse_tuned(data));
    if (to_json(parse_tuned(written)) != written) broken("does not read back", written);
  });
  std::string bare = without_knob_values(data, "mine.cu", {"A", "BLOCK"});
  if (bare.size() > data.size() + 1 + 2 * static_cast<std::size_t>(std::count(data.begin(), data.end(), '#')))
    broken("grew", bare);
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_tuned)
