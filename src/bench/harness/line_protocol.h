// Questions to a helper process and its answers.
#pragma once
#include <string>

#include "base/child.h"
#include "model/json.h"

namespace explog::bench {

// The process did not do what it was asked: it died, hung, reported an error or spoke out of turn. A value in
// a verdict; thrown within bench/ only.
struct Failed {
  std::string reason;  // crash, exit, timeout, forged, launch_error, out_of_memory, ...
  std::string detail;  // one line for a person
};

class LineProtocol {
 public:
  explicit LineProtocol(const ChildSetup& setup) : child_(setup) {}

  // Sends one command and waits for its answer. Throws Failed.
  Json ask(const std::string& command, int timeout_ms);
  // The two halves of ask(): one question at a time.
  void tell(const std::string& command);
  Json hear(int timeout_ms);
  // Ends the process; what it printed and left behind.
  Child::Ending finish(int timeout_ms) { return child_.finish(timeout_ms); }
  void abandon() const { child_.abandon(); }  // it is ended, and nobody waits for that yet
  Child& child() { return child_; }
  // From now on the process runs while it answers a question, and is stopped as soon as its answer is there. Throws Failed.
  void hold_between_questions();
  void let_run() { child_.resume(); }  // until it is asked or held again

 private:
  [[noreturn]] void ended();
  void hold();
  Child child_;
  std::string command_, token_;  // of the question whose answer is due
  bool held_ = false;            // between questions
};

// The word of a process's answer that it failed, if it is one that a process may say: else `protocol`. So nothing that a
// candidate writes or throws can be a word of the supervisor's, such as `pass` or `unconfirmed`.
std::string failure_word(const Json& answer);
std::string random_token();  // 64 random bits in hex

}  // namespace explog::bench
