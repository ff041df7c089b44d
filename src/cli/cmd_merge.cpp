// merge: another database -> its events here; or groups of double records -> one kept, the others retracted.
#include <fmt/format.h>

#include <memory>

#include "answers/merge.h"
#include "base/error.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct MergeFlags {
  std::vector<std::string> files;
  std::string trust = "unreviewed";
  bool duplicates = false, fold = false;
};

int merge_files(const MergeFlags& o, Context& context) {
  store::Store::Merged merged = app::merge_files(context.session, o.files, trust_of(o.trust).value());
  answers::warn_of_merged(context.terminal, merged);
  if (context.json) {
    context.terminal.out << answers::merged_json(merged) << '\n';
  } else {
    answers::print_merged(context.terminal, merged);
  }
  return static_cast<int>(merged.refused.empty() ? Exit::ok : Exit::quarantined);
}

void show(Context& context, const std::vector<app::Duplicates>& groups) {
  if (context.json) {
    context.terminal.out << answers::duplicates_json(groups) << '\n';
  } else {
    answers::print_duplicates(context.terminal, groups);
  }
}

int list_duplicates(Context& context) {
  std::vector<app::Duplicates> groups = app::find_duplicates(context.session);
  show(context, groups);
  if (groups.empty() && !context.json) context.terminal.out << "no duplicates\n";
  if (!groups.empty())
    context.session.warn(
        fmt::format("{} groups; --fold keeps one of each and retracts the others", groups.size()));
  return static_cast<int>(groups.empty() ? Exit::negative : Exit::ok);
}

int fold_duplicates(Context& context) {
  std::vector<app::Duplicates> groups = app::fold_duplicates(context.session);
  show(context, groups);
  size_t folded = 0;
  for (const app::Duplicates& group : groups) folded += group.fold.size();
  if (!context.json)
    context.terminal.out << fmt::format("folded {} records in {} groups\n", folded, groups.size());
  return 0;
}

int run_merge(const MergeFlags& o, Context& context) {
  if (o.duplicates == !o.files.empty())
    throw Error(Exit::usage, "merge: name a database, or give --duplicates");
  if (o.fold && !o.duplicates) throw Error(Exit::usage, "merge: --fold goes with --duplicates");
  if (!o.duplicates) return merge_files(o, context);
  return o.fold ? fold_duplicates(context) : list_duplicates(context);
}

}  // namespace

Action setup_merge(Arguments& arguments) {
  auto o = std::make_shared<MergeFlags>();
  arguments.option("file", o->files, "explog databases to take in; they are only read").type_name("FILE.db");
  arguments.option("--trust", o->trust, "what origins first met there are: see `explog trust`")
      .type_name("blocked|unreviewed|team")
      .one_of({"blocked", "unreviewed", "team"})
      .show_default();
  arguments.flag("--duplicates", o->duplicates, "list groups of records that are the same experiment");
  arguments.flag("--fold", o->fold, "with --duplicates: keep one of each group, retract the others");
  return [o](Context& context) { return run_merge(*o, context); };
}

}  // namespace explog::cli
