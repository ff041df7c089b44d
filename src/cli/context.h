// What every command gets: standard input, the terminal, the global flags, and the session of its use case.
#pragma once
#include <istream>

#include "answers/terminal.h"
#include "app/session.h"

namespace explog::cli {

struct Context {
  std::istream* in = nullptr;  // nullptr: file descriptor 0
  answers::Terminal terminal;
  app::Session session = {};
  bool json = false, quiet = false, no_color = false;

  // Lets the session speak on this terminal, as the flags say. The context must stay where it is.
  void connect();
};

}  // namespace explog::cli
