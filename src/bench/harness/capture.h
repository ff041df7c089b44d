// What a candidate asks of the device in one call, taken down in a process of its own.
#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "base/child.h"
#include "bench/harness/helper_environment.h"
#include "bench/harness/host_buffers.h"
#include "bench/harness/private_folder.h"
#include "bench/judge/case.h"

namespace explog::bench {

// Bytes of the plans of two calls with other buffers and other inputs, as the process that ran the candidate wrote
// them: nothing in them is checked yet.
struct Captured {
  std::array<std::string, 2> plans;
  std::string chosen;  // what a candidate in Python tuned itself to, in this process: for chosen_settings()
  std::string left;    // by direct calls, as that process wrote it
  std::string error;   // why there are none, in one line
  bool in_time = true;
};

// One process for all cases, one after the other, since most of its time goes by before the first: an answer for each
// case, and where it fails, the same error for all. `inputs`: of direct calls. `setup.program` is the capturing program. Throws Error(unavailable)
// when it cannot be started.
std::vector<Captured> capture(const RunnerSetup& setup, const std::string& library,
                              const std::vector<Case>& cases, const SampleOrder& inputs);

// One process for many libraries, one after the other, at one case: what a capture takes is then a few calls. It begins with
// this object, beside what the caller does next, and ends with the thread that made it; where a library has ended it, another begins. Only for libraries of one author: they share it.
class Capturing {
 public:
  // Throws Error(unavailable) when it cannot be started.
  Capturing(RunnerSetup setup, Case problem, const SampleOrder& inputs);
  // The next library, which is captured beside what the caller does until take() waits for it.
  void name(const std::string& library);
  Captured take();

 private:
  void begin();
  RunnerSetup setup_;
  Case problem_;
  SampleOrder inputs_;
  std::unique_ptr<PrivateFolder> folder_;  // of its plans
  std::unique_ptr<Child> child_;
  std::size_t named_ = 0;  // libraries, in this process
  int patience_ms_ = 0;    // with the last one
};

}  // namespace explog::bench
