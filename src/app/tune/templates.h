// What others tune in a kernel of this type: knobs and their usual values.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/session/session.h"
#include "model/experience.h"
#include "model/space.h"

namespace explog::app {

struct TuneTemplate {
  std::string name, title;         // of the strategy, or of a sweep of the program's own kernels
  std::vector<std::string> lines;  // "tune: BLOCK_X 8 16 32", without the comment's sign
  std::vector<std::pair<Settings, double>> estimates =
      {};  // configurations, and the milliseconds that somebody expects
};
struct TemplateQuestion {
  std::string type;                         // a kernel type, or one of the program's tasks
  std::string backend, shape, gpu, python;  // shape, gpu: of a matrix product, for what is estimated of it
};
// Throws Error(usage) for a type that is not known; an empty list where nobody knows any.
std::vector<TuneTemplate> tune_templates(const TemplateQuestion& question, const Session& session);
// A knob of a source: its values, the one that stands there, and where that is.
struct TuneKnob {
  std::string name;
  std::vector<double> values;
  Scalar original;
  std::string place;  // "mine.py:12", of one that is found with what it is: "mine.py:12: constexpr default"
  bool declared = false;   // by a comment; else found
  std::string needs = {};  // of one that is found in CUDA or C++: what to write before it can be set
};
struct KnobsInFile {
  std::vector<TuneKnob> knobs;
  std::vector<std::string> rules;  // "where: BLOCK * VEC <= 1024", as they are declared or found
};
KnobsInFile knobs_in_file(const std::string& path, const Session& session);

// "# " or "// ".
std::string comment_sign(const std::string& backend);

}  // namespace explog::app
