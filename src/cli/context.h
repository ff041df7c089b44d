// What every command gets: streams, global flags, clock; the store is opened by those that need it.
#pragma once
#include <cstdint>
#include <functional>
#include <istream>
#include <ostream>
#include <string>
#include <vector>

#include "base/sqlite.h"
#include "model/playbook.h"
#include "store/store.h"

namespace explog::cli {

struct Context {
  std::istream* in = nullptr;  // nullptr: file descriptor 0
  std::ostream& out;
  std::ostream& err;
  std::function<std::int64_t()> clock;  // Unix time in milliseconds
  bool terminal = false;                // output goes to a terminal
  int width = 100;                      // its columns

  // Global flags.
  std::string db_path, data_dir;
  bool json = false, quiet = false, no_color = false;

  std::string database() const;  // --db, else $EXPLOG_DB, else $XDG_DATA_HOME/explog/explog.db
  store::Store writer() const;
  sql::Db reader() const;  // tells on `err` what the user should know about the file
  Playbook playbook() const { return Playbook::load(data_dir); }
  void warn(const std::string& message) const;  // one line on `err`, not with --quiet
  bool color() const;
  std::string bold(const std::string& s) const { return color() ? "\033[1m" + s + "\033[0m" : s; }
  std::string dim(const std::string& s) const { return color() ? "\033[2m" + s + "\033[0m" : s; }
};

}  // namespace explog::cli
