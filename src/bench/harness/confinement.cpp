#include "bench/harness/confinement.h"

#include <linux/seccomp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

namespace explog::bench {

std::string confinement_here() {
  constexpr long landlock_create_ruleset = 444;
  long abi = syscall(landlock_create_ruleset, nullptr, 0, 1);
  std::uint32_t action = SECCOMP_RET_ERRNO;
  bool filters = syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
  return (abi >= 1 ? "landlock " + std::to_string(abi) : std::string("no landlock")) +
         (filters ? ", seccomp" : ", no seccomp");
}

}  // namespace explog::bench
