// redact: ids and a reason -> their text is erased, here and wherever the log is kept.
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

int run_redact(const Options& o, Context& context) {
  store::Store store = context.writer();
  std::vector<std::int64_t> rids;
  std::vector<std::string> ids;
  for (const std::string& prefix : o.ids) {
    store::Record record = store::load(store.db(), store::resolve(store.db(), prefix));
    auto kind = static_cast<Kind>(record.kind);
    if (kind != Kind::experience && kind != Kind::measurement && kind != Kind::device)
      throw Error(Exit::usage, record.id + " holds no text of yours: it only speaks of other records");
    for (std::int64_t rid : store::same_id(store.db(), record.rid)) rids.push_back(rid);
    ids.push_back(record.id);
  }
  store.redact(rids, o.reason);
  JsonWriter json;
  json.begin_object();
  json.key("redacted"), json.texts(ids);
  json.end_object();
  if (context.json) context.out << json.str() << '\n';
  for (const std::string& id : ids) {
    if (!context.json) context.out << "erased " << id << '\n';
  }
  context.warn("others erase it when they sync; backups and copies of the file keep what they have");
  return 0;
}

}  // namespace

Action setup_redact(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("id", o->ids, "record ids; their first 6 digits will do")->required()->type_name("ID");
  app.add_option("--reason", o->reason, "why; this text stays readable")->required()->type_name("TEXT");
  return [o](Context& context) { return run_redact(*o, context); };
}

}  // namespace explog::cli
