// What every command gets: standard input, the terminal, the global flags, and the session of its use case.
#pragma once
#include <functional>
#include <istream>

#include "answers/terminal.h"
#include "app/session/session.h"

namespace explog::cli {

struct Context {
  std::istream* in = nullptr;  // nullptr: file descriptor 0
  answers::Terminal terminal;
  app::Session session = {};
  // Serves an agent; `judge`: kernels may be built and run. Handed in by who joins the faces of the program.
  std::function<int(const app::Session& session, bool judge)> serve = {};
  bool json = false, quiet = false, no_color = false, progress_shown = false;

  // Lets the session speak on this terminal, as the flags say. The context must stay where it is.
  void connect();
  // Takes away the line of progress, before something else is said.
  void end_progress() const;
};

}  // namespace explog::cli
