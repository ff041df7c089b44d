// This program again, with other arguments, in a session of its own: it goes on when we end.
#pragma once
#include <sys/types.h>

#include <string>
#include <vector>

namespace explog {

class OwnProgram {
 public:
  // Its standard input and output are nowhere. Throws Error(unavailable) when it cannot be started.
  explicit OwnProgram(const std::vector<std::string>& arguments);
  ~OwnProgram();  // leaves it running
  OwnProgram(const OwnProgram&) = delete;
  OwnProgram& operator=(const OwnProgram&) = delete;

  bool has_ended();                                  // does not wait
  int code() const { return code_; }                 // once it has ended; 128 + signal when one ended it
  const std::string& said() const { return said_; }  // on standard error, the first 64 KiB, once it has ended

 private:
  void listen();
  pid_t pid_ = -1;
  int errors_ = -1, code_ = 0;
  bool ended_ = false;
  std::string said_;
};

}  // namespace explog
