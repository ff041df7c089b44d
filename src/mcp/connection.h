// What is under way on a connection: requests by their id, and one writer at a time.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace explog::mcp {

// A request that somebody works on.
struct Pending {
  std::string id;
  std::string progress_token;  // JSON text; empty: the client wants no news
  std::atomic<bool> cancelled = false;
  std::atomic<int> told = 0;  // messages of progress
};

class Connection {
 public:
  explicit Connection(int out) : out_(out) {}

  // False when a request of that id is under way.
  bool begin(const std::shared_ptr<Pending>& pending);
  void cancel(const std::string& id);
  // The last word on a request: nothing where it was cancelled.
  void finish(const std::shared_ptr<Pending>& pending, const std::string& line);
  void send(const std::string& line);
  bool broken() const { return broken_; }  // nobody reads any more

 private:
  void write_all(const std::string& line);
  int out_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Pending>> pending_;
  std::atomic<bool> broken_ = false;
};

// Lines of a file descriptor, without their ends.
class LineInput {
 public:
  explicit LineInput(int in) : in_(in) {}
  // False at the end of the input, or when SIGTERM or SIGINT came. A line that is longer than max_line is cut there.
  bool next(std::string& line);

 private:
  bool fill();
  int in_;
  std::string waiting_;
  std::size_t begin_ = 0, searched_ = 0;
  bool ended_ = false, skipping_ = false;
};

}  // namespace explog::mcp
