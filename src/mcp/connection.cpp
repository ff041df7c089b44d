#include "mcp/connection.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "app/session/stop_signals.h"
#include "mcp/frame.h"

namespace explog::mcp {

bool Connection::begin(const std::shared_ptr<Pending>& pending) {
  std::lock_guard lock(mutex_);
  return pending_.emplace(pending->id, pending).second;
}

void Connection::cancel(const std::string& id) {
  std::lock_guard lock(mutex_);
  auto found = pending_.find(id);
  if (found == pending_.end()) return;
  found->second->cancelled = true;
  pending_.erase(found);
}

void Connection::finish(const std::shared_ptr<Pending>& pending, const std::string& line) {
  std::lock_guard lock(mutex_);
  if (pending->cancelled) return;
  pending_.erase(pending->id);
  write_all(line);
}

void Connection::send(const std::string& line) {
  std::lock_guard lock(mutex_);
  write_all(line);
}

void Connection::write_all(const std::string& line) {
  for (std::size_t at = 0; at < line.size() && !broken_;) {
    ssize_t n = write(out_, line.data() + at, line.size() - at);
    if (n > 0) at += static_cast<std::size_t>(n);
    if (n < 0 && errno != EINTR) broken_ = true;
  }
}

// Signals are let in only while it waits, so that none comes between a look at the flag and the wait.
bool LineInput::fill() {
  sigset_t none;
  sigemptyset(&none);
  pollfd readable{in_, POLLIN, 0};
  while (app::stop_signal() == 0) {
    int ready = ppoll(&readable, 1, nullptr, &none);
    if (ready < 0 && errno == EINTR) continue;
    char part[65536];
    ssize_t n = ready < 0 ? -1 : read(in_, part, sizeof part);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n > 0) waiting_.append(part, static_cast<std::size_t>(n));
    return n > 0;
  }
  return false;
}

bool LineInput::next(std::string& line) {
  for (;;) {
    std::size_t end = waiting_.find('\n', searched_);
    if (end == std::string::npos && waiting_.size() - begin_ > max_line && !skipping_) {
      line.assign(waiting_, begin_, max_line + 1);
      waiting_.clear(), begin_ = searched_ = 0;
      skipping_ = true;  // the rest of it
      return true;
    }
    if (end != std::string::npos || (ended_ && begin_ < waiting_.size())) {
      if (end == std::string::npos) end = waiting_.size();
      line.assign(waiting_, begin_, end - begin_);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      begin_ = searched_ = std::min(end + 1, waiting_.size());
      if (!std::exchange(skipping_, false)) return true;
      continue;
    }
    waiting_.erase(0, skipping_ ? waiting_.size() : begin_);
    begin_ = 0, searched_ = waiting_.size();
    if (ended_) return false;
    ended_ = !fill();
  }
}

}  // namespace explog::mcp
