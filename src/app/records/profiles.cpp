#include "app/records/profiles.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "store/devices.h"

namespace explog::app {

intake::NcuFile read_profile(const std::string& path, const Session& session) {
  if (path.ends_with(".ncu-rep")) {
    throw Error(
        Exit::usage, path + " is Nsight Compute's own format",
        "turn it into a table: ncu --import FILE --csv --page raw --print-units base --print-fp > FILE.csv");
  }
  intake::NcuFile file = intake::parse_ncu(session.read(path), path == "-" ? "stdin" : path);
  for (const std::string& remark : file.remarks) session.warn(path + ": " + remark);
  return file;
}

std::vector<KernelProfile> choose_kernels(const intake::NcuFile& file, const std::string& pattern,
                                          const std::string& path) {
  RE2 expression(pattern, RE2::Quiet);
  if (!expression.ok())
    throw Error(Exit::usage, "--kernel-name: " + expression.error(), "it is an RE2 regular expression");
  std::vector<KernelProfile> all = kernels_of(file.launches), chosen;
  for (const KernelProfile& k : all) {
    if (RE2::PartialMatch(k.launch->kernel, expression)) chosen.push_back(k);
  }
  if (!chosen.empty()) return chosen;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size() && i < 5; ++i)
    names.push_back(ellipsis(printable(all[i].launch->kernel), 60));
  throw Error(Exit::negative, path + ": no kernel matches '" + pattern + "'",
              "it has " + join(names, ", ") + (all.size() > 5 ? ", ..." : ""));
}

const Launch& main_kernel(const intake::NcuFile& file, const std::string& pattern, const std::string& path,
                          const Session& session) {
  auto kernels = choose_kernels(file, pattern, path);
  if (kernels.size() > 1) {
    session.warn(fmt::format("{}: {} kernels; taken: {}, the longest (--kernel-name chooses another)", path,
                             kernels.size(), ellipsis(printable(kernels[0].launch->kernel), 60)));
  }
  return *kernels[0].launch;
}

diagnose::Peaks peaks_named(const Facts& facts) {
  diagnose::Peaks peaks;
  for (const auto& [name, value] : facts) {
    auto roof = diagnose::parse_roof(name);
    if (!roof || value < 1e6 || value > 1e21) {  // no GPU is so slow, or so fast
      throw Error(
          Exit::usage, "--peak: cannot use '" + name + "=" + number_text(value) + "'",
          "dram in byte/s; fp64, fp32, half, tf32, f16, fp8, int8 in FLOP/s: --peak dram=4.3e12,fp32=6.1e13");
    }
    peak(peaks, *roof) = {value, "given"};
  }
  return peaks;
}

// Of the bytes that went to and from DRAM; a half where it is not known.
static double write_share(const Launch& launch) {
  auto read = metric(launch, "dram__bytes_read.sum"), written = metric(launch, "dram__bytes_write.sum");
  return read && written && *read + *written > 0 ? *written / (*read + *written) : 0.5;
}

// Of the kind of GPU behind a launch: its counters before its card's data sheet before the largest card of its
// arch.
static diagnose::Peaks nominal_peaks(const Launch& launch) {
  diagnose::Peaks card = diagnose::peaks_of_card(text_metric(launch, "device__attribute_display_name"));
  if (peak(card, diagnose::Roof::fp32).value <= 0)
    card = diagnose::prefer(card, diagnose::peaks_of_arch(launch.arch));
  return diagnose::prefer(diagnose::peaks_of_launch(launch), card);
}

diagnose::Peaks peaks_for(const Launch& launch, const diagnose::Peaks& given, sql::Db& db) {
  std::string gpu(text_metric(launch, "device__attribute_display_name"));
  diagnose::Peaks peaks = nominal_peaks(launch);
  if (auto ceilings = store::ceilings_of(db, gpu, launch.arch))
    peaks = diagnose::prefer(diagnose::peaks_of_ceilings(*ceilings, write_share(launch)), peaks);
  return diagnose::prefer(given, peaks);
}

// Data sheets and counters tell what the kind of GPU reaches; measured and given peaks are of this one.
static diagnose::Subject with_peaks(Launch launch, const std::string& role, const diagnose::Peaks& given,
                                    sql::Db& db) {
  diagnose::Subject s;
  s.role = role;
  s.launch = std::move(launch);
  s.peaks = peaks_for(s.launch, given, db);
  s.nominal = nominal_peaks(s.launch);
  return s;
}

diagnose::Subject subject_of(Launch launch, const std::string& role, const BesideCounters& known,
                             sql::Db& db) {
  diagnose::Subject s = with_peaks(std::move(launch), role, known.peaks, db);
  s.diagnosis = diagnose::diagnose(s.launch, s.peaks, known.formula, known.rules);
  return s;
}

diagnose::Subject formula_subject(Launch launch, const std::string& role, const BesideCounters& known,
                                  sql::Db& db) {
  diagnose::Subject s = with_peaks(std::move(launch), role, known.peaks, db);
  s.diagnosis = diagnose::diagnose(known.formula, s.peaks);
  return s;
}

void add_profile(Experience& e, const diagnose::Subject& subject) {
  const Launch& launch = subject.launch;
  Facts& metrics = subject.role == "after" ? e.metrics_after : e.metrics_before;
  for (const auto& [name, value] : record_metrics(launch)) {
    if (!fact(metrics, name)) metrics.emplace_back(name, value);
  }
  if (e.arch.empty()) e.arch = launch.arch;
  if (e.gpu.empty()) e.gpu = text_metric(launch, "device__attribute_display_name");
  if (subject.role == "after") return;
  const diagnose::Diagnosis& d = subject.diagnosis;
  if (e.bottleneck.empty() && d.label.word != "unknown") e.bottleneck = d.label.word;
  if (e.stall.empty()) e.stall = d.stall;
}

Launch launch_of(const Facts& metrics, const std::string& kernel, const std::string& arch,
                 const std::string& gpu) {
  Launch launch;
  launch.kernel = kernel;
  launch.arch = arch;
  launch.metrics = metrics;
  sort_metrics(launch.metrics);
  if (!gpu.empty()) launch.texts.emplace_back("device__attribute_display_name", gpu);
  return launch;
}

}  // namespace explog::app
