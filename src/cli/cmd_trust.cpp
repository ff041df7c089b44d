// trust: whose records are believed here.
#include <fmt/format.h>

#include <memory>

#include "answers/answer.h"
#include "answers/trust.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct TrustFlags {
  std::string action = "list", origin, level;
  std::optional<std::string> label;
};

int list(Context& context, bool review) {
  app::TrustListing listing = app::list_trust(context.session, review);
  if (context.json) {
    context.terminal.out << answers::trust_json(listing) << '\n';
  } else {
    answers::print_trust(context.terminal, listing);
  }
  return 0;
}

int set(const TrustFlags& o, Context& context) {
  if (o.origin.empty() || o.level.empty())
    throw Error(Exit::usage, "trust set needs an origin (its label, or at least 6 digits of it) and a level",
                "explog trust set 1a2b3c4d team; `explog trust list` shows origins");
  auto trust = trust_of(o.level);
  if (!trust)
    throw Error(Exit::usage,
                "'" + printable(o.level) + "' is not a level of trust" +
                    did_you_mean(o.level, std::vector<std::string>{"blocked", "unreviewed", "team"}),
                "blocked, unreviewed or team");
  std::string origin = hex(app::set_trust(context.session, o.origin, *trust, o.label));
  if (context.json) {
    context.terminal.out << fmt::format("{{\"format\":{},\"origin\":\"{}\",\"trust\":\"{}\"}}\n",
                                        answers::answer_format, origin, o.level);
  } else {
    context.terminal.out << fmt::format("{} is {} now\n", origin.substr(0, 12), o.level);
  }
  return 0;
}

int label(const TrustFlags& o, Context& context) {
  if (o.origin.empty() || o.level.empty() || o.level.size() > 200)
    throw Error(Exit::usage, "trust label needs an origin and what to call it (at most 200 bytes)",
                "explog trust label self anna@buildbox");
  std::string origin = hex(app::set_label(context.session, o.origin, o.level));
  if (context.json) {
    context.terminal.out << fmt::format("{{\"format\":{},\"origin\":\"{}\",\"label\":{}}}\n",
                                        answers::answer_format, origin, json_quote(o.level));
  } else {
    context.terminal.out << fmt::format("{} is {} now\n", origin.substr(0, 12), printable(o.level));
  }
  return 0;
}

int weigh(const TrustFlags& o, Context& context) {
  auto weight = o.level == "full" ? 1 : o.level == "none" ? 0 : parse_number(o.level);
  bool learned = o.level == "learned";
  if (o.origin.empty() || (!learned && (!weight || *weight < 0 || *weight > 1)))
    throw Error(Exit::usage, "trust weigh needs a source and a weight from 0 to 1, full, none or learned",
                "explog trust weigh 'origin 1a2b3c4d' 0.5; `recommend --explain` names sources");
  app::weigh_source(context.session, o.origin, learned ? std::nullopt : weight);
  if (context.json) {
    JsonWriter json;
    answers::begin_answer(json);
    json.field("source", o.origin);
    json.key("weight");
    learned ? json.null() : json.number(*weight);
    json.end_object();
    context.terminal.out << json.str() << '\n';
    return 0;
  }
  context.terminal.out << (learned ? fmt::format("what records of {} weigh is learned\n", printable(o.origin))
                                   : fmt::format("each record of {} weighs {} now\n", printable(o.origin),
                                                 number_text(*weight)));
  return 0;
}

}  // namespace

Action setup_trust(Arguments& arguments) {
  auto o = std::make_shared<TrustFlags>();
  arguments.option("action", o->action, "list, set, review, label or weigh")
      .type_name("ACTION")
      .one_of({"list", "set", "review", "label", "weigh"});
  arguments.option("origin", o->origin, "set: whose records: a label, or the first 6 digits. weigh: a source")
      .type_name("ORIGIN");
  arguments
      .option("level", o->level,
              "label: what to call it; self is this database. set: blocked (does not count), unreviewed "
              "(counts), team (its text is shown too). weigh: what a "
              "record counts, 0 to 1, full, none, or learned from how it agrees with the others")
      .type_name("LEVEL|NAME")
      .suggests({"blocked", "unreviewed", "team"});
  arguments.option("--label", o->label, "set: what to call it here").type_name("NAME");
  return [o](Context& context) {
    if (o->action == "weigh") return weigh(*o, context);
    if (o->action == "label") return label(*o, context);
    if (o->action == "set") return set(*o, context);
    if (!o->origin.empty())
      expect_no_words("trust " + o->action, {o->origin}, "`explog trust set ORIGIN LEVEL` says what one is");
    return list(context, o->action == "review");
  };
}

}  // namespace explog::cli
