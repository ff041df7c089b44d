// What records say of single changes of knobs, for a search that knows which configuration each leads to.
#pragma once
#include <vector>

#include "model/family_evidence.h"
#include "model/knob_step.h"
#include "model/question.h"

namespace explog::recommend {

// Each cell of a knob with what its records gained on average, weighed as the ranking weighs them: nearest arch
// first, then backend, age, trust, type, element type and size. A change that did not run counts as a loss.
// `evidence`: of the question's family.
std::vector<KnobStep> knob_steps(const Question& question, const FamilyEvidence& evidence);

}  // namespace explog::recommend
