// How close the situation that a record was made in is to the one asked about, 0..1.
#pragma once
#include <string_view>

#include "model/family_evidence.h"
#include "model/question.h"

namespace explog::recommend {

// Element types: 1 for the same or where the question does not say; less the less their kernels have in common
// (f16 and bf16 nearly all, f32 and f16 not even the units that compute).
double dtype_weight(std::string_view asked, std::string_view seen);

// Element and kernel type. What this takes from a record is not believed at any level.
double kinship(const Question& question, const Setting& setting);

// Bottleneck, and the size of the problem: by the time it takes where both are known, else by the product of
// its dimensions. What this takes from a record still counts for the family.
double situation_of(const Question& question, const EvidenceRow& cell);

}  // namespace explog::recommend
