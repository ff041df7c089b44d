// retract: ids and a reason -> events that take the records back.
#include <memory>

#include "answers/answer.h"
#include "app/records/named_records.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct RetractFlags {
  std::vector<std::string> ids;
  std::string reason;
};

int run_retract(const RetractFlags& o, Context& context) {
  std::vector<std::string> ids = app::retract(context.session, o.ids, o.reason);
  JsonWriter json;
  answers::begin_answer(json);
  json.field("retracted", ids);
  json.end_object();
  if (context.json) context.terminal.out << json.str() << '\n';
  for (const std::string& id : ids) {
    if (!context.json) context.terminal.out << "retracted " << id << '\n';
  }
  return 0;
}

}  // namespace

Action setup_retract(Arguments& arguments) {
  auto o = std::make_shared<RetractFlags>();
  arguments.option("id", o->ids, "record ids; their first 6 digits will do").required().type_name("ID");
  arguments.option("--reason", o->reason, "why it does not count any more")
      .required()
      .filled()
      .type_name("TEXT");
  return [o](Context& context) { return run_retract(*o, context); };
}

}  // namespace explog::cli
