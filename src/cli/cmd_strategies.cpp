// strategies: the playbook.
#include <memory>

#include "answers/strategies.h"
#include "answers/strategy_names.h"
#include "app/advice/strategies.h"
#include "app/advice/strategy_names.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "model/kernel_type.h"

namespace explog::cli {
namespace {

struct StrategiesFlags {
  std::string action = "list";
  std::vector<std::string> names;
  app::StrategyFilter filter;
  bool families = false;
  FormatFlags format;
};

int list(const StrategiesFlags& o, Context& context) {
  answers::Format format = o.format.format(context);
  if (o.families) return answers::print_families(context.terminal, format, known_families()), 0;
  auto strategies = app::select_strategies(o.filter, context.session.playbook());
  answers::print_strategy_table(context.terminal, format, strategies);
  return static_cast<int>(strategies.empty() ? Exit::negative : Exit::ok);
}

int show(const StrategiesFlags& o, Context& context) {
  if (o.names.empty()) throw Error(Exit::usage, "strategies show: name a strategy");
  auto strategies = app::strategies_named(o.names, context.session.playbook());
  if (context.json) {
    context.terminal.out << answers::strategies_json(strategies) << '\n';
  } else {
    answers::print_strategies(context.terminal, strategies);
  }
  return 0;
}

int check(Context& context) {
  app::PlaybookCheck result = app::check_strategies(context.session);
  if (context.json) {
    context.terminal.out << answers::playbook_check_json(result) << '\n';
  } else {
    answers::print_playbook_check(context.terminal, result);
  }
  return static_cast<int>(result.faults.empty() ? Exit::ok : Exit::negative);
}

int unmapped(const StrategiesFlags& o, Context& context) {
  auto names = app::unmapped_strategies(context.session);
  if (context.json) {
    context.terminal.out << answers::unmapped_json(names) << '\n';
  } else {
    answers::print_unmapped(context.terminal, o.format.format(context), names);
  }
  return 0;
}

int alias(const StrategiesFlags& o, Context& context) {
  if (o.names.size() != 2)
    throw Error(Exit::usage, "strategies alias: give the name in the records and the strategy it stands for",
                "explog strategies alias tma_gather_swap tma_loads");
  app::NewAlias result = app::alias_strategy(o.names[0], o.names[1], context.session);
  if (context.json) {
    context.terminal.out << answers::alias_json(result) << '\n';
  } else {
    answers::print_alias(context.terminal, result);
  }
  return 0;
}

int run_strategies(const StrategiesFlags& o, Context& context) {
  if (o.action == "show") return show(o, context);
  if (o.action == "alias") return alias(o, context);
  expect_no_words("strategies " + o.action, o.names, "`explog strategies show ID` shows one");
  if (o.action == "list") return list(o, context);
  if (o.action == "unmapped") return unmapped(o, context);
  return check(context);
}

}  // namespace

Action setup_strategies(Arguments& arguments) {
  auto o = std::make_shared<StrategiesFlags>();
  arguments
      .option("action", o->action,
              "list, show, check, unmapped (names in records that it lacks) or alias (NAME ID: what such a "
              "name means)")
      .type_name("ACTION")
      .one_of({"list", "show", "check", "unmapped", "alias"});
  arguments.option("names", o->names, "with show: the strategies; with alias: NAME ID")
      .type_name("ID")
      .names_a("strategies");
  arguments.option("--backend", o->filter.backend, "list: only those for this backend")
      .type_name("B")
      .names_a("backends");
  arguments.option("--family", o->filter.family, "list: only those for this kernel family")
      .type_name("F")
      .names_a("families");
  arguments
      .option("--category", o->filter.category, "list: only memory, compute, latency, occupancy, tuning, ...")
      .type_name("C")
      .names_a("categories");
  arguments.flag("--families", o->families, "list the kernel families");
  o->format.add_to(arguments);
  return [o](Context& context) { return run_strategies(*o, context); };
}

}  // namespace explog::cli
