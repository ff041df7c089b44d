// What of a kernel's source is tuned: its knobs, the rules that say which combinations make sense, and the
// values that it has as it stands, which are the original configuration.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/space.h"

namespace explog {

// A macro and the values it may have, as somebody declared it.
struct DeclaredKnob {
  std::string name;
  std::vector<double> values;
  std::string place;  // "mine.cu:3", "--space"
};

// Why combinations are left out before anything is compiled.
struct Rule {
  std::string name;        // "where", "threads", "shared_bytes"
  std::string expression;  // SQL over the knobs: a condition, or a number that the device limits
  std::string place;
};

struct DeclaredSpace {
  std::vector<DeclaredKnob> knobs;
  std::vector<Rule> rules;
  Settings original;  // as far as it is declared
};

// Comments of the source: `// tune: BLOCK 128 256 512`, `// tune where: BLOCK * VEC <= 1024`, `// tune threads:
// BLOCK_X * BLOCK_Y`, `// tune shared_bytes: 4 * TILE * TILE`; in Python behind `#`. Empty where there are none.
// All of these throw Error(usage) naming file and line.
DeclaredSpace declared_in_source(std::string_view source, const std::string& file);
// The same; of a Python source that declares no knobs, those that are found in it (python_knobs.h).
DeclaredSpace knobs_in_source(std::string_view source, const std::string& file);
// "BLOCK=128,256;VEC=1,4".
DeclaredSpace declared_in_words(std::string_view words, const std::string& place);
// sweep.json, whose "file" may lack, with "original", "threads" and "shared_bytes"; or T1 of Kernel Tuner (t1_space.h).
DeclaredSpace declared_in_json(std::string_view json, const std::string& file);

struct TuningSpace {
  Space space;
  std::vector<Rule> rules;
  Settings original;
};

// The knobs with the values that the source gives them itself: `#ifndef BLOCK`, `#define BLOCK 128`; in
// Python `BLOCK = 128` in the first column. One without such a value has the first that is listed. `code` is the source with all that it includes. Throws
// Error(usage) for a knob that the code does not use, or whose value it fixes.
TuningSpace tuning_space(const DeclaredSpace& declared, std::string_view code, const std::string& file);

// What the device allows; 0 where it is not known.
struct DeviceLimits {
  double threads = 1024, shared_bytes = 0;
};
DeviceLimits limits_of(const std::string& arch);

struct PrunedCount {
  std::string rule;
  std::size_t n = 0;
};
// The original first, then every other combination that all rules allow, in the order of the lists.
struct TuningRows {
  std::vector<Configuration> rows;
  std::vector<PrunedCount> pruned;
};
// Throws Error(usage) naming the rule's place where it cannot be evaluated or leaves nothing.
TuningRows tuning_rows(const TuningSpace& space, const DeviceLimits& limits);

// The source as it is hashed for a result: without the values of its knobs and the comments that declare them,
// so that writing the best values into it changes nothing.
std::string without_knob_values(std::string_view source, const std::string& file,
                                const std::vector<std::string>& knobs);

// The source of a compiled kernel with these values where it gives its knobs their own (#ifndef BLOCK, #define BLOCK 128),
// otherwise to the byte the same; nothing where it gives one of them none.
std::optional<std::string> with_knob_values(std::string_view source, const std::string& file,
                                            const Settings& settings);

}  // namespace explog
