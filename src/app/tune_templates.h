// What others tune in a kernel of this type: knobs and their usual values.
#pragma once
#include <string>
#include <vector>

#include "app/session.h"

namespace explog::app {

struct TuneTemplate {
  std::string name, title;         // of the strategy, or of a sweep of the program's own kernels
  std::vector<std::string> lines;  // "tune: BLOCK_X 8 16 32", without the comment's sign
};
// Throws Error(usage) for a kernel type that is not known; an empty list where nobody knows any.
std::vector<TuneTemplate> tune_templates(const std::string& kernel_type, const std::string& backend,
                                         const Session& session);
// "# " or "// ".
std::string comment_sign(const std::string& backend);

}  // namespace explog::app
