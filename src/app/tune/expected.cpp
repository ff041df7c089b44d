#include "app/tune/expected.h"

#include <algorithm>

#include "model/arch.h"
#include "model/backend.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"
#include "recommend/knob_steps.h"
#include "store/read.h"
#include "tune/expected.h"

namespace explog::app {
namespace {

Question question_of(const TuningKey& key) {
  Question q;
  q.kernel_type = canonical_kernel_type(key.kernel_type);
  q.family = family_of(q.kernel_type);
  q.backend = recorded_backend(key.backend);
  q.arch = canonical_arch(key.arch).value_or("");
  q.bottleneck = word(Bottleneck::unknown);
  q.dtype = key.dtype;
  for (const auto& [name, value] : key.shape) q.shape.emplace_back(name, static_cast<double>(value));
  return q;
}

}  // namespace

std::vector<double> expected_rows(const TuneRequest& request, const Session& session) {
  Question question = question_of(request.key);
  sql::Db db = session.reader();
  std::vector<KnobStep> steps = recommend::knob_steps(question, store::evidence(db, question.family));
  std::vector<double> expected = tune::expected_times(request.space.space, request.rows.rows, steps);
  bool known = std::any_of(expected.begin(), expected.end(), [](double e) { return e != 0; });
  if (!known)
    session.warn("predicted: no record of these knobs in kernels of type " + question.kernel_type +
                 "; the order comes from this run's own times");
  return expected;
}

}  // namespace explog::app
