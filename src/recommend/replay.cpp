#include "recommend/replay.h"

#include "model/kernel_type.h"

namespace explog::recommend {

Question question_of(const Experience& e) {
  Question c;
  c.kernel_type = e.kernel_type, c.family = family_of(e.kernel_type);
  c.backend = e.backend, c.arch = e.arch, c.bottleneck = e.bottleneck, c.dtype = e.dtype;
  c.latency_ms = e.latency_before_ms;
  c.shape = e.shape, c.state = e.state, c.metrics = e.metrics_before;
  return c;
}

}  // namespace explog::recommend
