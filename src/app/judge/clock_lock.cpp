#include "app/judge/clock_lock.h"

#include <fmt/format.h>

#include "app/judge/gpu_lease.h"
#include "base/error.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::app {
namespace {

constexpr int smi_patience_ms = 60'000;  // with nvidia-smi
constexpr double least_mhz = 100, most_mhz = 10'000;

// $1 nvidia-smi, $2 the GPU, $3 the clock. It says one line on 4 and waits on 3, whose end is our end. One process locks
// and resets, so that no lock can come behind its reset.
constexpr const char* keeper_script = R"(trap '' INT TERM HUP PIPE
if ! said=$("$1" -i "$2" --lock-gpu-clocks="$3,$3" 2>&1); then
  printf '%s\n' "refused: $said" | tr '\n' ' ' >&4; echo >&4; exit 0
fi
echo locked >&4
read -r end <&3
"$1" -i "$2" --reset-gpu-clocks || { sleep 1; "$1" -i "$2" --reset-gpu-clocks; })";

std::string smi_program() {
  auto found = find_program("nvidia-smi");
  if (!found) throw Error(Exit::unavailable, "--lock-clocks: nvidia-smi is not on the PATH");
  return *found;
}

std::string highest_clock(const std::string& smi, const std::string& gpu) {
  Finished run = run_program({smi, "-i", gpu, "--query-gpu=clocks.max.sm", "--format=csv,noheader,nounits"},
                             smi_patience_ms);
  auto mhz = parse_number(trim(run.output));
  if (run.status != 0 || !mhz)
    throw Error(Exit::unavailable, "--lock-clocks max: nvidia-smi does not say the highest clock of " + gpu,
                "name the clock in MHz");
  return number_text(*mhz);
}

std::unique_ptr<FileLock> clocks_lock(const std::string& gpu) {
  const std::string folder = gpu_lock_folder();
  make_directories(folder);
  try {
    return std::make_unique<FileLock>(folder + "/" + gpu + ".clocks", 0);
  } catch (const Error& e) {
    if (!e.retryable()) throw;
    throw Error(Exit::store, "another explog has locked the clocks of " + gpu,
                "try again when it has finished", Error::busy.data());
  }
}

}  // namespace

void must_be_a_clock(const std::string& wanted) {
  auto mhz = parse_number(wanted);
  if (wanted == "max" || (mhz && *mhz >= least_mhz && *mhz <= most_mhz && *mhz == static_cast<int>(*mhz)))
    return;
  throw Error(Exit::usage, "--lock-clocks: '" + printable(wanted) + "' is no clock",
              "a whole number of MHz, or max: nvidia-smi -q -d SUPPORTED_CLOCKS lists them");
}

ClockLock::ClockLock(const std::string& wanted, const Session& session) : session_(&session) {
  must_be_a_clock(wanted);
  const std::string smi = smi_program();
  auto gpus = visible_gpus(bench::find_gpus(), env("CUDA_VISIBLE_DEVICES"));
  if (gpus.empty()) throw Error(Exit::unavailable, "--lock-clocks: CUDA_VISIBLE_DEVICES names no GPU here");
  gpu_ = gpus.front().uuid;
  ours_ = clocks_lock(gpu_);
  const std::string mhz = wanted == "max" ? highest_clock(smi, gpu_) : wanted;
  keeper_ = std::make_unique<Child>(ChildSetup{
      {"/bin/sh", "-c", keeper_script, "explog-clocks", smi, gpu_, mhz}, {"PATH=" + env("PATH")}, "/", {}});
  std::string said;
  if (keeper_->listen(said, smi_patience_ms) == Child::Heard::line && said == "locked") return;
  keeper_->finish(smi_patience_ms);
  throw Error(Exit::unavailable,
              "--lock-clocks: " +
                  (said.empty() ? "nvidia-smi does not answer" : printable(trim(said).substr(0, 300))),
              "it takes the right of an administrator: leave --lock-clocks out, verdicts do not need it");
}

ClockLock::~ClockLock() {
  if (keeper_->finish(smi_patience_ms).status == 0) return;
  session_->warn("the clocks of " + gpu_ +
                 " could not be given back: nvidia-smi --reset-gpu-clocks does that");
}

}  // namespace explog::app
