// redact: ids and a reason -> their text is erased, here and wherever the log is kept.
#include <memory>

#include "answers/answer.h"
#include "app/records/named_records.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct RedactFlags {
  std::vector<std::string> ids;
  std::string reason;
};

int run_redact(const RedactFlags& o, Context& context) {
  std::vector<std::string> ids = app::redact(context.session, o.ids, o.reason);
  JsonWriter json;
  answers::begin_answer(json);
  json.field("redacted", ids);
  json.end_object();
  if (context.json) context.terminal.out << json.str() << '\n';
  for (const std::string& id : ids) {
    if (!context.json) context.terminal.out << "erased " << id << '\n';
  }
  context.session.warn("others erase it when they sync; backups and copies of the file keep what they have");
  return 0;
}

}  // namespace

Action setup_redact(Arguments& arguments) {
  auto o = std::make_shared<RedactFlags>();
  arguments.option("id", o->ids, "record ids; their first 6 digits will do").required().type_name("ID");
  arguments.option("--reason", o->reason, "why; this text stays readable")
      .required()
      .filled()
      .type_name("TEXT");
  return [o](Context& context) { return run_redact(*o, context); };
}

}  // namespace explog::cli
