// add: flags or JSON lines -> records.
#include <fmt/format.h>

#include <memory>

#include "answers/ingested.h"
#include "app/records/add_record.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct AddFlags {
  ExperienceFlags fields;
  app::AddOptions add;
  app::RecordProfiles profiles;
  std::string jsonl;
  bool verbose = false;
};

// One record is an answer by itself: its id, or why it is refused. Of many, refused ones are left out.
int finish(const AddFlags& o, Context& context, const app::Ingested& result, bool single) {
  answers::print_remarks(context.terminal, context.session.warn, result, single || o.verbose);
  if (context.json) {
    context.terminal.out << answers::added_json(result) << '\n';
  } else {
    single && !o.add.dry_run ? answers::print_added_one(context.terminal, result)
                             : answers::print_added(context.terminal, result, o.add.dry_run);
  }
  if (result.interrupted) {
    context.terminal.warn({"interrupted", fmt::format("interrupted; {} records are stored", result.added)});
    return static_cast<int>(Exit::interrupted);
  }
  if (single && result.rejected > 0) return static_cast<int>(Exit::usage);
  return static_cast<int>(result.rejected > 0 ? Exit::quarantined : Exit::ok);
}

void require_fields(const AddFlags& o) {
  for (auto [field, flag] :
       {std::pair("kernel_type", "--kernel"), {"backend", "--backend"}, {"arch", "--arch"}}) {
    bool elsewhere = o.profiles.any() || o.fields.given("gpu");  // a profile or the card may tell it
    if (elsewhere && std::string_view(field) == "arch") continue;
    if (!o.fields.given(field))
      throw Error(Exit::usage, std::string("add: ") + flag + " is missing",
                  "explog add --help shows all fields");
  }
}

int run_add(const AddFlags& o, Context& context) {
  require_fields(o);
  Experience e;
  o.fields.apply(e, false);
  app::Ingested result = app::add_record(std::move(e), o.profiles, o.add, context.session);
  return finish(o, context, result, true);
}

int run_add_lines(const AddFlags& o, Context& context) {
  if (o.profiles.any()) throw Error(Exit::usage, "add: --ncu-before and --ncu-after belong to one record");
  auto complete = [&](Experience& e) { o.fields.apply(e, true); };
  app::Ingested result = app::add_lines(o.jsonl, complete, o.add, context.json, context.session);
  return finish(o, context, result, false);
}

}  // namespace

Action setup_add(Arguments& arguments) {
  auto o = std::make_shared<AddFlags>();
  o->fields.add_to(arguments, false);
  arguments
      .option("--jsonl", o->jsonl,
              "many records, one JSON object a line; '-' is standard input, .gz is unpacked")
      .type_name("FILE")
      .filled();
  arguments.option("--ncu-before", o->profiles.before, "profile before the change (CSV of Nsight Compute)")
      .type_name("FILE");
  arguments.option("--ncu-after", o->profiles.after, "profile after it").type_name("FILE");
  arguments.option("--ncu-kernel", o->profiles.kernel_name, "which kernel of the profiles").type_name("RE");
  arguments
      .option("--idempotency-key", o->add.key,
              "a retry with the same key stores nothing new and prints the same id")
      .type_name("KEY");
  arguments.flag("--strict", o->add.strict, "refuse a record whose claim contradicts its own numbers");
  arguments.flag("--dry-run", o->add.dry_run, "check only");
  arguments.flag("--verbose", o->verbose, "every remark, not only the first twenty");
  return
      [o](Context& context) { return o->jsonl.empty() ? run_add(*o, context) : run_add_lines(*o, context); };
}

}  // namespace explog::cli
