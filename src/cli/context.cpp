#include "cli/context.h"

#include "base/file.h"
#include "base/text.h"

namespace explog::cli {

void Context::connect() {
  terminal.color = terminal.interactive && !no_color && env("NO_COLOR").empty() && env("TERM") != "dumb";
  session.warn = [this](const std::string& message) {
    if (!quiet) terminal.err << "explog: " << printable(message) << '\n';
  };
  session.shipped = env("EXPLOG_SHIPPED") != "off";
  session.piped = in;
  session.read = [this](const std::string& path) { return read_file(path, in); };
  if (!terminal.interactive || quiet || json) return;
  session.progress = [this](const std::string& text) {  // one line that the next one overwrites
    terminal.err << "\r\033[K"
                 << terminal.dim(ellipsis(printable(text), static_cast<std::size_t>(terminal.width) - 1))
                 << std::flush;
  };
}

}  // namespace explog::cli
