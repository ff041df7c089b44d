// The one exception type of the program, and the exit codes it maps to.
#pragma once
#include <stdexcept>
#include <string>
#include <utility>

namespace explog {

// Exit codes are part of the command line's contract: never renumber.
enum class Exit {
  ok = 0,            // done; verdict keep; a match was found
  negative = 1,      // a negative answer: no match, check failed, verdict revert
  usage = 2,         // the command line or an input is wrong
  store = 3,         // the store is unusable: corrupt, newer, not writable, full
  unavailable = 4,   // not available here: no nvcc, no GPU, no permission, no server
  remote = 5,        // remote failed, try again
  quarantined = 6,   // some records were refused
  crash = 7,         // verdict crash
  inconclusive = 8,  // verdict inconclusive
  interrupted = 130,
};

// Thrown when a command cannot go on; caught once, in cli::run. `what()` says what is wrong and where,
// `hint` what to do about it. A bad kernel or an empty answer is a value, never an Error.
struct Error : std::runtime_error {
  Error(Exit code, const std::string& what, std::string hint_text = "")
      : std::runtime_error(what), exit(code), hint(std::move(hint_text)) {}
  Exit exit;
  std::string hint;
};

}  // namespace explog
