// C = A B: explog_reference.h does it.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  multiply(p.in("A"), p.in("B"), p.out("C"), p.magnitude("C"), p.dim("N"), p.dim("K"), begin, end, absolute);
}

}  // namespace explog
