// man: the manual page, made from the command table and each command's own options.
#include <sstream>

#include "answers/answer.h"
#include "base/text.h"
#include "cli/described.h"
#include "cli/examples.h"
#include "cli/glossary.h"
#include "cli/help.h"
#include "cli/program_facts.h"

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

void list_commands(std::ostream& out, const std::vector<Described>& all) {
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

void section(std::ostream& out, const char* title, std::span<const Fact> facts) {
  out << ".SH " << title << '\n';
  for (const Fact& fact : facts) entry(out, fact.name, fact.meaning);
}

void man(std::ostream& out, const std::vector<Described>& all) {
  out << ".TH EXPLOG 1 \"\" \"explog " << EXPLOG_VERSION
      << "\"\n.SH NAME\nexplog \\- the memory and the judge of GPU kernel optimisation\n"
         ".SH SYNOPSIS\n.B explog\n.I COMMAND\n.RI [ OPTIONS ]\n.SH DESCRIPTION\n"
         "Records what was tried on GPU kernels and what came of it, ranks what to try next from that, and "
         "judges "
         "whether a\ncandidate is right and really faster. Every command prints text for people and, "
         "with\n.BR \\-\\-json ,\n"
         "one document for programs, whose first key is the number of its format. Standard error then has a "
         "line of JSON\nfor each thing said there: warnings are\n"
         "{\"format\":1,\"warning\":{\"code\",\"message\",\"hint\",\"retryable\"}},\n"
         "and what ends a command, the last line, is\n"
         "{\"format\":1,\"error\":{\"code\",\"exit\",\"message\",\"hint\",\"retryable\"}}.\n"
         "Codes of warnings: note, refused, nothing_found, remote, candidate_output, interrupted.\n"
         ".SH OPTIONS\n";
  options(out, global_options());
  list_commands(out, all);
  out << ".SH WORDS\n";
  for (const Word& word : glossary()) entry(out, word.word, word.meaning);
  section(out, "FILES", files());
  section(out, "ENVIRONMENT", variables());
  section(out, "EXIT STATUS", exit_codes());
}

}  // namespace

Action setup_man(Arguments&) {
  return [](Context& context) {
    std::ostringstream page;
    man(page, describe_commands());
    context.terminal.out << (context.json ? answers::answer_of({{"manual", page.str()}}) : page.str());
    return 0;
  };
}

}  // namespace explog::cli
