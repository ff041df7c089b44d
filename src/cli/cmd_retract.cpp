// retract: ids and a reason -> events that take the records back.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "cli/commands.h"
#include "model/json.h"
#include "store/read.h"

namespace explog::cli {
namespace {

struct Options {
  std::vector<std::string> ids;
  std::string reason;
};

int run_retract(const Options& o, Context& context) {
  if (o.reason.empty()) throw Error(Exit::usage, "retract: --reason is empty");
  store::Store store = context.writer();
  std::vector<std::int64_t> rids;
  std::vector<std::string> ids;
  for (const std::string& prefix : o.ids) {
    store::Record record = store::load(store.db(), store::resolve(store.db(), prefix));
    if (record.kind != static_cast<int>(Kind::experience))
      throw Error(Exit::usage, record.id + " is no experience");
    if (record.retracted) throw Error(Exit::usage, record.id + " is retracted already: " + *record.retracted);
    for (std::int64_t rid : store::same_id(store.db(), record.rid)) rids.push_back(rid);
    ids.push_back(record.id);
  }
  store.retract(rids, o.reason);
  JsonWriter json;
  json.begin_object();
  json.key("retracted");
  json.begin_array();
  for (const std::string& id : ids) {
    json.text(id);
    if (!context.json) context.out << "retracted " << id << '\n';
  }
  json.end_array();
  json.end_object();
  if (context.json) context.out << json.str() << '\n';
  return 0;
}

}  // namespace

Action setup_retract(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("id", o->ids, "record ids; their first 6 digits will do")->required()->type_name("ID");
  app.add_option("--reason", o->reason, "why it does not count any more")->required()->type_name("TEXT");
  return [o](Context& context) { return run_retract(*o, context); };
}

}  // namespace explog::cli
