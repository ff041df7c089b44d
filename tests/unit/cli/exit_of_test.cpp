// Remotes report kinds of failure; the exit codes for them are part of the command line's contract.
#include "cli/exit_of.h"

#include <doctest/doctest.h>

using namespace explog;
using Kind = sync::Failure::Kind;

TEST_CASE("each kind of a remote's failure has its exit code") {
  CHECK(cli::exit_of(Kind::unreachable) == Exit::remote);
  CHECK(cli::exit_of(Kind::refused) == Exit::unavailable);
  CHECK(cli::exit_of(Kind::too_old) == Exit::store);
  CHECK(cli::exit_of(Kind::misused) == Exit::usage);
}
