#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ostream>
#include <streambuf>

#include "base/ends_with_us.h"
#include "base/own_program.h"
#include "cli/run.h"
#include "mcp/server.h"

namespace {

// A buffer over a file descriptor that remembers why writing failed.
class Output : public std::streambuf {
 public:
  explicit Output(int fd) : fd_(fd) { setp(buffer_, buffer_ + sizeof buffer_); }
  int failure() const { return failure_; }

 protected:
  int overflow(int c) override {
    if (sync() != 0) return traits_type::eof();
    if (c != traits_type::eof()) sputc(static_cast<char>(c));
    return traits_type::not_eof(c);
  }
  int sync() override {
    for (char* from = pbase(); from < pptr() && failure_ == 0;) {
      ssize_t n = write(fd_, from, static_cast<size_t>(pptr() - from));
      if (n < 0 && errno != EINTR) failure_ = errno;
      if (n > 0) from += n;
    }
    setp(buffer_, buffer_ + sizeof buffer_);
    return failure_ == 0 ? 0 : -1;
  }

 private:
  int fd_;
  int failure_ = 0;
  char buffer_[1 << 16];
};

// Columns of a terminal; 100 where it does not say, or says what cannot be.
int columns_of(int fd) {
  winsize window{};
  return ioctl(fd, TIOCGWINSZ, &window) == 0 && window.ws_col >= 40 ? window.ws_col : 100;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  explog::begin_as_told();
  explog::end_groups_with_us();
  Output out_buffer(1), err_buffer(2);
  std::ostream out(&out_buffer), err(&err_buffer);
  out.exceptions(std::ios::badbit);
  err.setf(std::ios::unitbuf);
  auto now = [] {
    using namespace std::chrono;
    return static_cast<std::int64_t>(
        duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count());
  };
  explog::cli::Context context{.terminal = {.out = out,
                                            .err = err,
                                            .interactive = isatty(1) != 0,
                                            .width = columns_of(1),
                                            .watched = isatty(2) != 0,
                                            .watched_width = columns_of(2)}};
  context.session.clock = now;
  // What others print must not come between the messages of the protocol.
  context.serve = [](const explog::app::Session& session, bool judge) {
    int out_of_reach = fcntl(1, F_DUPFD_CLOEXEC, 3);
    dup2(2, 1);
    return explog::mcp::serve({judge}, session, 0, out_of_reach);
  };
  int code = 0;
  try {
    code = explog::cli::run({argv + 1, argv + argc}, context);
    out.flush();
  } catch (const std::ios_base::failure&) {
    if (out_buffer.failure() == EPIPE) return 0;  // the reader has seen enough: `explog list | head`
    err << "explog: cannot write standard output: " << std::strerror(out_buffer.failure()) << '\n';
    return 3;
  }
  return code;
}
