#include "cli/context.h"

#include "base/file.h"
#include "base/text.h"

namespace explog::cli {

void Context::end_progress() const {
  if (progress_shown) terminal.err << "\r\033[K" << std::flush;
}

void Context::connect() {
  terminal.color = terminal.interactive && !no_color && env("NO_COLOR").empty() && env("TERM") != "dumb";
  session.warn = [this](const std::string& message) {
    end_progress();
    if (!quiet) terminal.warn({"note", message});
  };
  session.shipped = env("EXPLOG_SHIPPED") != "off";
  session.piped = in;
  session.read = [this](const std::string& path) { return read_file(path, in); };
  if (!terminal.watched || quiet || json) return;
  session.progress = [this](const std::string& text) {  // one line that the next one overwrites
    auto room = static_cast<std::size_t>(terminal.watched_width) - 1;
    terminal.err << "\r\033[K" << terminal.dim(ellipsis(printable(text), room)) << std::flush;
    progress_shown = !text.empty();
  };
}

}  // namespace explog::cli
