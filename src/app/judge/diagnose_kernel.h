// What bounds a kernel: of a profile, of a record, of a candidate that is run here, or of figures.
#pragma once
#include <string>
#include <vector>

#include "app/session/session.h"
#include "diagnose/subject.h"

namespace explog::app {

// One of `ncu`, `record`, `task` with `source`, and figures says where the kernel is.
struct DiagnosisRequest {
  std::string ncu, before;         // profiles of the kernel as it is, and before the change
  std::string record;              // id of a record whose metrics are stored
  std::string task, source;        // a candidate to run, without judging it
  double flops = -1, bytes = 0;    // figures of one launch; -1 and 0 unknown
  double latency_ms = 0;           // 0 unknown
  std::string dtype = "f32";       // what the operations are done in
  std::string arch, kernel_name;   // where the profile does not say; RE2
  std::string profiler = "cupti";  // of a candidate: cupti or ncu
  Facts peaks;                     // by name; they win over all others
  diagnose::Rules rules = diagnose::Rules::nsight;
  int limit = 5;  // kernels of a profile, 0 for all
};

// Longest kernel first; with `before` two subjects. Throws Error(usage) when the request does not say where
// the kernel is, Error(negative) when what it names has no metrics.
std::vector<diagnose::Subject> diagnose_kernel(const DiagnosisRequest& request, const Session& session);

}  // namespace explog::app
