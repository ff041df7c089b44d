#include "cli/shells.h"

#include "base/process.h"
#include "base/text.h"

namespace explog::cli {
namespace {

std::vector<OptionInfo> all_flags(const Described& d) {
  std::vector<OptionInfo> flags = d.flags;
  for (OptionInfo& option : global_options()) flags.push_back(std::move(option));
  return flags;
}

// Shell words that make the list of values of an option: written out where it is closed, else asked of explog.
std::string values(const OptionInfo& option, const std::string& program) {
  if (!option.words.empty()) return join(option.words, " ");
  return option.kind.empty() ? "" : "$(" + program + " completion --values " + option.kind + " 2>/dev/null)";
}

void bash_command(std::ostream& out, const Described& d) {
  std::string words, positional;
  for (const OptionInfo& flag : all_flags(d)) {
    words += (words.empty() ? "" : " ") + join(flag.names, " ");
    if (std::string list = values(flag, "\"$explog\""); !list.empty())
      out << "    " << d.command->name << ":" << join(flag.names, "|" + std::string(d.command->name) + ":")
          << ") " << (flag.words.empty() ? "local IFS=$'\\n'; " : "") << "COMPREPLY=($(compgen -W \"" << list
          << "\" -- \"$word\")); return ;;\n";
  }
  for (const OptionInfo& argument : d.arguments) positional += " " + values(argument, "\"$explog\"");
  out << "    " << d.command->name << ":-*|" << d.command->name << ":*) [[ $word == -* ]] && list=\"" << words
      << "\" || list=\"" << trim(positional) << "\" ;;\n";
}

// What zsh's _arguments does with a value: a list, or files.
std::string zsh_action(const OptionInfo& option) {
  std::string list = values(option, "explog");
  if (option.words.empty() && !list.empty()) return "{compadd -- ${(f)\"" + list + "\"}}";
  return list.empty() ? "_files" : "(" + list + ")";
}

}  // namespace

void print_bash(std::ostream& out, const std::vector<Described>& all) {
  out << "# explog completion for bash: source <(explog completion bash)\n"
         "_explog() {\n  local word=${COMP_WORDS[COMP_CWORD]//\\\\/} before=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  local explog=${COMP_WORDS[0]} command= list= i\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n    case ${COMP_WORDS[i]} in -*) ;; *) "
         "command=${COMP_WORDS[i]}; break ;; esac\n  done\n"
         "  case $command:$before in\n";
  std::string names;
  for (const Described& d : all) {
    bash_command(out, d);
    names += std::string(names.empty() ? "" : " ") + std::string(d.command->name);
  }
  out << "    help:*) list=\"words " << names << "\" ;;\n    *) list=\"" << names
      << " help --help --version\" ;;\n  esac\n"
         "  COMPREPLY=($(compgen -W \"$list\" -- \"$word\"))\n"
         "  [[ $word == -* ]] || COMPREPLY+=($(compgen -f -- \"$word\"))\n}\n"
         "complete -o filenames -F _explog explog\n";
}

void print_zsh(std::ostream& out, const std::vector<Described>& all) {
  out << "#compdef explog\n# explog completion for zsh: put it on $fpath as _explog\n_explog() {\n  local -a "
         "commands=(\n";
  for (const Described& d : all)
    out << "    " << shell_quoted(std::string(d.command->name) + ":" + std::string(d.command->summary))
        << '\n';
  out << "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n  case $words[2] in\n";
  for (const Described& d : all) {
    out << "    " << d.command->name << ") _arguments ':command:'";
    for (const OptionInfo& flag : all_flags(d)) {
      std::string help = replace_all(replace_all(replace_all(flag.help, "[", "("), "]", ")"), ":", ",");
      for (const std::string& name : flag.names)
        out << " \\\n      "
            << shell_quoted(name + "[" + help + "]" +
                            (flag.value.empty() ? "" : ":value:" + zsh_action(flag)));
    }
    std::string rest = d.arguments.empty() ? "_files" : zsh_action(d.arguments.back());
    if (d.arguments.size() > 1) out << " \\\n      " << shell_quoted(":first:" + zsh_action(d.arguments[0]));
    out << " \\\n      " << shell_quoted("*:argument:" + rest) << " ;;\n";
  }
  out << "  esac\n}\n_explog \"$@\"\n";
}

void print_fish(std::ostream& out, const std::vector<Described>& all) {
  out << "# explog completion for fish: explog completion fish > ~/.config/fish/completions/explog.fish\n";
  auto list_of = [](const OptionInfo& option) {
    std::string list = values(option, "explog");
    return list.starts_with("$(") ? list.substr(1) : list;  // (command) in fish
  };
  for (const Described& d : all) {
    std::string seen = " -n '__fish_seen_subcommand_from " + std::string(d.command->name) + "'";
    out << "complete -c explog -n __fish_use_subcommand -a " << d.command->name << " -d "
        << shell_quoted(std::string(d.command->summary)) << '\n';
    for (const OptionInfo& argument : d.arguments) {
      if (std::string list = list_of(argument); !list.empty())
        out << "complete -c explog" << seen << " -a " << shell_quoted(list) << '\n';
    }
    for (const OptionInfo& flag : all_flags(d)) {
      out << "complete -c explog" << seen;
      for (const std::string& name : flag.names)
        out << (name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1));
      std::string list = list_of(flag);
      out << (flag.value.empty() ? "" : " -r") << (list.empty() ? "" : " -a " + shell_quoted(list)) << " -d "
          << shell_quoted(flag.help) << '\n';
    }
  }
}

}  // namespace explog::cli
