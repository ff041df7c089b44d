// A kernel's source alone -> the question it asks -> ranked strategies.
#pragma once
#include <string>
#include <vector>

#include "app/advice/recommend.h"
#include "intake/source_facts.h"

namespace explog::app {

// What a source told, and what the user said otherwise.
struct Inferred {
  std::string file;
  intake::SourceFacts facts;
  std::string arch_reason;             // why this arch, where nobody named one
  std::vector<std::string> overruled;  // "--dtype f32, the source looks like f16"
};

struct SourceAdvice {
  Inferred inferred;
  Advice advice;
};

// `ask.source` names the file; what `ask` holds wins over what the file tells. A kernel whose type nobody
// tells is of type `other`. Throws Error(usage) for a file that is no kernel, or whose arch nobody tells.
SourceAdvice advise(Ask ask, const Session& session);

}  // namespace explog::app
