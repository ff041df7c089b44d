// y = a / (1 + e^-a) * b, with the power of a negative number only, so that nothing overflows.
#include "explog_reference.h"

namespace explog {

void reference(Problem& p, std::int64_t begin, std::int64_t end) {
  const std::int64_t D = p.dim("D");
  for (std::int64_t i = begin * D; i < end * D; ++i) {
    const real a = p.in("a")[i], b = p.in("b")[i];
    const real size = abs(a);
    const real e = exp(-size);
    const real gate = (a < real(0) ? e : real(1)) / (real(1) + e);  // the logistic function of a
    const real value = a * gate * b;
    p.out("y")[i] = value;
    // e^x carries the rounding of its argument |x| times over; how much of that is left in y is 1 - gate.
    p.magnitude("y")[i] = std::abs(double(value)) * (1 + double(size) * (1 - double(gate)));
  }
}

}  // namespace explog
