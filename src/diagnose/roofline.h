// Work done against what the machine can do: arithmetic intensity, ridge, and the share of the roof that is
// reached. Roofline model: Williams, Waterman, Patterson, CACM 52(4), 2009.
#pragma once
#include <optional>
#include <string>

#include "diagnose/peaks.h"

namespace explog::diagnose {

// Of one launch.
struct Work {
  std::array<double, roof_count> flops{};  // operations by the roof that bounds them; [dram] is not used
  double bytes = 0;                        // moved to and from DRAM; 0 unknown
  double seconds = 0;                      // 0 unknown
  bool flops_known = false;
  std::string source;  // counters, formula
  double total_flops() const;
};

// From counters: fadd + fmul + 2 ffma and the like, tensor operations, DRAM bytes; packed halves count x4 and
// x2 as in Nsight Compute's roofline section.
Work work_of_launch(const Launch& launch);

struct Roofline {
  Roof pipe = Roof::fp32;    // that the arithmetic keeps busiest
  double intensity = 0;      // FLOP a DRAM byte
  double ridge = 0;          // FLOP a byte where both roofs meet; 0 unknown
  double flops_rate = 0;     // achieved, FLOP/s
  double bytes_rate = 0;     // achieved, byte/s
  double memory_share = 0;   // of the bandwidth's peak
  double compute_share = 0;  // of the busiest pipe's peak
  bool flops_known = false;
  double reached = 0;      // the larger share; 0 unknown
  std::string label;       // memory, balanced, compute: intensity / ridge below 1/2, to 2, above
  std::string seed_label;  // memory, balanced, compute: intensity below 10, to 50, above
  Peak memory_peak, compute_peak;
};

// Nothing when neither bytes nor operations, or no time, is known.
std::optional<Roofline> roofline_of(const Work& work, const Peaks& peaks);

}  // namespace explog::diagnose
