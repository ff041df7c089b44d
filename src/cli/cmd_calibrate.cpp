// calibrate: the kernels that travel with the program, measured on the GPUs here -> records at level
// `measured`.
#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/calibrate.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {

bool is_wanted(const CalibrateOptions& o, const std::string& family) {
  return o.families.empty() || std::find(o.families.begin(), o.families.end(), family) != o.families.end();
}

void check_families(const CalibrateOptions& o, const std::vector<std::string>& names,
                    const std::string& what) {
  for (const std::string& family : o.families) {
    if (std::find(names.begin(), names.end(), family) == names.end())
      throw Error(Exit::usage,
                  "--families: no " + what + " '" + printable(family) + "'" + did_you_mean(family, names),
                  "one of: " + join(names, ", "));
  }
}

Action setup_calibrate(CLI::App& app) {
  auto o = std::make_shared<CalibrateOptions>();
  app.add_flag(
      "--sweep", o->sweep,
      "the spaces of configurations (sweep.json) instead of the ladders: what each single change does");
  app.add_option("--families", o->families, "only these: softmax,gemm_f32")
      ->delimiter(',')
      ->type_name("NAME,...");
  app.add_option("--backend", o->backend, "cuda, or kernels in plain C++")
      ->check(CLI::IsMember({"cuda", "host"}))
      ->type_name("cuda|host")
      ->capture_default_str();
  app.add_option("--arch", o->arch, "compile for this arch instead of the GPU's own")->type_name("sm_NN");
  app.add_option("--gpus", o->gpus, "spread the families over these GPUs (index or UUID); default: all")
      ->delimiter(',')
      ->type_name("N,...");
  app.add_option("--budget", o->budget_minutes, "begin nothing more after this time; 0: run all")
      ->check(zero_or_more())
      ->type_name("MIN");
  app.add_option("--max-time", o->max_seconds, "seconds of timing a step's shape at most")
      ->check(zero_or_more())
      ->type_name("S")
      ->capture_default_str();
  app.add_flag("--dry-run", o->dry_run, "only name what would be measured");
  app.add_flag("--no-profile", o->no_profile, "without counters");
  app.add_flag("--sanitizer", o->sanitizer, "run compute-sanitizer on every variant too");
  return [o](Context& context) {
    return o->sweep ? calibrate_sweeps(*o, context) : calibrate_ladders(*o, context);
  };
}

}  // namespace explog::cli
