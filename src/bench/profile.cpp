#include "bench/profile.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/captured_plan.h"
#include "bench/cases.h"
#include "harness/plan_writer.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

// A launch's own facts come with the launch, its theoretical occupancy too; derived metrics are Nsight Compute's alone. A name
// that the chip does not have costs CUPTI a dozen tries to find.
bool is_counter(std::string_view name) {
  return !name.starts_with("launch__") && !name.starts_with("derived__") &&
         name != "sm__maximum_warps_per_active_cycle_pct";
}

std::string find_ncu(const Toolchain& toolchain) {
  if (auto path = find_program("ncu")) return *path;
  std::error_code ignored;
  fs::path beside = fs::canonical(toolchain.compiler, ignored).parent_path() / "ncu";
  return access(beside.c_str(), X_OK) == 0 ? beside.string() : "";
}

Case largest_case(const Workbench& bench) {
  return make_case(bench.task(), bench.backend().timed[bench.largest_timed()], bench.task().distributions[0]);
}

// What a permission error says, whichever tool says it.
std::string remedy(const std::string& text) {
  bool denied = text.find("ERR_NVGPUCTRPERM") != std::string::npos;
  return denied ? "no permission for GPU counters (ERR_NVGPUCTRPERM): set "
                  "NVreg_RestrictProfilingToAdminUsers=0 for the "
                  "nvidia module, or run as root"
                : printable(text);
}

// The shape is made, inputs are drawn on the device, and the call is profiled.
ProfileResult run(Runner& runner, const std::string& file, const Case& c) {
  std::vector<std::string_view> counters;
  std::copy_if(kept_metrics().begin(), kept_metrics().end(), std::back_inserter(counters), is_counter);
  runner.load(RunnerArm::candidate, file);
  runner.shape(c, 1);
  return runner.profile(RunnerArm::candidate, counters);
}

void by_cupti(Profile& profile, Runner& runner, const std::string& file, const Case& c) {
  runner.hello();
  ProfileResult result = run(runner, file, c);
  profile.launches = std::move(result.launches);
  for (Launch& launch : profile.launches) launch.missing = result.missing;
  if (profile.note.empty()) profile.note = result.note;
}

// The line of a log that says what went wrong.
std::string ncu_error(const std::string& log) {
  for (std::string_view line : split(log, '\n')) {
    if (line.starts_with("==ERROR==")) return std::string(trim(line.substr(9)));
  }
  return log.find("No kernels were profiled") != std::string::npos ? "ncu saw no kernel" : "";
}

void by_ncu(Profile& profile, Workbench& bench, const Countable& counted, const Case& c) {
  std::string program = find_ncu(bench.builder().toolchain());
  if (program.empty()) {
    profile.missing = "ncu is not on the PATH: install Nsight Compute, or use --profile=cupti";
    return;
  }
  std::string log = bench.folder.path() + "/ncu.csv";
  RunnerSetup setup = counted.is_plan ? bench.replay_setup() : bench.setup_for(counted.file);
  setup.before = {program,
                  "--profile-from-start",
                  "off",
                  "--csv",
                  "--page",
                  "raw",
                  "--print-units",
                  "base",
                  "--print-fp",
                  "--log-file",
                  log,
                  "--clock-control",
                  "none",
                  "--cache-control",
                  "all",
                  "--set",
                  "full"};
  setup.use_cupti = false;
  setup.profiled_outside = true;
  std::string trouble;
  {
    Runner runner(setup, bench.folder);
    try {
      run(runner, counted.file, c);
    } catch (const Failed& f) {
      trouble = f.detail;
    }
    runner.finish(120'000);
  }
  profile.csv = access(log.c_str(), R_OK) == 0 ? read_file(log) : "";
  if (std::string error = ncu_error(profile.csv); !error.empty()) trouble = error;
  if (trouble.empty() && profile.csv.empty()) trouble = "ncu wrote nothing";
  if (!trouble.empty()) profile.missing = remedy(trouble);
}

}  // namespace

Countable countable(Workbench& bench, const std::string& library, const PrivateFolder& folder) {
  if (bench.setup_for("").cupti.empty())
    return {library, false, "there is no CUPTI to capture its work with"};
  std::vector<Captured> captured =
      capture(bench.capture_setup(library), library, {largest_case(bench)}, {0, secret_seed(), 1});
  CapturedPlan planned = read_captured(captured.front(), {});
  if (planned.decision.judged != Judged::replay) return {library, false, planned.decision.reason};
  std::string file = folder.path() + "/counted";
  write_file(file, plan::write(planned.plan));
  return {file, true, ""};
}

Countable countable(const Workbench& bench, const Binaries& binaries, const Plans& plans, RunnerArm arm) {
  if (plans.judged == Judged::replay) {
    const ShapePlans& largest = plans.shapes[bench.largest_timed()];
    return {largest.files[static_cast<std::size_t>(arm)], true, ""};
  }
  return {arm == RunnerArm::baseline ? binaries.baseline : binaries.candidate, false, plans.reason};
}

// CUPTI's tracing and its counters do not go together.
std::unique_ptr<Runner> begin_counting(Workbench& bench) {
  return std::unique_ptr<Runner>(new Runner(bench.begin_replay(false)));
}

Profile profile_product(Workbench& bench, const Countable& counted, Profiler by, Runner* counting) {
  Profile profile;
  if (!counted.is_plan) profile.note = "counted in the candidate's own process: " + counted.reason;
  Case c = largest_case(bench);
  profile.dims = c.dims;
  try {
    if (by == Profiler::ncu) {
      by_ncu(profile, bench, counted, c);
    } else {
      std::unique_ptr<Runner> own;
      if (!counted.is_plan)
        own.reset(new Runner(bench.begin_runner(counted.file, false)));
      else if (!counting)
        own = begin_counting(bench);
      by_cupti(profile, own ? *own : *counting, counted.file, c);
    }
  } catch (const Failed& f) {
    profile.missing = remedy(f.detail);
  }
  return profile;
}

}  // namespace explog::bench
