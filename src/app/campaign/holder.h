// Who is at work in a campaign's folder.
#pragma once
#include <memory>
#include <string>

#include "app/session/session.h"
#include "base/file.h"

namespace explog::app {

// Throws Error(store, busy) with the process that judges there, or that runs the campaign.
[[noreturn]] void refuse_busy(const std::string& folder, const Session& session);

// Held by `campaign run` from its first proposal to its end: only one proposes at a time. Others may judge in between.
class RunLock {
 public:
  // Throws as refuse_busy where another process has it.
  RunLock(const std::string& folder, const Session& session);

 private:
  std::unique_ptr<FileLock> lock_;
};

}  // namespace explog::app
