// What a use case may touch besides its arguments: the store, files of the user's own, the clock, and
// somebody who listens. No output, no flag, no terminal.
#pragma once
#include <functional>
#include <iosfwd>
#include <string>

#include "base/sqlite.h"
#include "model/playbook.h"
#include "store/store.h"

namespace explog::app {

using Listener = std::function<void(const std::string&)>;

struct Session {
  std::string db_path;   // the database; empty: $EXPLOG_DB, else $XDG_DATA_HOME/explog/explog.db
  bool shipped = false;  // readers find the records that ship with the program, put in once where they lack
  std::string data_dir;  // folder whose strategies/ and kernels/ add to the built-in ones and win over them
  store::Clock clock;    // Unix time in milliseconds
  Listener warn = [](const std::string&) {};      // one line that the user should know
  Listener progress = [](const std::string&) {};  // what is being done; "": nothing any more
  std::istream* piped = nullptr;                  // what "-" names as a file; nullptr: file descriptor 0
  // The text of a file that the user names; "-" is what was piped in. Throws Error(usage).
  std::function<std::string(const std::string& path)> read;

  std::string database() const;
  store::Store writer() const;
  // To be asked before what takes minutes to measure. Throws Error(store).
  void expect_writable() const { writer(); }
  sql::Db reader() const;  // what is odd about the file is a warning
  Playbook playbook() const { return Playbook::load(data_dir); }
};

}  // namespace explog::app
