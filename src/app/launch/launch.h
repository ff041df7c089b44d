// launch: a plan's workers on this host, on others by ssh, or as jobs of Slurm.
#pragma once
#include <string>
#include <vector>

#include "app/launch/plan_worker.h"

namespace explog::app {

enum class Engine { local, ssh, slurm };

struct LaunchOptions {
  Engine engine = Engine::local;
  PlanStart plan;  // without a file: the plan that is in its folder
  std::size_t shards = 1;
  std::vector<std::string> hosts, pass, setup;
  bool silent = false;  // of local workers only complaints are shown
};

struct LaunchScript {
  std::string script,
      path;  // what the engine gets, and where it lies; for local nowhere: its script only tells
};

// The script for this plan; nothing is written.
LaunchScript describe_launch(const LaunchOptions& options);
// Makes the plan, and puts program and script into its folder.
LaunchScript prepare_launch(const LaunchOptions& options, const Session& session);

// Submits the script; what sbatch said. Throws Error(unavailable) where it cannot.
std::string submit_to_slurm(const LaunchScript& launch);
// This process becomes the script. Throws Error(unavailable) where there is no bash or ssh.
[[noreturn]] void become_ssh(const LaunchScript& launch);
// Starts the workers here and waits for them: the gravest exit code, 75 when a signal ended them.
int work_here(const LaunchOptions& options, const Session& session);

}  // namespace explog::app
