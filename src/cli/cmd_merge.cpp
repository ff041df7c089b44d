// merge: another database -> its events here; or groups of double records -> one kept, the others retracted.
#include <fmt/format.h>

#include <memory>

#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/trust_words.h"
#include "model/json.h"
#include "store/duplicates.h"
#include "store/read.h"

namespace explog::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string trust = "unreviewed";
  bool duplicates = false, fold = false;
};

int merge_files(const Options& o, Context& context) {
  store::Store store = context.writer();
  store::Store::Merged total;
  for (const std::string& file : o.files) {
    store::Store::Merged merged = store.merge(file, trust_of(o.trust));
    total.added += merged.added;
    total.skipped += merged.skipped;
    for (const std::string& text : merged.refused) total.refused.push_back(file + ": " + text);
  }
  for (const std::string& text : total.refused) context.err << "explog: refused: " << printable(text) << '\n';
  if (context.json) {
    context.out << fmt::format("{{\"added\":{},\"skipped\":{},\"rejected\":{}}}\n", total.added,
                               total.skipped, total.refused.size());
  } else {
    context.out << fmt::format("added {} events, skipped {} (known already), rejected {}\n", total.added,
                               total.skipped, total.refused.size());
  }
  return static_cast<int>(total.refused.empty() ? Exit::ok : Exit::quarantined);
}

void print_groups(Context& context, sql::Db& db, const std::vector<store::DuplicateGroup>& groups) {
  JsonWriter json;
  json.begin_array();
  for (const store::DuplicateGroup& group : groups) {
    json.begin_object();
    json.key("what"), json.text(group.what);
    json.key("keep"), json.text(store::id_of(db, group.rids[0]));
    json.key("fold");
    json.begin_array();
    if (!context.json)
      context.out << printable(group.what) << "\n  keep " << store::id_of(db, group.rids[0]) << '\n';
    for (size_t i = 1; i < group.rids.size(); ++i) {
      json.text(store::id_of(db, group.rids[i]));
      if (!context.json) context.out << "  fold " << store::id_of(db, group.rids[i]) << '\n';
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
  if (context.json) context.out << json.str() << '\n';
}

int fold_duplicates(const Options& o, Context& context) {
  if (!o.fold) {
    sql::Db db = context.reader();
    auto groups = store::find_duplicates(db);
    print_groups(context, db, groups);
    if (groups.empty() && !context.json) context.out << "no duplicates\n";
    if (!groups.empty())
      context.warn(fmt::format("{} groups; --fold keeps one of each and retracts the others", groups.size()));
    return static_cast<int>(groups.empty() ? Exit::negative : Exit::ok);
  }
  store::Store store = context.writer();
  auto groups = store::find_duplicates(store.db());
  print_groups(context, store.db(), groups);
  size_t folded = 0;
  for (const store::DuplicateGroup& group : groups) {
    store.retract({group.rids.begin() + 1, group.rids.end()},
                  "duplicate of " + store::id_of(store.db(), group.rids[0]));
    folded += group.rids.size() - 1;
  }
  if (!context.json) context.out << fmt::format("folded {} records in {} groups\n", folded, groups.size());
  return 0;
}

int run_merge(const Options& o, Context& context) {
  if (o.duplicates == !o.files.empty())
    throw Error(Exit::usage, "merge: name a database, or give --duplicates");
  if (o.fold && !o.duplicates) throw Error(Exit::usage, "merge: --fold goes with --duplicates");
  return o.duplicates ? fold_duplicates(o, context) : merge_files(o, context);
}

}  // namespace

Action setup_merge(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("file", o->files, "explog databases to take in; they are only read")->type_name("FILE.db");
  app.add_option("--trust", o->trust, "what origins first met there are: see `explog trust`")
      ->type_name("blocked|unreviewed|team")
      ->check(CLI::IsMember({"blocked", "unreviewed", "team"}))
      ->capture_default_str();
  app.add_flag("--duplicates", o->duplicates, "list groups of records that are the same experiment");
  app.add_flag("--fold", o->fold, "with --duplicates: keep one of each group, retract the others");
  return [o](Context& context) { return run_merge(*o, context); };
}

}  // namespace explog::cli
