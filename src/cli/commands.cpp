#include "cli/commands.h"

#include <algorithm>
#include <array>

namespace explog::cli {
namespace {

constexpr std::array<Command, 25> table = {{
    {"recommend", "--kernel TYPE --backend B --arch A [--bottleneck X]",
     "rank the strategies to try next on a kernel", setup_recommend},
    {"diagnose", "--ncu FILE | ID | --task T --source FILE | --flops F --bytes B --latency-ms T",
     "what bounds a kernel, how that is known, and how much room is left", setup_diagnose},
    {"check", "TASK FILE", "is a candidate kernel right? every shape, poison, guards, determinism",
     setup_check},
    {"bench", "TASK FILE [--record --strategy S]",
     "is it right, and really faster than the baseline? a verdict", setup_bench},
    {"calibrate", "[--families NAME,...] [--budget MIN]",
     "measure the shipped ladders of kernels on this GPU and learn from them", setup_calibrate},
    {"task", "[list | show NAME | init FILE --dims N=4096,D=1024]",
     "what check and bench judge by: list, show, draft one", setup_task},
    {"add", "--kernel TYPE --backend B --arch A --strategy S ... | --jsonl FILE",
     "record what was tried and what came of it", setup_add},
    {"list", "", "the newest records", setup_list},
    {"show", "ID...", "everything known about a record", setup_show},
    {"search", "TEXT...", "find records by words and filters", setup_search},
    {"query", "NAME | --sql SQL", "run a named query or SQL of your own, read-only", setup_query},
    {"stats", "[--calibration] [--recalibrate on|off]",
     "totals, success rates, the best strategies; were the probabilities true?", setup_stats},
    {"strategies", "[list | show ID | check]", "the playbook", setup_strategies},
    {"import", "FILE...", "read records from other tools' files", setup_import},
    {"export", "[TEXT...]", "write records as JSON lines, CSV or a Markdown page", setup_export},
    {"merge", "FILE.db | --duplicates", "take in another database, or fold double records", setup_merge},
    {"retract", "ID... --reason R", "take records back; they stay in the log and stop counting",
     setup_retract},
    {"redact", "ID... --reason R", "erase the text of records, here and wherever the log is kept",
     setup_redact},
    {"remote", "[add NAME URL | list | remove NAME | init URL]", "the places to exchange records through",
     setup_remote},
    {"sync", "[NAME] [--push | --pull] [--dry-run] [--status]", "exchange records with remotes", setup_sync},
    {"trust", "[list | set ORIGIN LEVEL | review]", "whose records are believed here", setup_trust},
    {"doctor", "[--rebuild] [--ceilings]", "check the environment and the store's health", setup_doctor},
    {"backtest", "[--train FILE --test FILE] [--split gpu|arch|source|family|shape|time]",
     "how good the ranking would have been, beside simpler ones", setup_backtest},
    {"completion", "bash | zsh | fish", "print shell completions", setup_completion},
    {"man", "", "print the manual page", setup_man},
}};

}  // namespace

std::span<const Command> commands() { return table; }

const Command* find_command(std::string_view name) {
  auto it = std::find_if(table.begin(), table.end(), [&](const Command& c) { return c.name == name; });
  return it != table.end() ? &*it : nullptr;
}

void add_global_flags(CLI::App& app, Context& context) {
  app.add_option("--db", context.db_path,
                 "the database (else $EXPLOG_DB, else $XDG_DATA_HOME/explog/explog.db)")
      ->type_name("PATH")
      ->group("Global");
  app.add_option("--data", context.data_dir, "folder whose strategies/ add to and win over the built-in ones")
      ->type_name("DIR")
      ->group("Global");
  app.add_flag("--json", context.json, "one JSON document on standard output")->group("Global");
  app.add_flag("--quiet", context.quiet, "no warnings and notes on standard error")->group("Global");
  app.add_flag("--no-color", context.no_color, "no colours (also: NO_COLOR)")->group("Global");
}

}  // namespace explog::cli
