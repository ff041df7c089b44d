// Remotes report kinds of failure; the exit codes for them are part of the command line's contract.
#include "cli/exit_of.h"

#include <doctest/doctest.h>

using namespace explog;
using FailureKind = sync::Failure::Kind;

TEST_CASE("each kind of a remote's failure has its exit code") {
  CHECK(cli::exit_of(FailureKind::unreachable) == Exit::remote);
  CHECK(cli::exit_of(FailureKind::refused) == Exit::unavailable);
  CHECK(cli::exit_of(FailureKind::too_old) == Exit::store);
  CHECK(cli::exit_of(FailureKind::misused) == Exit::usage);
}
