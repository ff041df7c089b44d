// Records whose outcome is known, asked as if it were not: what a backtest and the reliability of
// probabilities have in common.
#pragma once
#include <cstdint>
#include <string>

#include "model/experience.h"
#include "model/question.h"

namespace explog::recommend {

// A record with the time it was made (ms; 0 not known: then records count as older the earlier they stand).
struct Dated {
  Experience record;
  std::int64_t at_ms = 0;
};

// The question a record answers.
Question question_of(const Experience& e);

}  // namespace explog::recommend
