// remote: the places that `sync` exchanges with.
#include <fmt/format.h>

#include <memory>

#include "answers/answer.h"
#include "answers/remotes.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit_of.h"
#include "cli/flags.h"
#include "model/json.h"

namespace explog::cli {
namespace {

struct RemoteFlags {
  std::string action = "list", trust = "unreviewed";
  std::vector<std::string> names;
  sync::Founding founding;
};

void need(const RemoteFlags& o, size_t count, const char* form) {
  if (o.names.size() != count) throw Error(Exit::usage, std::string("remote ") + form);
}

// One field as a JSON object, or one line of text.
int report(Context& context, const char* field, const std::string& value, const std::string& line) {
  if (context.json) {
    context.terminal.out << fmt::format("{{\"format\":{},\"{}\":{}}}\n", answers::answer_format, field,
                                        json_quote(value));
  } else {
    context.terminal.out << line << '\n';
  }
  return 0;
}

int add(const RemoteFlags& o, Context& context) {
  need(o, 2, "add needs a name and a URL: explog remote add team dir:/shared/explog");
  app::AddedRemote added =
      app::add_remote(context.session, o.names[0], o.names[1], trust_of(o.trust).value());
  if (context.json) {
    context.terminal.out << answers::added_remote_json(added) << '\n';
  } else {
    context.terminal.out << fmt::format("remote {}: {}\n", printable(added.name), printable(added.where));
  }
  return 0;
}

int list(Context& context) {
  std::vector<store::RemoteRow> remotes = app::list_remotes(context.session);
  if (context.json) {
    context.terminal.out << answers::remotes_json(remotes) << '\n';
  } else {
    answers::print_remotes(context.terminal, remotes);
  }
  return static_cast<int>(remotes.empty() ? Exit::negative : Exit::ok);
}

int remove(const RemoteFlags& o, Context& context) {
  need(o, 1, "remove needs a name");
  app::remove_remote(context.session, o.names[0]);
  return report(context, "removed", o.names[0],
                fmt::format("removed {}; what came from it stays", printable(o.names[0])));
}

int init(const RemoteFlags& o, Context& context) {
  need(o, 1, "init needs a URL, or the name of a remote");
  auto done = app::found_remote(context.session, o.names[0], o.founding);
  if (!done) throw Error(exit_of(done.failure().kind), done.failure().what, done.failure().hint);
  return report(context, "ready", *done, printable(*done, false));
}

int run_remote(const RemoteFlags& o, Context& context) {
  if (o.action != "init" && !o.founding.empty())
    throw Error(Exit::usage, "--hardened, --member and --moderator go with `explog remote init`");
  if (o.action == "add") return add(o, context);
  if (o.action == "remove") return remove(o, context);
  if (o.action == "init") return init(o, context);
  expect_no_words("remote list", o.names, "`explog remote add NAME URL` makes one");
  return list(context);
}

}  // namespace

Action setup_remote(Arguments& arguments) {
  auto o = std::make_shared<RemoteFlags>();
  arguments.option("action", o->action, "add, list, remove or init")
      .type_name("ACTION")
      .one_of({"add", "list", "remove", "init"});
  arguments.option("names", o->names, "a name, a URL: " + join(sync::remote_forms(), " or "))
      .type_name("NAME URL")
      .names_a("remotes");
  arguments
      .option("--trust", o->trust,
              "add: what origins first met there are: their records count either way, text is shown of the "
              "team's")
      .type_name("blocked|unreviewed|team")
      .one_of({"blocked", "unreviewed", "team"})
      .show_default();
  arguments.flag("--hardened", o->founding.hardened,
                 "init: a PostgreSQL server that trusts no writer (the database's owner may create roles)");
  arguments.option("--member", o->founding.members, "init: a role of the server that may read and push")
      .type_name("ROLE")
      .repeatable();
  arguments
      .option("--moderator", o->founding.moderators,
              "init: one that may also admit members and hand on what others signed (with --hardened)")
      .type_name("ROLE")
      .repeatable();
  return [o](Context& context) { return run_remote(*o, context); };
}

}  // namespace explog::cli
