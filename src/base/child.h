// A child process that is talked to in lines and may misbehave in every way.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace explog {

struct ChildSetup {
  std::vector<std::string> argv;         // argv[0] is a path
  std::vector<std::string> environment;  // NAME=value; nothing else is inherited
  std::string folder;                    // its current folder
  std::vector<int> shared;               // descriptors that become 5, 6, ... in the child
};

// The child reads commands from descriptor 3 and writes replies to 4. What it writes to its standard output
// and error is kept apart. It leads a session and a process group of its own, without a terminal; the group dies with this object, and so does
// every process it left behind.
class Child {
 public:
  // Throws Error(unavailable) when it cannot be started.
  explicit Child(const ChildSetup& setup);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  enum class Heard { line, timeout, end };
  void send(const std::string& line);  // a child that is gone is noticed by the next listen()
  // Waits for one line of the reply pipe, at most 64 MiB.
  Heard listen(std::string& line, int timeout_ms);
  bool has_more() const { return !replies_.empty(); }  // bytes beyond the line that was returned

  pid_t pid() const { return pid_; }
  // As the kernel counts them: its threads (0 once it is gone), the processor time that all but the main one have had, and how
  // long the main one could have run and had no processor, in milliseconds. Throw Error(unavailable) where /proc cannot be read.
  int threads() const;
  double cpu_ms_beside_main() const;
  double waited_for_processor_ms() const;
  const std::string& output() const { return output_; }  // first 64 KiB of standard output and error

  struct Ending {
    int status = 0;       // exit status; 128 + signal when a signal ended it
    int left_behind = 0;  // processes it had started and not ended
  };
  // Stops all of its threads, until resume(); what is sent meanwhile is read then. False where it goes on for ten seconds.
  bool stop();
  void resume();
  // What was just stopped may be on its way off its processor yet, which a hypervisor may hold up.
  void wait_until_off() const;
  // Of all its threads, ended ones too; exact while it is stopped and off its processors.
  double cpu_ms() const;
  // Bytes of its memory; false where they cannot be had (errno). Meant for a child that is stopped.
  bool read_memory(std::uint64_t from, char* to, std::size_t bytes) const;
  bool write_memory(std::uint64_t to, const char* from, std::size_t bytes) const;
  // Kills it and its group; who needs to know that they are gone calls finish(). Several die side by side so.
  void abandon() const;
  // Closes the command pipe, waits `timeout_ms`, then kills what is left of the group and of its descendants.
  // Called again it tells the same.
  Ending finish(int timeout_ms);

 private:
  void drain(int fd, std::string& into, std::size_t limit, bool& open);
  bool is_descendant(int process) const;
  int sweep() const;  // kills descendants that left the group
  std::string mark_;  // in the environment of each descendant
  pid_t pid_ = -1;
  Ending ending_;
  int commands_ = -1, replies_fd_ = -1, output_fd_ = -1;
  bool stopped_ = false;
  bool replies_open_ = true, output_open_ = true;
  std::string replies_, output_;
};

}  // namespace explog
