// man: the manual page, made from the command table and each command's own options.
#include <ostream>

#include "base/text.h"
#include "cli/described.h"
#include "cli/examples.h"
#include "cli/glossary.h"
#include "cli/help.h"

namespace explog::cli {
namespace {

std::string troff(std::string_view text) {
  std::string safe = replace_all(replace_all(std::string(text), "\\", "\\e"), "-", "\\-");
  return !safe.empty() && (safe[0] == '.' || safe[0] == '\'') ? "\\&" + safe : safe;
}

void entry(std::ostream& out, std::string_view name, std::string_view text) {
  out << ".TP\n.B " << troff(name) << '\n' << troff(text.empty() ? "(no description)" : text) << '\n';
}

void options(std::ostream& out, const std::vector<OptionInfo>& list) {
  for (const OptionInfo& option : list) entry(out, option_form(option), full_help(option));
}

void commands(std::ostream& out, const std::vector<Described>& all) {
  out << ".SH COMMANDS\n";
  for (const Described& d : all) {
    out << ".SS explog " << troff(std::string(d.command->name) + " " + std::string(d.command->form)) << '\n'
        << troff(d.command->summary) << '\n';
    options(out, d.arguments);
    options(out, d.flags);
    for (std::string_view example : examples_of(d.command->name))
      out << ".PP\n.RS\n.nf\n" << troff(example) << "\n.fi\n.RE\n";
  }
}

constexpr std::pair<std::string_view, std::string_view> codes[] = {
    {"0", "done; a match was found; verdict keep"},
    {"1", "a negative answer: no match, check failed, verdict revert"},
    {"2", "usage or input error"},
    {"3", "the store is unusable"},
    {"4", "not available here: no nvcc, no GPU, no permission"},
    {"5", "remote failed: try again"},
    {"6", "some records were refused"},
    {"7", "verdict crash"},
    {"8", "verdict inconclusive"},
    {"75", "preempted: the same command goes on later"},
    {"130", "interrupted"}};

constexpr std::pair<std::string_view, std::string_view> files[] = {
    {"$XDG_DATA_HOME/explog/explog.db",
     "the database, where neither --db nor EXPLOG_DB names another; else "
     "~/.local/share/explog/explog.db. Beside it lie its journal (-wal, -shm), "
     "a lock (.lock) and the key that signs its log (.key)."},
    {"$XDG_CACHE_HOME/explog/", "compiled kernels; it may be removed at any time."},
    {"DIR/strategies/*.md, DIR/kernels/*/task.json",
     "with --data DIR: strategies and tasks of your own, which win "
     "over the built-in ones of the same name."}};

constexpr std::pair<std::string_view, std::string_view> variables[] = {
    {"EXPLOG_DB", "the database"},
    {"EXPLOG_SHIPPED", "off: the records that come with explog are not put into a database that lacks them"},
    {"EXPLOG_LABEL", "what a new database calls itself to others, instead of user@host"},
    {"XDG_DATA_HOME, XDG_CACHE_HOME", "folders of the default database and of compiled kernels"},
    {"NO_COLOR", "no colours when set"}};

template <class Table>
void section(std::ostream& out, const char* title, const Table& table) {
  out << ".SH " << title << '\n';
  for (const auto& [name, text] : table) entry(out, name, text);
}

void man(std::ostream& out, const std::vector<Described>& all) {
  out << ".TH EXPLOG 1 \"\" \"explog " << EXPLOG_VERSION
      << "\"\n.SH NAME\nexplog \\- the memory and the judge of GPU kernel optimisation\n"
         ".SH SYNOPSIS\n.B explog\n.I COMMAND\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n"
         "Records what was tried on GPU kernels and what came of it, ranks what to try next from that, and "
         "judges "
         "whether a\ncandidate is right and really faster. Every command prints text for people and, "
         "with\n.BR \\-\\-json ,\n"
         "one document for programs, whose first key is the number of its format. An error is then\n"
         "{\"format\":1,\"error\":{\"code\",\"exit\",\"message\",\"hint\",\"retryable\"}} on standard "
         "error.\n.SH OPTIONS\n";
  options(out, global_options());
  commands(out, all);
  out << ".SH WORDS\n";
  for (const Word& word : glossary()) entry(out, word.word, word.meaning);
  section(out, "FILES", files);
  section(out, "ENVIRONMENT", variables);
  section(out, "EXIT STATUS", codes);
}

}  // namespace

Action setup_man(Arguments&) {
  return [](Context& context) {
    man(context.terminal.out, describe_commands());
    return 0;
  };
}

}  // namespace explog::cli
