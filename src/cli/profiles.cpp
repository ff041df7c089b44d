#include "cli/profiles.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/flags.h"
#include "store/devices.h"

namespace explog::cli {

intake::NcuFile read_profile(const std::string& path, const Context& context) {
  if (path.ends_with(".ncu-rep")) {
    throw Error(
        Exit::usage, printable(path) + " is Nsight Compute's own format",
        "turn it into a table: ncu --import FILE --csv --page raw --print-units base --print-fp > FILE.csv");
  }
  intake::NcuFile file = intake::parse_ncu(read_file(path, context.in), path == "-" ? "stdin" : path);
  for (const std::string& remark : file.remarks) context.warn(printable(path) + ": " + remark);
  return file;
}

std::vector<KernelProfile> choose_kernels(const intake::NcuFile& file, const std::string& pattern,
                                          const std::string& path) {
  RE2 expression(pattern, RE2::Quiet);
  if (!expression.ok())
    throw Error(Exit::usage, "--kernel-name: " + printable(expression.error()),
                "it is an RE2 regular expression");
  std::vector<KernelProfile> all = kernels_of(file.launches), chosen;
  for (const KernelProfile& k : all) {
    if (RE2::PartialMatch(k.launch->kernel, expression)) chosen.push_back(k);
  }
  if (!chosen.empty()) return chosen;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < all.size() && i < 5; ++i)
    names.push_back(ellipsis(printable(all[i].launch->kernel), 60));
  throw Error(Exit::negative, printable(path) + ": no kernel fits '" + printable(pattern) + "'",
              "it has " + join(names, ", ") + (all.size() > 5 ? ", ..." : ""));
}

const Launch& main_kernel(const intake::NcuFile& file, const std::string& pattern, const std::string& path,
                          const Context& context) {
  auto kernels = choose_kernels(file, pattern, path);
  if (kernels.size() > 1) {
    context.warn(fmt::format("{}: {} kernels; taken: {}, the longest (--kernel-name chooses another)",
                             printable(path), kernels.size(),
                             ellipsis(printable(kernels[0].launch->kernel), 60)));
  }
  return *kernels[0].launch;
}

diagnose::Peaks parse_peaks(const std::vector<std::string>& texts) {
  diagnose::Peaks peaks;
  for (const auto& [name, value] : parse_facts(texts, "--peak")) {
    auto roof = diagnose::parse_roof(name);
    if (!roof || value <= 0) {
      throw Error(
          Exit::usage, "--peak: cannot use '" + printable(name) + "=" + number_text(value) + "'",
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

diagnose::Peaks peaks_for(const Launch& launch, const diagnose::Peaks& given, sql::Db& db) {
  std::string gpu(text_metric(launch, "device__attribute_display_name"));
  diagnose::Peaks peaks =
      diagnose::prefer(diagnose::peaks_of_launch(launch), diagnose::peaks_of_arch(launch.arch));
  if (auto ceilings = store::ceilings_of(db, gpu, launch.arch))
    peaks = diagnose::prefer(diagnose::peaks_of_ceilings(*ceilings, write_share(launch)), peaks);
  return diagnose::prefer(given, peaks);
}

diagnose::Diagnosis diagnose_launch(const Launch& launch, sql::Db& db) {
  return diagnose::diagnose(launch, peaks_for(launch, {}, db), {}, diagnose::Rules::nsight);
}

std::string rate_text(double per_second, const char* unit) {
  const char* prefixes[] = {"", "K", "M", "G", "T", "P"};
  std::size_t i = 0;
  for (; per_second >= 999.5 && i + 1 < std::size(prefixes); ++i) per_second /= 1000;
  return short_number(per_second) + " " + prefixes[i] + unit;
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

}  // namespace explog::cli
