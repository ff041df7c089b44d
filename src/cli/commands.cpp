#include "cli/commands.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace explog::cli {
namespace {

constexpr std::array<Command, 34> table = {{
    {"recommend", "--kernel TYPE --backend B --arch A [--bottleneck X]",
     "rank the strategies to try next on a kernel", setup_recommend},
    {"advise", "FILE [--arch A]", "the same from the kernel's source alone: type, backend, dtype, constants",
     setup_advise},
    {"diagnose", "--ncu FILE | ID | --task T --source FILE | --flops F --bytes B --latency-ms T",
     "what bounds a kernel, how that is known, and how much room is left", setup_diagnose},
    {"check", "TASK FILE", "is a candidate kernel right? every shape, poison, guards, determinism",
     setup_check},
    {"bench", "TASK FILE [--record --strategy S]",
     "is it right, and really faster than the baseline? a verdict", setup_bench},
    {"code", "ID | FILE [--ir sass|ptx|ttgir|tileir] | --diff A B",
     "the machine code of what was judged, what is in it, and what a change did to it", setup_code},
    {"campaign", "start TASK FILE | next | judge FILE --strategy S | status | report | apply vN",
     "the experiment loop: one change after the other, judged, kept or not", setup_campaign},
    {"calibrate", "[--families NAME,...] [--budget MIN]",
     "measure the shipped ladders of kernels on this GPU and learn from them", setup_calibrate},
    {"tune", "TASK FILE [--space SPEC] | lookup TASK FILE | show | export | import FILE",
     "search a kernel's knobs once, look the best up for ever", setup_tune},
    {"launch", "local | ssh HOST... | slurm [--shards N] -- campaign start --plan FILE --out DIR",
     "many machines at one plan: workers here, on other hosts, or as jobs of Slurm", setup_launch},
    {"gate", "--base REV [--head REV] --tasks GLOB [--max-slower 2%]",
     "for CI: is a kernel of one revision slower than that of another?", setup_gate},
    {"task", "[list | show NAME | init FILE --dims N=4096,D=1024 | import PATH]",
     "what check and bench judge by: list, show, draft one, take one from a benchmark", setup_task},
    {"add", "--kernel TYPE --backend B --arch A --strategy S ... | --jsonl FILE",
     "record what was tried and what came of it", setup_add},
    {"list", "", "the newest records", setup_list},
    {"show", "ID...", "everything known about a record", setup_show},
    {"search", "TEXT...", "find records by words and filters", setup_search},
    {"query", "NAME | --sql SQL", "run a named query or SQL of your own, read-only", setup_query},
    {"stats", "[--calibration] [--recalibrate on|off]",
     "totals, success rates, the best strategies; were the probabilities true?", setup_stats},
    {"report", "WHAT... [--out FILE.html] | --site DIR",
     "pictures for people: one HTML file of a campaign, kernel or records, or a site", setup_report},
    {"strategies", "[list | show ID | check | unmapped | alias NAME ID]",
     "the playbook, and names in records that it lacks", setup_strategies},
    {"import", "FILE...", "read records from other tools' files", setup_import},
    {"export", "[TEXT...] [--to FORM]",
     "write records as JSON lines, CSV or Markdown, or as other benchmarks do", setup_export},
    {"merge", "FILE.db | --duplicates", "take in another database, or fold double records", setup_merge},
    {"retract", "ID... --reason R", "take records back; they stay in the log and stop counting",
     setup_retract},
    {"redact", "ID... --reason R", "erase the text of records, here and wherever the log is kept",
     setup_redact},
    {"remote", "[add NAME URL | list | remove NAME | init URL]", "the places to exchange records through",
     setup_remote},
    {"sync", "[NAME] [--push | --pull] [--dry-run] [--status]", "exchange records with remotes", setup_sync},
    {"trust", "[list | set ORIGIN LEVEL | review | label ORIGIN NAME | weigh SOURCE W]",
     "whose records are believed here", setup_trust},
    {"doctor", "[--rebuild] [--ceilings] [--salvage NEW.db]", "check the environment and the store's health",
     setup_doctor},
    {"backtest", "[--train FILE --test FILE] [--split gpu|arch|source|family|shape|time]",
     "how good the ranking would have been, beside simpler ones", setup_backtest},
    {"mcp", "[--allow judge]", "serve agents over standard input and output (Model Context Protocol)",
     setup_mcp},
    {"skill", "print [FILE] | install | check | uninstall [--client C]",
     "the skill that tells agents when and how to use explog", setup_skill},
    {"completion", "bash | zsh | fish", "print shell completions", setup_completion},
    {"man", "", "print the manual page", setup_man},
}};

}  // namespace

std::span<const Command> commands() { return table; }

const Command* find_command(std::string_view name) {
  auto it = std::find_if(table.begin(), table.end(), [&](const Command& c) { return c.name == name; });
  return it != table.end() ? &*it : nullptr;
}

void add_global_flags(Arguments& arguments, Context& context) {
  arguments
      .option("--db", context.session.db_path,
              "the database (else $EXPLOG_DB, else $XDG_DATA_HOME/explog/explog.db)")
      .type_name("PATH")
      .group(global_group);
  arguments
      .option("--data", context.session.data_dir,
              "folder whose strategies/ and kernels/ add to the built-in ones or replace them by name")
      .type_name("DIR")
      .group(global_group);
  arguments.flag("--json", context.json, "one JSON document on standard output").group(global_group);
  arguments.flag("--quiet", context.quiet, "no warnings or notes on standard error").group(global_group);
  arguments.flag("--no-color", context.no_color, "no colours (also: NO_COLOR)").group(global_group);
}

std::vector<OptionInfo> global_options() {
  Context unused{.terminal = {.out = std::cout, .err = std::cerr}};
  Arguments arguments("", "");
  add_global_flags(arguments, unused);
  std::vector<OptionInfo> options = arguments.options();
  options.push_back({.names = {"--version"},
                     .help = "version, commit, schema of the database, SQLite",
                     .value = "",
                     .group = global_group,
                     .fallback = "",
                     .words = {},
                     .kind = ""});
  return options;
}

}  // namespace explog::cli
