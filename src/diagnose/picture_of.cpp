#include "diagnose/picture_of.h"

#include "base/text.h"

namespace explog::diagnose {
namespace {

std::string point_name(const Subject& s, std::size_t number, std::size_t all) {
  if (!s.role.empty()) return s.role;
  return all == 1 ? "the kernel"
                  : std::to_string(number + 1) + " " + ellipsis(printable(s.launch.kernel), 40);
}

}  // namespace

Picture picture_of(const std::vector<Subject>& subjects) {
  Picture picture;
  const Subject& last = subjects.back();
  std::string gpu(text_metric(last.launch, "device__attribute_display_name"));
  picture.title = last.launch.kernel +
                  (gpu.empty() ? (last.launch.arch.empty() ? "" : " on " + last.launch.arch) : " on " + gpu);
  picture.memory = peak(last.peaks, Roof::dram);
  bool measured = picture.memory.source == "measured" || picture.memory.source == "given";
  if (measured && peak(last.nominal, Roof::dram).value > 0)
    picture.memory_nominal = peak(last.nominal, Roof::dram);
  std::array<bool, roof_count> used{};
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    const auto& roofline = subjects[i].diagnosis.roofline;
    if (!roofline || !roofline->flops_known) continue;
    used[static_cast<std::size_t>(roofline->pipe)] = true;
    picture.points.push_back(
        {point_name(subjects[i], i, subjects.size()), roofline->intensity, roofline->flops_rate});
  }
  used[static_cast<std::size_t>(Roof::fp32)] = true;
  for (std::size_t i = 1; i < roof_count; ++i) {
    if (used[i] && last.peaks[i].value > 0)
      picture.compute.emplace_back(roof_name(static_cast<Roof>(i)), last.peaks[i]);
  }
  return picture;
}

}  // namespace explog::diagnose
