// This program again, with other arguments, in a session of its own: it goes on when we end.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace explog {

// How the other one runs.
struct OwnSetup {
  std::vector<std::string> arguments;
  std::vector<std::string> environment;  // NAME=value, beside ours
  std::string folder;                    // its current folder; empty: ours
  std::string output;                    // the file that its standard output goes to; empty: nowhere
  bool shows = false;                    // its output and complaints go where ours do
  bool ends_with_us = false;  // it is killed when the thread that started it ends, however that happens
};

class OwnProgram {
 public:
  // Its standard input and output are nowhere. Throws Error(unavailable) when it cannot be started.
  explicit OwnProgram(const std::vector<std::string>& arguments);
  explicit OwnProgram(const OwnSetup& setup);
  ~OwnProgram();  // leaves it running
  OwnProgram(const OwnProgram&) = delete;
  OwnProgram& operator=(const OwnProgram&) = delete;

  bool has_ended();                                  // does not wait
  void send(int signal);                             // to it alone
  void kill_all();                                   // it and what it started in its session's first group
  int code() const { return code_; }                 // once it has ended; 128 + signal when one ended it
  const std::string& said() const { return said_; }  // on standard error, the first 64 KiB, once it has ended

 private:
  void start(const OwnSetup& setup, int errors);
  void listen();
  pid_t pid_ = -1;
  int errors_ = -1, code_ = 0;
  bool ended_ = false;
  std::string said_;
};

// For main(): what `folder` and `ends_with_us` ask for, in the process that was started so (glibc learnt only in 2.29 to
// start one in another folder). Ends the process when it cannot work there.
void begin_as_told();

}  // namespace explog
