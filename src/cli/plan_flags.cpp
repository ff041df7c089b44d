#include "cli/plan_flags.h"

#include <fmt/format.h>

#include "answers/plan.h"
#include "app/session/stop_signals.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/tune_flags.h"

namespace explog::cli {
namespace {

// SQLite needs locks that network file systems do not give: the workers of such a home keep their records in $TMPDIR, and
// the plan's remote has them after each item.
void refuse_shared_database(const app::Session& session) {
  const std::string path = session.database();
  std::string folder = path.substr(0, path.rfind('/') + 1);
  auto shared = network_file_system_of(folder.empty() ? "." : folder);
  if (shared)
    throw Error(Exit::unavailable,
                path + " lies on " + *shared + ": a worker keeps its records on a local disk",
                "--db $TMPDIR/explog.db, or EXPLOG_DB; the plan's remote gets a copy of all of them");
}

int work_on(const app::PlanFolder& folder, app::PlanWork work, const std::string& shard,
            const Context& context) {
  refuse_shared_database(context.session);
  if (!shard.empty()) work.shard = plan_shard(shard);
  auto listen = [&](const launch::Item& item, const std::string& what) {
    if (!context.json && !context.quiet)
      context.terminal.print({item.id.substr(0, 8) + "  " + item.name + ": " + what}),
          context.terminal.out.flush();
  };
  app::PlanEnd end = app::work_on_plan(folder, work, context.session, listen);
  if (context.json)
    context.terminal.out << answers::plan_end_json(end, folder.path()) << '\n';
  else
    answers::print_plan_end(context.terminal, end, folder.path());
  if (end.signal != 0) return static_cast<int>(app::exit_of_signal(end.signal));
  if (end.left > 0 && !work.only_shard) return static_cast<int>(Exit::unavailable);
  return end.failed > 0 ? static_cast<int>(Exit::negative) : 0;
}

}  // namespace

void PlanFlags::add_to(Arguments& arguments) {
  const char* group = "Many machines";
  arguments.option("--plan", start.file, "work on all items of this file, with every machine that sees --out")
      .group(group)
      .type_name("FILE");
  arguments.option("--remote", start.remote, "where the plan's records go (else the folder log/ in --out)")
      .group(group)
      .type_name("URL");
  arguments.option("--node", work.node, "what this machine is called (else its name)")
      .group(group)
      .type_name("NAME");
  arguments.option("--beat", start.beat_s, "seconds between two signs of life of a worker")
      .group(group)
      .positive()
      .show_default()
      .type_name("S");
  arguments.option("--stale", start.stale_s, "seconds of silence after which its items are taken over")
      .group(group)
      .positive()
      .show_default()
      .type_name("S");
  arguments.flag("--only-shard", work.only_shard, "leave the items of other shards alone").group(group);
}

launch::PlanShard plan_shard(const std::string& text) {
  tune::Shard shard = shard_of(text);
  return {shard.k, shard.n};
}

int run_plan(PlanFlags flags, const std::string& out, const std::string& shard, const Context& context) {
  flags.start.out = out;
  return work_on(app::make_plan(flags.start, context.session), flags.work, shard, context);
}

int resume_plan(const PlanFlags& flags, const std::string& out, const std::string& shard,
                const Context& context) {
  return work_on(app::PlanFolder(out, true), flags.work, shard, context);
}

int show_plan(const std::string& out, const Context& context) {
  app::PlanStatus status = app::plan_status(app::PlanFolder(out));
  if (context.json)
    context.terminal.out << answers::plan_json(status) << '\n';
  else
    answers::print_plan(context.terminal, status);
  return 0;
}

}  // namespace explog::cli
