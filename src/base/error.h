// The one exception type of the program, and the exit codes it maps to.
#pragma once
#include <stdexcept>
#include <string>
#include <string_view>
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
  preempted = 75,    // told to end: the same command goes on later
  interrupted = 130,
};

// Thrown when a command cannot go on; caught once, in cli::run. `what()` says what is wrong and where,
// `hint` what to do about it; both quote names and files as
// they are. A bad kernel or an empty answer is a value, never an Error.
struct Error : std::runtime_error {
  Error(Exit status, const std::string& what, std::string hint_text = "", const char* word = nullptr)
      : std::runtime_error(what),
        exit(status),
        hint(std::move(hint_text)),
        code(word != nullptr ? word : word_of(status)) {}
  Exit exit;
  std::string hint;
  const char* code;  // one word for programs, as stable as the exit code
  // Whether the same command may succeed later without anything being mended.
  bool retryable() const {
    return exit == Exit::remote || exit == Exit::interrupted || exit == Exit::preempted || code == busy;
  }

  static constexpr std::string_view busy = "busy";  // another process holds the database

 private:
  static constexpr const char* word_of(Exit status) {
    switch (status) {
      case Exit::ok:
        return "ok";
      case Exit::negative:
        return "not_found";
      case Exit::usage:
        return "usage";
      case Exit::store:
        return "store";
      case Exit::unavailable:
        return "unavailable";
      case Exit::remote:
        return "remote";
      case Exit::quarantined:
        return "refused";
      case Exit::crash:
        return "crash";
      case Exit::inconclusive:
        return "inconclusive";
      case Exit::preempted:
        return "preempted";
      case Exit::interrupted:
        return "interrupted";
    }
    return "error";
  }
};

}  // namespace explog
