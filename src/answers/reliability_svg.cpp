#include "answers/reliability_svg.h"

#include <fmt/format.h>

#include "app/advice/reliability.h"

namespace explog::answers {

std::string reliability_svg(const recommend::Reliability& r) {
  return report::reliability_plot("Were the probabilities true?",
                                  fmt::format("{} records, calibration error {:.3f}", r.n, r.ece),
                                  app::bins_of(r), Svg::Look::file);
}

}  // namespace explog::answers
