// completion and man: made from the command table and each command's own options.
#include <fmt/format.h>

#include <memory>

#include "base/text.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct Flag {
  std::vector<std::string> names;  // with dashes
  std::string help, value;
};

struct Described {
  const Command* command;
  std::vector<Flag> flags;
};

std::vector<Described> describe_all() {
  std::vector<Described> all;
  for (const Command& command : commands()) {
    CLI::App app{std::string(command.summary), std::string(command.name)};
    Context unused{nullptr, std::cout, std::cerr, {}, false, 100, "", "", false, false, false};
    add_global_flags(app, unused);
    Action keeps_options_alive = command.setup(app);
    Described described{&command, {}};
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional()) continue;
      Flag flag{{}, option->get_description(), option->get_type_size() == 0 ? "" : option->get_type_name()};
      for (const std::string& name : option->get_snames()) flag.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) flag.names.push_back("--" + name);
      described.flags.push_back(std::move(flag));
    }
    all.push_back(std::move(described));
  }
  return all;
}

std::string words(const Described& d) {
  std::string text;
  for (const Flag& flag : d.flags) text += (text.empty() ? "" : " ") + join(flag.names, " ");
  return text;
}

std::string shell_quoted(const std::string& text) { return "'" + replace_all(text, "'", "'\\''") + "'"; }

void bash(std::ostream& out, const std::vector<Described>& all) {
  out << "# explog completion for bash: source <(explog completion bash)\n"
         "_explog() {\n  local word=${COMP_WORDS[COMP_CWORD]} command=\n  local i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in -*) ;; *) "
         "command=${COMP_WORDS[i]}; break ;; esac\n  done\n"
         "  case $command in\n";
  std::string names;
  for (const Described& d : all) {
    out << "    " << d.command->name << ") COMPREPLY=($(compgen -W \"" << words(d)
        << "\" -- \"$word\")) ;;\n";
    names += std::string(names.empty() ? "" : " ") + std::string(d.command->name);
  }
  out << "    *) COMPREPLY=($(compgen -W \"" << names
      << " --help --version\" -- \"$word\")) ;;\n  esac\n"
         "  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
         "complete -o filenames -F _explog explog\n";
}

void zsh(std::ostream& out, const std::vector<Described>& all) {
  out << "#compdef explog\n# explog completion for zsh: put it on $fpath as _explog\n_explog() {\n  local -a "
         "commands=(\n";
  for (const Described& d : all)
    out << "    " << shell_quoted(std::string(d.command->name) + ":" + std::string(d.command->summary))
        << '\n';
  out << "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  case $words[2] in\n";
  for (const Described& d : all) {
    out << "    " << d.command->name << ") _arguments";
    for (const Flag& flag : d.flags) {
      std::string help = replace_all(replace_all(replace_all(flag.help, "[", "("), "]", ")"), ":", ",");
      for (const std::string& name : flag.names)
        out << " \\\n      "
            << shell_quoted(name + "[" + help + "]" + (flag.value.empty() ? "" : ":value:_files"));
    }
    out << " \\\n      '*:file:_files' ;;\n";
  }
  out << "  esac\n}\n_explog \"$@\"\n";
}

void fish(std::ostream& out, const std::vector<Described>& all) {
  out << "# explog completion for fish: explog completion fish > ~/.config/fish/completions/explog.fish\n";
  for (const Described& d : all) {
    out << "complete -c explog -n __fish_use_subcommand -a " << d.command->name << " -d "
        << shell_quoted(std::string(d.command->summary)) << '\n';
    for (const Flag& flag : d.flags) {
      out << "complete -c explog -n '__fish_seen_subcommand_from " << d.command->name << "'";
      for (const std::string& name : flag.names)
        out << (name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1));
      out << (flag.value.empty() ? "" : " -r") << " -d " << shell_quoted(flag.help) << '\n';
    }
  }
}

std::string troff(const std::string& text) {
  std::string safe = replace_all(replace_all(text, "\\", "\\e"), "-", "\\-");
  return !safe.empty() && (safe[0] == '.' || safe[0] == '\'') ? "\\&" + safe : safe;
}

void man(std::ostream& out, const std::vector<Described>& all) {
  out << ".TH EXPLOG 1 \"\" \"explog " << EXPLOG_VERSION
      << "\"\n.SH NAME\nexplog \\- the memory and the judge of GPU kernel optimisation\n"
         ".SH SYNOPSIS\n.B explog\n.I COMMAND\n.RI [ OPTIONS ]\n.SH COMMANDS\n";
  for (const Described& d : all) {
    out << ".SS explog " << troff(std::string(d.command->name) + " " + std::string(d.command->form)) << '\n'
        << troff(std::string(d.command->summary)) << '\n';
    for (const Flag& flag : d.flags) {
      out << ".TP\n.B " << troff(join(flag.names, ", "))
          << (flag.value.empty() ? "" : " \\fI" + troff(flag.value) + "\\fR") << '\n'
          << troff(flag.help.empty() ? "(no description)" : flag.help) << '\n';
    }
  }
  out << ".SH EXIT STATUS\n";
  for (auto [code, meaning] : {std::pair(0, "done; a match was found"),
                               {1, "a negative answer"},
                               {2, "usage or input error"},
                               {3, "the store is unusable"},
                               {4, "not available here"},
                               {5, "remote failed"},
                               {6, "some records were refused"},
                               {7, "verdict crash"},
                               {8, "verdict inconclusive"},
                               {130, "interrupted"}}) {
    out << ".TP\n.B " << code << '\n' << meaning << '\n';
  }
  out << ".SH ENVIRONMENT\n.TP\n.B EXPLOG_DB\nthe database\n.TP\n.B XDG_DATA_HOME\nfolder of the default "
         "database\n.TP\n.B NO_COLOR\nno colours when set\n";
}

}  // namespace

Action setup_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  app.add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember({"bash", "zsh", "fish"}));
  return [shell](Context& context) {
    auto all = describe_all();
    if (*shell == "bash") bash(context.out, all);
    if (*shell == "zsh") zsh(context.out, all);
    if (*shell == "fish") fish(context.out, all);
    return 0;
  };
}

Action setup_man(CLI::App&) {
  return [](Context& context) {
    man(context.out, describe_all());
    return 0;
  };
}

}  // namespace explog::cli
