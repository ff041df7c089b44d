// The processes that this one started and waits for. Children that are not among them are orphans: someone
// else's, who came to us when their parent ended.
#pragma once
#include <spawn.h>
#include <sys/types.h>

#include <string>
#include <vector>

namespace explog {

// posix_spawn of argv[0] (a path): 0 and the pid, or an error number.
int spawn(pid_t& pid, const posix_spawn_file_actions_t& actions, const posix_spawnattr_t& attributes,
          const std::vector<std::string>& argv, char* const* environment);

// waitpid for a process that spawn() started, except that a signal does not end the wait: its pid once it has
// ended, 0 while it runs (WNOHANG), -1 with exit status 127 when someone else has taken note of its end.
pid_t wait_for(pid_t pid, int& status, int flags = 0);

// Whether a child of ours (its parent is this process) came to us by the death of its parent.
bool is_orphan(pid_t pid);

// NAME=value of each variable that this process has.
std::vector<std::string> own_environment();

// For posix_spawn: valid as long as the texts are.
std::vector<char*> pointers(const std::vector<std::string>& texts);

}  // namespace explog
