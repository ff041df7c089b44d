// remote: the places that `sync` exchanges with.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/print.h"
#include "cli/trust_words.h"
#include "model/json.h"
#include "store/exchange.h"
#include "sync/remote.h"

namespace explog::cli {
namespace {

struct Options {
  std::string action = "list", trust = "unreviewed";
  std::vector<std::string> names;
  sync::Founding founding;
};

void need(const Options& o, size_t count, const char* form) {
  if (o.names.size() != count) throw Error(Exit::usage, std::string("remote ") + form);
}

// Names become part of a lock file's name.
void check_name(const std::string& name) {
  bool sound = !name.empty() && name.size() <= 40 && name[0] != '.' && name[0] != '-' &&
               name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789._-") == std::string::npos;
  if (!sound)
    throw Error(Exit::usage, "'" + printable(name) + "' is no name for a remote",
                "up to 40 of a-z 0-9 . _ -");
}

// A folder is remembered from the root on: sync is called from anywhere.
std::string whole_url(const std::string& url) {
  if (!url.starts_with("dir:") || url.size() == 4) return url;
  std::string path = std::filesystem::absolute(url.substr(4)).lexically_normal().string();
  if (path.size() > 1 && path.back() == '/') path.pop_back();
  return "dir:" + path;
}

int add(const Options& o, Context& context) {
  need(o, 2, "add needs a name and a URL: explog remote add team dir:/shared/explog");
  check_name(o.names[0]);
  std::string url = whole_url(o.names[1]);
  auto remote = sync::make_remote(url);  // refuses what fits no scheme
  if (sync::has_password(url)) {
    throw Error(Exit::usage,
                "the URL holds a password, which would be stored and shown to whoever lists processes",
                "leave it out; libpq finds it in ~/.pgpass or $PGPASSFILE");
  }
  store::Store store = context.writer();
  store::RemoteRow row;
  row.name = o.names[0];
  row.url = url;
  row.trust = trust_of(o.trust);
  store::add_remote(store, row);
  if (context.json) {
    context.out << fmt::format("{{\"name\":{},\"url\":{}}}\n", json_quote(row.name), json_quote(url));
  } else {
    context.out << fmt::format("remote {}: {}\n", printable(row.name), printable(remote->where()));
  }
  return 0;
}

int list(Context& context) {
  sql::Db db = context.reader();
  std::vector<store::RemoteRow> rows = store::remotes(db);
  if (context.json) {
    JsonWriter json;
    json.begin_array();
    for (const store::RemoteRow& row : rows) {
      json.begin_object();
      json.key("name"), json.text(row.name);
      json.key("url"), json.text(sync::without_password(row.url));
      json.key("trust"), json.text(trust_word(row.trust));
      json.key("last_error"), json.text(row.last_error);
      json.end_object();
    }
    json.end_array();
    context.out << json.str() << '\n';
  } else {
    for (const store::RemoteRow& row : rows)
      context.out << fmt::format("{:<12} {}  (newcomers: {})\n", printable(row.name),
                                 printable(sync::without_password(row.url)), trust_word(row.trust));
    if (rows.empty()) context.out << "no remotes; `explog remote add NAME URL` makes one\n";
  }
  return static_cast<int>(rows.empty() ? Exit::negative : Exit::ok);
}

int remove(const Options& o, Context& context) {
  need(o, 1, "remove needs a name");
  store::Store store = context.writer();
  store::remove_remote(store, o.names[0]);
  if (!context.json)
    context.out << fmt::format("removed {}; what came from it stays\n", printable(o.names[0]));
  if (context.json) context.out << fmt::format("{{\"removed\":{}}}\n", json_quote(o.names[0]));
  return 0;
}

int init(const Options& o, Context& context) {
  need(o, 1, "init needs a URL, or the name of a remote");
  std::string url = whole_url(o.names[0]);
  if (url.find(':') == std::string::npos) {
    store::Store store = context.writer();
    for (const store::RemoteRow& row : store::remotes(store.db())) {
      if (row.name == o.names[0]) url = row.url;
    }
  }
  auto done = sync::make_remote(url)->init(o.founding);
  if (!done) throw Error(done.failure().exit, done.failure().what, done.failure().hint);
  if (context.json) {
    context.out << fmt::format("{{\"ready\":{}}}\n", json_quote(*done));
  } else {
    context.out << printable(*done, false) << '\n';
  }
  return 0;
}

int run_remote(const Options& o, Context& context) {
  if (o.action != "init" && !o.founding.empty())
    throw Error(Exit::usage, "--hardened, --member and --moderator go with `explog remote init`");
  if (o.action == "add") return add(o, context);
  if (o.action == "remove") return remove(o, context);
  if (o.action == "init") return init(o, context);
  return list(context);
}

}  // namespace

Action setup_remote(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("action", o->action, "add, list, remove or init")
      ->type_name("ACTION")
      ->check(CLI::IsMember({"add", "list", "remove", "init"}));
  app.add_option("names", o->names, "a name, a URL: " + join(sync::remote_forms(), " or "))
      ->type_name("NAME URL");
  app.add_option(
         "--trust", o->trust,
         "add: what origins first met there are: their records count either way, text is shown of the team's")
      ->type_name("blocked|unreviewed|team")
      ->check(CLI::IsMember({"blocked", "unreviewed", "team"}))
      ->capture_default_str();
  app.add_flag("--hardened", o->founding.hardened,
               "init: a PostgreSQL server that trusts no writer (the database's owner may create roles)");
  app.add_option("--member", o->founding.members, "init: a role of the server that may read and push")
      ->type_name("ROLE")
      ->take_all()
      ->expected(1);
  app.add_option("--moderator", o->founding.moderators,
                 "init: one that may also admit members and hand on what others signed (with --hardened)")
      ->type_name("ROLE")
      ->take_all()
      ->expected(1);
  return [o](Context& context) { return run_remote(*o, context); };
}

}  // namespace explog::cli
