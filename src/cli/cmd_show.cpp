// show: ids -> everything known about the records.
#include <memory>

#include "answers/record.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

int run_show(const std::vector<std::string>& ids, Context& context) {
  std::vector<store::Record> records = app::find_records(context.session, ids);
  if (context.json) {
    context.terminal.out << answers::records_json(records) << '\n';
  } else {
    answers::print_records(context.terminal, records);
  }
  return 0;
}

}  // namespace

Action setup_show(Arguments& arguments) {
  auto ids = std::make_shared<std::vector<std::string>>();
  arguments.option("id", *ids, "record ids; their first 6 digits will do").required().type_name("ID");
  return [ids](Context& context) { return run_show(*ids, context); };
}

}  // namespace explog::cli
