#include "cli/context.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace explog;

namespace {

struct Told {
  std::ostringstream out, err;
  cli::Context context{.terminal = {.out = out, .err = err}};
};

}  // namespace

TEST_CASE("progress is for a terminal on standard error, wherever the answer goes") {
  Told piped;
  piped.context.terminal.interactive = true;  // explog report --site x 2> log
  piped.context.connect();
  piped.context.session.progress("half of it");
  CHECK(piped.err.str().empty());

  Told watched;
  watched.context.terminal.watched = true;  // explog export > file
  watched.context.connect();
  watched.context.session.progress("half of it");
  CHECK(watched.err.str() == "\r\033[Khalf of it");

  for (bool cli::Context::*silent : {&cli::Context::json, &cli::Context::quiet}) {
    Told told;
    told.context.terminal.watched = told.context.*silent = true;
    told.context.connect();
    told.context.session.progress("half of it");
    CHECK(told.err.str().empty());
  }
}

TEST_CASE("a warning takes the line of progress away first") {
  Told told;
  told.context.terminal.watched = true;
  told.context.connect();
  told.context.session.progress("half of it");
  told.context.session.warn("odd");
  CHECK(told.err.str() == "\r\033[Khalf of it\r\033[Kexplog: odd\n");
}
