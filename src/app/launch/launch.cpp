#include "app/launch/launch.h"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <thread>

#include <unistd.h>

#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/own_program.h"
#include "base/process.h"
#include "base/text.h"
#include "launch/script.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr int exit_told_to_stop = 75;
constexpr auto patience_with_workers = std::chrono::seconds(50);
constexpr int submit_ms = 120'000;

// The program by content: two builds of one version do not meet under one name.
std::string program_name() {
  static const std::string name = fmt::format("bin/explog-{}-{}", EXPLOG_VERSION,
                                              hex(blake2b_128(read_file("/proc/self/exe"))).substr(0, 8));
  return name;
}

std::string whole_path(const std::string& folder) {
  std::string path = fs::absolute(folder).lexically_normal().string();
  if (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

launch::Job job_for(const LaunchOptions& o) {
  launch::Job job;
  job.plan = whole_path(o.plan.out), job.program = program_name();
  job.name = "explog-" + fs::path(job.plan).filename().string();
  job.key = hex(blake2b_128(job.plan)).substr(0, 12);
  job.shards = o.shards, job.hosts = o.hosts, job.pass = o.pass, job.setup = o.setup;
  return job;
}

void put_program(const std::string& plan) {
  const std::string to = plan + "/" + program_name();
  if (fs::exists(to)) return;
  fs::create_directories(plan + "/bin");
  const std::string draft = to + ".new-" + hex(random_bytes16());
  fs::copy_file("/proc/self/exe", draft);
  fs::permissions(draft, fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec |
                             fs::perms::others_read | fs::perms::others_exec);
  fs::rename(draft, to);
}

std::vector<std::string> worker_words(const LaunchOptions& o, const std::string& plan, std::size_t k,
                                      const Session& session) {
  return {"campaign", "resume",          "--out", plan, "--shard", fmt::format("{}/{}", k, o.shards),
          "--db",     session.database()};
}

}  // namespace

LaunchScript describe_launch(const LaunchOptions& o) {
  launch::Job job = job_for(o);
  if (o.engine == Engine::ssh) return {launch::ssh_script(job), job.plan + "/launch-ssh"};
  if (o.engine == Engine::slurm) return {launch::slurm_script(job), job.plan + "/launch.sbatch"};
  std::string commands;
  for (std::size_t k = 1; k <= o.shards; ++k)
    commands +=
        fmt::format("explog campaign resume --out {} --shard {}/{}\n", launch::quoted(job.plan), k, o.shards);
  return {commands, ""};
}

LaunchScript prepare_launch(const LaunchOptions& o, const Session& session) {
  if (o.plan.file.empty())
    PlanFolder(o.plan.out, true);
  else
    make_plan(o.plan, session);
  LaunchScript launch = describe_launch(o);
  if (o.engine == Engine::local) return launch;
  put_program(whole_path(o.plan.out));
  fs::create_directories(o.plan.out + "/slurm");
  write_file(launch.path, launch.script);
  return launch;
}

std::string submit_to_slurm(const LaunchScript& launch) {
  auto sbatch = find_program("sbatch");
  if (!sbatch) throw Error(Exit::unavailable, "no sbatch on the PATH", "run this where Slurm's commands are");
  Finished done = run_program({*sbatch, launch.path}, submit_ms);
  std::string said(trim(done.output));
  if (done.status != 0)
    throw Error(Exit::unavailable, "sbatch refuses: " + said,
                "--pass OPTION hands an option to it; --dry-run prints the script");
  return said;
}

void become_ssh(const LaunchScript& launch) {
  auto bash = find_program("bash");
  if (!bash || !find_program("ssh")) throw Error(Exit::unavailable, "no bash or no ssh on the PATH");
  execl(bash->c_str(), bash->c_str(), launch.path.c_str(), static_cast<char*>(nullptr));
  throw Error(Exit::unavailable, "cannot start " + *bash);
}

int work_here(const LaunchOptions& o, const Session& session) {
  StopSignals signals;
  const std::string plan = whole_path(o.plan.out);
  std::vector<std::unique_ptr<OwnProgram>> workers;
  for (std::size_t k = 1; k <= o.shards; ++k) {
    OwnSetup setup;
    setup.arguments = worker_words(o, plan, k, session);
    setup.shows = !o.silent, setup.ends_with_us = true;
    workers.push_back(std::make_unique<OwnProgram>(setup));
  }
  auto told = std::chrono::steady_clock::time_point::max();
  for (bool working = true; working;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    working = false;
    bool begins_to_end = stop_signal() != 0 && told == std::chrono::steady_clock::time_point::max();
    if (begins_to_end) told = std::chrono::steady_clock::now();
    bool too_late = stop_signal() != 0 && std::chrono::steady_clock::now() - told > patience_with_workers;
    for (auto& worker : workers) {
      if (worker->has_ended()) continue;
      working = true;
      if (begins_to_end) worker->send(SIGTERM);
      if (too_late) worker->kill_all();
    }
  }
  int gravest = 0;
  for (auto& worker : workers) {
    gravest = std::max(gravest, worker->code());
    if (o.silent && !worker->said().empty()) session.warn(std::string(trim(worker->said())));
  }
  return stop_signal() != 0 ? exit_told_to_stop : gravest;
}

}  // namespace explog::app
