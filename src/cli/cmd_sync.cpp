// sync: remotes -> what is new there comes in, what they lack goes out.
#include <memory>

#include "answers/sync.h"
#include "app/sync/sync.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/exit_of.h"

namespace explog::cli {
namespace {

struct SyncFlags {
  std::string name;
  bool push = false, pull = false, status = false;
  app::SyncOptions exchange;
};

// The gravest of what happened: a failure outweighs refused records.
Exit gravest(const std::vector<app::RemoteSync>& all) {
  Exit code = Exit::ok;
  for (const app::RemoteSync& one : all) {
    if (one.done.waiting > 0 && code == Exit::ok) code = Exit::remote;
    if (one.done.quarantined > 0 && (code == Exit::ok || code == Exit::remote)) code = Exit::quarantined;
    if (one.done.failure && (code == Exit::ok || code == Exit::quarantined))
      code = exit_of(one.done.failure->kind);
  }
  return code;
}

int exchange(const SyncFlags& o, Context& context) {
  app::SyncOptions options = o.exchange;
  if (o.push || o.pull) options.push = o.push, options.pull = o.pull;
  auto report = [&](const app::RemoteSync& one) {
    for (const std::string& note : one.done.notes) context.session.warn(one.name + ": " + note);
    answers::print_sync_problems(context.terminal, one);
    if (!context.json) answers::print_sync(context.terminal, one, options.dry_run);
  };
  std::vector<app::RemoteSync> all = app::sync_remotes(context.session, o.name, options, report);
  if (context.json) context.terminal.out << answers::sync_json(all) << '\n';
  return static_cast<int>(gravest(all));
}

int show_status(const SyncFlags& o, Context& context) {
  auto report = [&](const app::RemoteStatus& status) {
    if (!context.json) answers::print_status(context.terminal, status, context.session.clock());
  };
  std::vector<app::RemoteStatus> all = app::remote_statuses(context.session, o.name, report);
  if (context.json) context.terminal.out << answers::statuses_json(all) << '\n';
  for (const app::RemoteStatus& status : all) {
    if (status.failure) return static_cast<int>(exit_of(status.failure->kind));
  }
  return 0;
}

}  // namespace

Action setup_sync(Arguments& arguments) {
  auto o = std::make_shared<SyncFlags>();
  arguments.option("name", o->name, "the remote; all of them without it")
      .type_name("NAME")
      .names_a("remotes");
  arguments.flag("--push", o->push, "only send");
  arguments.flag("--pull", o->pull, "only fetch");
  arguments.flag("--dry-run", o->exchange.dry_run, "say how many events would go either way");
  arguments.flag("--full", o->exchange.full, "look at all that the remote has, not only at what is new");
  arguments.flag("--status", o->status, "how far ahead and behind, and what went wrong last");
  return [o](Context& context) { return o->status ? show_status(*o, context) : exchange(*o, context); };
}

}  // namespace explog::cli
