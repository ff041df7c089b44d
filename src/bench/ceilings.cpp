#include "bench/ceilings.h"

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "model/backend.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr int timeout_ms = 320'000;
constexpr int no_device = 4;  // exit status of kernels/harness/ceilings

}  // namespace

DeviceCeilings measure_ceilings() {
  Builder builder(find_toolchain(backend_of_file("ceilings.cu"), "", {}));
  Finished run = run_program({builder.ceilings()}, timeout_ms);
  std::string said = printable(trim(run.output));
  if (run.timed_out) throw Error(Exit::unavailable, "the ceilings were not measured within 320 s");
  if (run.status == no_device)
    throw Error(Exit::unavailable, "no GPU to measure: " + said, "nvidia-smi shows what the driver sees");
  if (run.status != 0) throw Error(Exit::unavailable, "the ceilings could not be measured: " + said);
  try {
    DeviceCeilings ceilings = parse_device_ceilings(trim(run.output));
    ceilings.toolkit = builder.toolchain().version;
    return ceilings;
  } catch (const JsonError& e) {
    throw Error(Exit::unavailable, "the ceilings could not be measured: " + printable(e.what()));
  }
}

}  // namespace explog::bench
