// The options of one command, as CLI11 parses them. CLI11's header takes ten seconds a file to compile, so
// only arguments.cpp sees it.
#pragma once
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace explog::cli {

// What one option is, for help, completions, the manual and hints.
struct OptionInfo {
  std::vector<std::string> names;  // "-n", "--limit"; empty for a positional argument
  std::string help, value;         // value: "" for a flag
  std::string group;               // heading of --help; "" where options have none
  std::string fallback;            // the value without it
  bool required = false, many = false;
  std::vector<std::string> words;  // all values there are, where that is a closed list
  std::string kind;                // else what is named: a row of `completion --values`, as "strategies"
};

// An option that was declared; each function narrows what it takes and returns it again.
class Option {
 public:
  Option(CLI::Option* option, OptionInfo& info) : option_(option), info_(&info) {}
  Option type_name(const std::string& name);  // what --help calls the value
  Option group(const std::string& title);     // the heading of --help under which it stands
  Option required(bool value = true);
  Option needed(
      bool is = true);       // --help says "required"; the command itself refuses when nothing else gives it
  Option show_default();     // --help prints the variable's value
  Option repeatable();       // one value a use, as many uses as wanted
  Option one_word();         // of a list: a use takes the word behind it and no more
  Option delimiter(char c);  // "a,b" is two values
  Option one_of(const std::vector<std::string>& words);
  Option suggests(const std::vector<std::string>& words);  // for completion; others are taken too
  Option names_a(const std::string& kind);                 // of things that `completion --values KIND` lists
  Option filled();  // an empty text, which a script's empty variable makes, is refused
  Option positive();
  Option zero_or_more();  // of things and seconds: says so in words of its own

 private:
  CLI::Option* option_;
  OptionInfo* info_;
};

class Arguments {
 public:
  Arguments(const std::string& summary, const std::string& command);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // `names` as CLI11 writes them: "-n,--limit", or "file" for a positional argument. The variable is written
  // when the command line is parsed and must live until then.
  Option option(const std::string& names, std::string& value, const std::string& help);
  Option option(const std::string& names, std::optional<std::string>& value, const std::string& help);
  Option option(const std::string& names, std::vector<std::string>& values, const std::string& help);
  Option option(const std::string& names, double& value, const std::string& help);
  Option option(const std::string& names, int& value, const std::string& help);
  Option option(const std::string& names, std::int64_t& value, const std::string& help);
  Option option(const std::string& names, std::size_t& value, const std::string& help);
  Option option(const std::string& names, std::vector<int>& values, const std::string& help);
  Option flag(const std::string& names, bool& value, const std::string& help);
  // "--profile{cupti}" alone sets "cupti", "--profile=ncu" sets "ncu".
  Option flag(const std::string& names, std::string& value, const std::string& help);
  Option declared(const std::string& name);  // one that was declared before

  // A word that no option takes was meant for this one: the hint says so.
  void stray_words_are_for(const std::string& option);
  // Words like -this, which no option takes, are added to `words`.
  void minus_words_go_to(std::vector<std::string>& words);
  void allow_extras();  // words that no option takes are kept in extras()
  std::vector<std::string> extras() const;
  std::vector<OptionInfo> options() const;
  std::vector<std::string> long_names() const;  // "--limit", for hints

  // Sets the variables. False: --help was asked for. Throws Error(usage) that names the command and what is
  // wrong.
  bool parse(std::vector<std::string> words);
  const std::string& summary() const { return summary_; }

 private:
  Option add(CLI::Option* option);
  [[noreturn]] void refuse(const std::string& message, const std::string& stray) const;
  std::string in_plain_words(const std::string& message) const;
  std::string as_help_calls_it(std::string message) const;
  void refuse_options_as_values(const std::vector<std::string>& words) const;
  void take_minus_words();

  std::unique_ptr<CLI::App> app_;
  std::string summary_, command_, stray_option_;
  std::vector<std::string>* minus_words_ = nullptr;
  std::deque<OptionInfo> infos_;  // in the order of declaration; options hold on to theirs
};

}  // namespace explog::cli
