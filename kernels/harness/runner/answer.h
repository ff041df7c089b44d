// What the runner answers: one JSON object a line, with the token of the command (schema/formats/runner.md). All of it is
// static: a candidate in this process must not find the token by its name.
#pragma once
#include <unistd.h>

#include <string>

#include "harness/protocol.h"

namespace explog {

static std::string quote(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c < ' ' ? ' ' : c;
  }
  return out + "\"";
}

// Drawn by the supervisor for each command and echoed, so that a line from elsewhere is not taken for a
// reply.
static std::string token;

static void reply(const std::string& members) {
  std::string line = "{\"token\":" + quote(token) + "," + members + "}\n";
  for (std::size_t done = 0; done < line.size();) {
    ssize_t n = write(protocol::answers_fd, line.data() + done, line.size() - done);
    if (n <= 0) _exit(3);
    done += static_cast<std::size_t>(n);
  }
}

}  // namespace explog
