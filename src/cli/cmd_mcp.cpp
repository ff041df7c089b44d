// mcp: serves agents over standard input and output. The server is another face of app/; main.cpp hands it in.
#include <memory>

#include "base/error.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

int run_mcp(const std::vector<std::string>& allowed, Context& context) {
  if (!context.serve) throw Error(Exit::unavailable, "mcp: there is no server here");
  context.terminal.out.flush();
  return context.serve(context.session, !allowed.empty());
}

}  // namespace

Action setup_mcp(Arguments& arguments) {
  auto allowed = std::make_shared<std::vector<std::string>>();
  arguments
      .option("--allow", *allowed,
              "what clients may do besides looking and adding; judge: build and run kernels on this machine")
      .type_name("WHAT")
      .one_of({"judge"});
  return [allowed](Context& context) { return run_mcp(*allowed, context); };
}

}  // namespace explog::cli
