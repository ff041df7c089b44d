#include "app/campaign/holder.h"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "app/campaign/heart.h"
#include "base/date.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/text.h"

namespace explog::app {
namespace {

std::string run_lock_in(const std::string& folder) { return folder + "/run.lock"; }

bool is_run_locked(const std::string& folder) try {
  FileLock free(run_lock_in(folder), 0);
  return false;
} catch (const Error&) {
  return true;
}

// "process 4242 on a04 judges v3 since 2026-01-02T03:04:05Z"; empty where nobody says so.
std::string holder_of(const std::string& folder, const Session& session) {
  if (auto heart = heartbeat_in(folder, session))
    return fmt::format("process {} on {} judges v{} since {}", heart->pid, heart->host, heart->version,
                       utc_text(heart->since_ms));
  if (!is_run_locked(folder)) return "";
  std::string runner;
  std::ifstream file(run_lock_in(folder));
  std::getline(file, runner);
  return runner.empty() ? "" : runner + " runs it";
}

}  // namespace

void refuse_busy(const std::string& folder, const Session& session) {
  const std::string holder = holder_of(folder, session);
  throw Error(
      Exit::store,
      "another process is at work in " + printable(folder) + (holder.empty() ? "" : ": " + printable(holder)),
      "`explog campaign status` shows when it is done", Error::busy.data());
}

RunLock::RunLock(const std::string& folder, const Session& session) {
  // A child that a killed process had just made holds the lock until it is a program of its own.
  constexpr int patience_ms = 500;
  try {
    lock_ = std::make_unique<FileLock>(run_lock_in(folder), patience_ms);
  } catch (const Error& e) {
    if (e.code != Error::busy) throw;
    refuse_busy(folder, session);
  }
  std::ofstream(run_lock_in(folder)) << "process " << getpid() << " on " << host_name() << '\n';
}

}  // namespace explog::app
