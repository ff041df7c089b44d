// sync: remotes -> what is new there comes in, what they lack goes out.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exchange.h"
#include "model/json.h"
#include "store/open.h"
#include "store/receiver.h"

namespace explog::cli {
namespace {

struct Options {
  std::string name;
  bool push = false, pull = false, status = false;
  ExchangeOptions exchange;
};

std::vector<store::RemoteRow> chosen(const Options& o, store::Store& store) {
  std::vector<store::RemoteRow> rows = store::remotes(store.db());
  if (rows.empty()) throw Error(Exit::usage, "there is no remote", "explog remote add NAME URL");
  if (o.name.empty()) return rows;
  std::vector<std::string> names;
  for (const store::RemoteRow& row : rows) names.push_back(row.name);
  std::erase_if(rows, [&](const store::RemoteRow& row) { return row.name != o.name; });
  if (rows.empty()) {
    throw Error(Exit::usage, "no remote '" + printable(o.name) + "'" + did_you_mean(o.name, names),
                "explog remote list");
  }
  return rows;
}

void report(Context& context, const store::RemoteRow& row, const Exchanged& done) {
  for (const std::string& note : done.notes) context.warn(row.name + ": " + note);
  for (const std::string& reason : done.refused)
    context.err << "explog: refused: " << printable(reason) << '\n';
  if (!done.failure) return;
  context.err << "explog: " << printable(row.name + ": " + done.failure->what) << '\n';
  if (!done.failure->hint.empty()) context.err << "  hint: " << printable(done.failure->hint) << '\n';
}

void write_counts(JsonWriter& json, const Exchanged& e) {
  json.key("pushed"), json.number(static_cast<double>(e.pushed));
  json.key("pulled"), json.number(static_cast<double>(e.pulled));
  json.key("quarantined"), json.number(static_cast<double>(e.quarantined));
  json.key("deferred"), json.number(static_cast<double>(e.deferred));
}

// The gravest of what happened: a failure outweighs refused records.
int exit_code(const std::vector<Exchanged>& all) {
  Exit code = Exit::ok;
  for (const Exchanged& e : all) {
    if (e.quarantined > 0 && code == Exit::ok) code = Exit::quarantined;
    if (e.failure && (code == Exit::ok || code == Exit::quarantined)) code = e.failure->exit;
  }
  return static_cast<int>(code);
}

int exchange_all(const Options& o, Context& context) {
  store::Store store = context.writer();
  std::vector<store::RemoteRow> rows = chosen(o, store);
  ExchangeOptions options = o.exchange;
  if (o.push || o.pull) options.push = o.push, options.pull = o.pull;
  std::vector<Exchanged> all;
  Exchanged total;
  for (const store::RemoteRow& row : rows) {
    const Exchanged& e = all.emplace_back(exchange(context, store, row, options));
    report(context, row, e);
    total.pushed += e.pushed;
    total.pulled += e.pulled;
    total.quarantined += e.quarantined;
    total.deferred += e.deferred;
    if (context.json) continue;
    context.out << fmt::format("{}: {}pushed {}, pulled {}, quarantined {}, deferred {}{}\n",
                               printable(row.name), options.dry_run ? "would have " : "", e.pushed, e.pulled,
                               e.quarantined, e.deferred, e.failure ? " before it failed" : "");
  }
  if (context.json) {
    JsonWriter json;
    json.begin_object();
    write_counts(json, total);
    json.key("remotes");
    json.begin_array();
    for (size_t i = 0; i < rows.size(); ++i) {
      json.begin_object();
      json.key("name"), json.text(rows[i].name);
      write_counts(json, all[i]);
      if (all[i].failure) json.key("error"), json.text(all[i].failure->what);
      json.end_object();
    }
    json.end_array();
    json.end_object();
    context.out << json.str() << '\n';
  }
  return exit_code(all);
}

struct Status {
  Distance distance;
  std::optional<sync::Failure> failure;
};

Status ask(const store::RemoteRow& row, store::Store& store, const std::vector<store::Origin>& ours) {
  sync::Identity self;
  for (const store::Origin& o : ours) {
    if (o.self) self = {o.id, o.key.value_or(PublicKey{}), ""};
  }
  // An origin that never published is not announced by a mere question.
  if (self.key == PublicKey{}) self.key = *store::prepare_self(store).origin.key;
  auto welcome = sync::make_remote(row.url)->connect(self, row.cursor);
  if (!welcome) return {{}, welcome.failure()};
  return {distance(ours, *welcome), {}};
}

std::string ago(std::int64_t at_ms, std::int64_t now_ms) {
  if (at_ms == 0) return "never";
  std::int64_t s = std::max<std::int64_t>(0, (now_ms - at_ms) / 1000);
  if (s < 120) return fmt::format("{} s ago", s);
  if (s < 7200) return fmt::format("{} min ago", s / 60);
  if (s < 172800) return fmt::format("{} h ago", s / 3600);
  return fmt::format("{} days ago", s / 86400);
}

int show_status(const Options& o, Context& context) {
  store::Store store = context.writer();
  std::vector<store::RemoteRow> rows = chosen(o, store);
  auto ours = store::origins(store.db());
  if (std::none_of(ours.begin(), ours.end(), [](const store::Origin& x) { return x.self; })) {
    store::prepare_self(store);
    ours = store::origins(store.db());
  }
  Exit code = Exit::ok;
  JsonWriter json;
  json.begin_array();
  for (const store::RemoteRow& row : rows) {
    Status s = ask(row, store, ours);
    if (s.failure && code == Exit::ok) code = s.failure->exit;
    std::string error = s.failure ? s.failure->what : row.last_error;
    json.begin_object();
    json.key("name"), json.text(row.name);
    json.key("url"), json.text(sync::without_password(row.url));
    if (!s.failure) {
      json.key("ahead"), json.number(static_cast<double>(s.distance.ahead));
      json.key("behind"), json.number(static_cast<double>(s.distance.behind));
    }
    json.key("last_sync_ms"), json.number(static_cast<double>(row.ok_at));
    json.key("error"), json.text(error);
    json.end_object();
    if (context.json) continue;
    std::string state = s.failure ? "not reached: " + printable(s.failure->what)
                                  : fmt::format("ahead {}, behind {}", s.distance.ahead, s.distance.behind);
    context.out << fmt::format("{}: {}, last sync {}\n", printable(row.name), state,
                               ago(row.ok_at, context.clock()));
    if (!s.failure && !row.last_error.empty())
      context.out << "  the last one failed: " << printable(row.last_error) << '\n';
  }
  json.end_array();
  if (context.json) context.out << json.str() << '\n';
  return static_cast<int>(code);
}

int run_sync(const Options& o, Context& context) {
  return o.status ? show_status(o, context) : exchange_all(o, context);
}

}  // namespace

Action setup_sync(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("name", o->name, "the remote; all of them without it")->type_name("NAME");
  app.add_flag("--push", o->push, "only send");
  app.add_flag("--pull", o->pull, "only fetch");
  app.add_flag("--dry-run", o->exchange.dry_run, "say how many events would go either way");
  app.add_flag("--full", o->exchange.full, "look at all that the remote has, not only at what is new");
  app.add_flag("--status", o->status, "how far ahead and behind, and what went wrong last");
  return [o](Context& context) { return run_sync(*o, context); };
}

}  // namespace explog::cli
