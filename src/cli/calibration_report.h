// stats --calibration: whether explog's probabilities were true of the own records.
#pragma once
#include <string>

#include "cli/context.h"

namespace explog::cli {

struct CalibrationOptions {
  bool report = false;
  std::string svg, recalibrate;  // a file; on, off or empty
};

int report_calibration(const CalibrationOptions& options, Context& context);

}  // namespace explog::cli
