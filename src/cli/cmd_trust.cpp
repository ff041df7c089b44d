// trust: whose records are believed here.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/trust_words.h"
#include "model/json.h"
#include "store/exchange.h"
#include "store/read.h"

namespace explog::cli {
namespace {

struct Options {
  std::string action = "list", origin, level;
  std::optional<std::string> label;
};

struct Totals {
  std::int64_t success = 0, neutral = 0, failure = 0, strategies = 0;
};

Totals totals(sql::Db& db, std::int64_t origin_no) {
  sql::Stmt read(db,
                 "SELECT coalesce(sum(success),0), coalesce(sum(neutral),0), coalesce(sum(failure),0), "
                 "count(DISTINCT strategy) FROM cell WHERE origin=? AND grain IN (0, 3) AND mirrored=0");
  read.bind(1, origin_no);
  read.step();
  return {read.integer(0), read.integer(1), read.integer(2), read.integer(3)};
}

void write_origin(JsonWriter& json, const store::Origin& o, const Totals& t) {
  json.begin_object();
  json.key("origin"), json.text(hex(o.id));
  json.key("trust"), json.text(trust_word(o.trust));
  json.key("label"), json.text(o.label);
  json.key("via"), json.text(o.via);
  json.key("key"), json.text(o.key ? hex(*o.key) : "");
  json.key("events"), json.number(static_cast<double>(o.head));
  json.key("success"), json.number(static_cast<double>(t.success));
  json.key("neutral"), json.number(static_cast<double>(t.neutral));
  json.key("failure"), json.number(static_cast<double>(t.failure));
  json.end_object();
}

void print_origin(Context& context, const store::Origin& o, const Totals& t) {
  context.out << fmt::format("{}  {:<10} {:>8} events  {} faster, {} neutral, {} failed{}{}\n",
                             hex(o.id).substr(0, 12), trust_word(o.trust), o.head, t.success, t.neutral,
                             t.failure, o.label.empty() ? "" : "  " + printable(o.label),
                             o.via.empty() ? "" : "  via " + printable(o.via));
}

int list(Context& context, bool only_unreviewed) {
  sql::Db db = context.reader();
  auto origins = store::origins(db);
  if (only_unreviewed) std::erase_if(origins, [](const store::Origin& o) { return o.trust != 1; });
  auto refused = only_unreviewed ? store::quarantined(db) : std::vector<store::QuarantineRow>{};
  JsonWriter json;
  json.begin_object();
  json.key("origins");
  json.begin_array();
  for (const store::Origin& o : origins) {
    Totals t = totals(db, o.no);
    write_origin(json, o, t);
    if (!context.json) print_origin(context, o, t);
  }
  json.end_array();
  json.key("weights");
  json.begin_object();
  for (const auto& [source, weight] : store::decided_weights(db)) {
    json.key(source), json.number(weight);
    if (!context.json && !only_unreviewed)
      context.out << fmt::format("records of {} weigh {} by your word\n", printable(source),
                                 number_text(weight));
  }
  json.end_object();
  json.key("quarantined");
  json.begin_array();
  for (const store::QuarantineRow& row : refused) {
    json.begin_object();
    json.key("remote"), json.text(row.remote);
    json.key("origin"), json.text(hex(row.origin));
    json.key("first"), json.number(static_cast<double>(row.first));
    json.key("last"), json.number(static_cast<double>(row.last));
    json.key("reason"), json.text(row.reason);
    json.end_object();
    if (context.json) continue;
    std::string what = row.origin.empty() ? ""
                                          : fmt::format("events {} to {} of {}: ", row.first, row.last,
                                                        hex(row.origin).substr(0, 12));
    context.out << "refused from " << printable(row.remote + ": " + what + row.reason) << '\n';
  }
  json.end_array();
  json.end_object();
  if (context.json) context.out << json.str() << '\n';
  if (!context.json && only_unreviewed && origins.empty() && refused.empty())
    context.out << "nothing to review\n";
  if (!context.json && only_unreviewed && !origins.empty())
    context.out << "`explog trust set ORIGIN team` or `blocked` decides\n";
  return 0;
}

int set(const Options& o, Context& context) {
  if (o.origin.size() < 6 || o.level.empty())
    throw Error(Exit::usage, "trust set needs an origin (at least 6 digits of it) and a level",
                "explog trust set 1a2b3c4d team; `explog trust list` shows origins");
  if (std::find(trust_words.begin(), trust_words.end() - 1, o.level) == trust_words.end() - 1)
    throw Error(Exit::usage, "'" + printable(o.level) + "' is no level of trust",
                "blocked, unreviewed or team");
  store::Store store = context.writer();
  std::vector<store::Origin> found = store::origins(store.db());
  std::erase_if(found, [&](const store::Origin& x) { return !hex(x.id).starts_with(lower(o.origin)); });
  if (found.size() != 1)
    throw Error(Exit::usage,
                found.empty() ? "no origin '" + printable(o.origin) + "'"
                              : "'" + printable(o.origin) + "' fits several origins",
                "explog trust list");
  if (found[0].self) throw Error(Exit::usage, "that is this database itself");
  store.set_trust(found[0].no, trust_of(o.level), o.label);
  if (context.json) {
    context.out << fmt::format("{{\"origin\":\"{}\",\"trust\":\"{}\"}}\n", hex(found[0].id), o.level);
  } else {
    context.out << fmt::format("{} is {} now\n", hex(found[0].id).substr(0, 12), o.level);
  }
  return 0;
}

// The name is taken as it stands: what is heavy or light may not be here yet.
int weigh(const Options& o, Context& context) {
  auto weight = o.level == "full" ? 1 : o.level == "none" ? 0 : parse_number(o.level);
  bool learned = o.level == "learned";
  if (o.origin.empty() || (!learned && (!weight || *weight < 0 || *weight > 1)))
    throw Error(Exit::usage, "trust weigh needs a source and a weight from 0 to 1, full, none or learned",
                "explog trust weigh 'origin 1a2b3c4d' 0.5; `recommend --explain` names sources");
  store::Store store = context.writer();
  store::decide_weight(store.db(), o.origin, learned ? std::nullopt : weight);
  context.out << (learned ? fmt::format("what records of {} weigh is learned\n", printable(o.origin))
                          : fmt::format("each record of {} weighs {} now\n", printable(o.origin),
                                        number_text(*weight)));
  return 0;
}

}  // namespace

Action setup_trust(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("action", o->action, "list, set, review or weigh")
      ->type_name("ACTION")
      ->check(CLI::IsMember({"list", "set", "review", "weigh"}));
  app.add_option("origin", o->origin, "set: whose records; the first 6 digits will do. weigh: a source")
      ->type_name("ORIGIN");
  app.add_option(
         "level", o->level,
         "set: blocked (does not count), unreviewed (counts), team (its text is shown too). weigh: what a "
         "record counts, 0 to 1, full, none, or learned from how it agrees with the others")
      ->type_name("LEVEL");
  app.add_option("--label", o->label, "set: what to call it here")->type_name("NAME");
  return [o](Context& context) {
    if (o->action == "weigh") return weigh(*o, context);
    return o->action == "set" ? set(*o, context) : list(context, o->action == "review");
  };
}

}  // namespace explog::cli
