// Profiles on the command line: reading them, choosing a kernel, and the peaks to hold it against.
#pragma once
#include <string>
#include <vector>

#include "cli/context.h"
#include "diagnose/diagnose.h"
#include "intake/ncu_csv.h"

namespace explog::cli {

// Reads a profile; its remarks go to standard error. Throws Error(usage).
intake::NcuFile read_profile(const std::string& path, const Context& context);

// The kernels whose name fits the RE2 pattern (all without one), longest first. Throws Error(usage) naming
// the kernels there are when none fits.
std::vector<KernelProfile> choose_kernels(const intake::NcuFile& file, const std::string& pattern,
                                          const std::string& path);
// The one that took most time; when there are several to choose from, a note says so.
const Launch& main_kernel(const intake::NcuFile& file, const std::string& pattern, const std::string& path,
                          const Context& context);

// "dram=4.3e12,fp32=6e13" in byte/s and FLOP/s. Throws Error(usage).
diagnose::Peaks parse_peaks(const std::vector<std::string>& texts);

// Peaks of the GPU behind a launch: given ones before measured ceilings before counters before the largest
// card.
diagnose::Peaks peaks_for(const Launch& launch, const diagnose::Peaks& given, sql::Db& db);

// What one kernel of a profile says, as the context of an attempt.
diagnose::Diagnosis diagnose_launch(const Launch& launch, sql::Db& db);

// "4.3 TB/s", "61.2 TFLOP/s".
std::string rate_text(double per_second, const char* unit);
// A metric record's facts as a launch, for diagnosis of what is stored.
Launch launch_of(const Facts& metrics, const std::string& kernel, const std::string& arch,
                 const std::string& gpu);

}  // namespace explog::cli
