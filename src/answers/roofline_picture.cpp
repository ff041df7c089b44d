#include <algorithm>

#include "answers/diagnosis.h"
#include "base/text.h"

namespace explog::answers {
namespace {

using namespace diagnose;

std::string why_no_point(const Subject& s, const Picture& picture) {
  if (picture.memory.value <= 0)
    return "no roofline: the bandwidth of this GPU is not known; give --arch, or --peak dram=4.8e12";
  if (s.diagnosis.time_ms <= 0)
    return "no point on the roofline: the time of the launch (gpu__time_duration.sum) is missing or 0";
  if (!s.diagnosis.roofline || !s.diagnosis.roofline->flops_known)
    return "no point on the roofline: the profile does not count floating-point operations; `ncu --set full` "
           "does, "
           "and --flops N with --bytes and --latency-ms";
  return "no point on the roofline: the kernel did no floating-point operation that is counted";
}

}  // namespace

void print_picture(const Terminal& terminal, const std::vector<Subject>& subjects) {
  Picture picture = picture_of(subjects);
  if (picture.memory.value <= 0 || picture.points.empty()) {
    terminal.out << '\n' << why_no_point(subjects.back(), picture) << '\n';
    return;
  }
  terminal.out << '\n' << text_picture(picture, std::min(terminal.width, 100), false);
}

}  // namespace explog::answers
