// Profiles: reading them, choosing a kernel, and the peaks to hold it against.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "diagnose/subject.h"
#include "intake/ncu_csv.h"

namespace explog::app {

// Reads a profile; what is odd about it is a warning. Throws Error(usage).
intake::NcuFile read_profile(const std::string& path, const Session& session);

// The kernels whose name fits the RE2 pattern (all without one), longest first. Throws Error(usage) naming
// the kernels there are when none fits.
std::vector<KernelProfile> choose_kernels(const intake::NcuFile& file, const std::string& pattern,
                                          const std::string& path);
// The kernel that took most time; when there are several to choose from, a warning says so.
const Launch& main_kernel(const intake::NcuFile& file, const std::string& pattern, const std::string& path,
                          const Session& session);

// Peaks by name, dram in byte/s and the others in FLOP/s. Throws Error(usage) naming --peak.
diagnose::Peaks peaks_named(const Facts& facts);

// Peaks of the GPU behind a launch: given ones before measured ceilings before counters before its data
// sheet before the largest card of its arch.
diagnose::Peaks peaks_for(const Launch& launch, const diagnose::Peaks& given, sql::Db& db);

// What is known of a kernel besides its counters.
struct BesideCounters {
  diagnose::Peaks peaks;   // of the GPU, as the user gives them
  diagnose::Work formula;  // operations, bytes and time that the counters do not tell
  diagnose::Rules rules = diagnose::Rules::nsight;
};
// A launch with counters: the peaks of its GPU, those of its kind, and what bounds it.
diagnose::Subject subject_of(Launch launch, const std::string& role, const BesideCounters& known,
                             sql::Db& db);
// The same of a launch without counters, from `known.formula` alone.
diagnose::Subject formula_subject(Launch launch, const std::string& role, const BesideCounters& known,
                                  sql::Db& db);

// Metrics, arch, GPU, bottleneck and stall of the kernel before and after a change, as the record of that
// change keeps them; fields that are given stay.
void add_profile(Experience& e, const diagnose::Subject& subject);

// Metrics that a record keeps as a launch, so that they can be diagnosed.
Launch launch_of(const Facts& metrics, const std::string& kernel, const std::string& arch,
                 const std::string& gpu);

}  // namespace explog::app
