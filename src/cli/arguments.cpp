#include "cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/text.h"

namespace explog::cli {
namespace {

std::string last_option_in(const std::string& message) {
  std::string found;
  for (std::string_view word : split(message, ' ')) {
    if (word.substr(0, 2) == "--") found = word.substr(0, word.find('='));
  }
  return found;
}

// A number as text that is at least `least`, or above it where `above`.
CLI::Validator number_from(double least, bool above, const char* name) {
  auto check = [=](std::string& text) {
    auto value = parse_number(text);
    if (value && (above ? *value > least : *value >= least)) return std::string();
    return "'" + printable(text) + "' is not a number " + (above ? "above " : "of ") + number_text(least) +
           (above ? "" : " or more");
  };
  return {check, "", name};
}

}  // namespace

Option Option::type_name(const std::string& name) {
  return option_->type_name(name), info_->value = name, *this;
}
Option Option::group(const std::string& title) { return info_->group = title, *this; }
Option Option::required(bool value) { return option_->required(value), info_->required = value, *this; }
Option Option::needed(bool is) { return info_->required = is, *this; }
Option Option::delimiter(char c) { return option_->delimiter(c), *this; }
Option Option::positive() { return option_->check(number_from(0, true, "positive")), *this; }
Option Option::zero_or_more() { return option_->check(number_from(0, false, "zero_or_more")), *this; }
Option Option::filled() {
  auto check = [](std::string& text) {
    return trim(text).empty() ? std::string("it is empty") : std::string();
  };
  option_->check(CLI::Validator(check, "", "filled"));
  return *this;
}
Option Option::repeatable() { return option_->take_all()->expected(1), info_->many = true, *this; }
Option Option::suggests(const std::vector<std::string>& words) { return info_->words = words, *this; }
Option Option::names_a(const std::string& kind) { return info_->kind = kind, *this; }

Option Option::show_default() {
  option_->capture_default_str();
  info_->fallback = option_->get_default_str();
  return *this;
}

Option Option::one_word() {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) {
  info_->words = words;
  if (info_->value == "TEXT") info_->value = "WORD";
  auto check = [words](std::string& text) {
    if (std::find(words.begin(), words.end(), text) != words.end()) return std::string();
    return "'" + printable(text) + "' is not one of " + join(words, ", ") + did_you_mean(text, words);
  };
  option_->check(CLI::Validator(check, "", "one_of"));
  return *this;
}

Arguments::Arguments(const std::string& summary, const std::string& command)
    : app_(std::make_unique<CLI::App>(summary, "explog " + command)), summary_(summary), command_(command) {}
Arguments::~Arguments() = default;

Option Arguments::option(const std::string& names, std::string& value, const std::string& help) {
  return add(app_->add_option(names, value, help));
}
Option Arguments::option(const std::string& names, std::optional<std::string>& value,
                         const std::string& help) {
  return add(app_->add_option(names, value, help));
}
Option Arguments::option(const std::string& names, std::vector<std::string>& values,
                         const std::string& help) {
  return add(app_->add_option(names, values, help));
}
Option Arguments::option(const std::string& names, double& value, const std::string& help) {
  return add(app_->add_option(names, value, help));
}
Option Arguments::option(const std::string& names, int& value, const std::string& help) {
  return add(app_->add_option(names, value, help));
}
Option Arguments::option(const std::string& names, std::int64_t& value, const std::string& help) {
  return add(app_->add_option(names, value, help));
}
Option Arguments::option(const std::string& names, std::size_t& value, const std::string& help) {
  return add(app_->add_option(names, value, help));
}
Option Arguments::option(const std::string& names, std::vector<int>& values, const std::string& help) {
  return add(app_->add_option(names, values, help));
}
Option Arguments::flag(const std::string& names, bool& value, const std::string& help) {
  return add(app_->add_flag(names, value, help));
}
Option Arguments::flag(const std::string& names, std::string& value, const std::string& help) {
  return add(app_->add_flag(names, value, help));
}

Option Arguments::add(CLI::Option* option) {
  OptionInfo& info = infos_.emplace_back();
  info.help = option->get_description();
  info.value = option->get_type_size() == 0 ? "" : option->get_type_name();
  if (info.value == "INT" || info.value == "UINT" || info.value == "FLOAT") info.value = "N";
  info.many = option->get_items_expected_max() > 1;
  if (!option->get_positional()) {
    for (const std::string& name : option->get_snames()) info.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) info.names.push_back("--" + name);
  }
  return {option, info};
}

Option Arguments::declared(const std::string& name) {
  const CLI::Option* option = app_->get_option(name);
  std::size_t at = 0;
  for (const CLI::Option* one : app_->get_options()) {
    if (one == app_->get_help_ptr()) continue;
    if (one == option) break;
    ++at;
  }
  return {app_->get_option(name), infos_.at(at)};
}

void Arguments::stray_words_are_for(const std::string& option) { stray_option_ = option; }
void Arguments::minus_words_go_to(std::vector<std::string>& words) {
  minus_words_ = &words;
  allow_extras();
}
void Arguments::allow_extras() { app_->allow_extras(); }
std::vector<std::string> Arguments::extras() const { return app_->remaining(); }
std::vector<OptionInfo> Arguments::options() const { return {infos_.begin(), infos_.end()}; }

std::vector<std::string> Arguments::long_names() const {
  std::vector<std::string> list;
  for (const CLI::Option* option : app_->get_options()) {
    for (const std::string& name : option->get_lnames()) list.push_back("--" + name);
  }
  return list;
}

// CLI11's "Could not convert: --limit = 1.5" and "--out: 1 required FILE missing".
std::string Arguments::in_plain_words(const std::string& message) const {
  constexpr std::string_view conversion = "Could not convert: ";
  if (std::size_t equals = message.find(" = ");
      message.starts_with(conversion) && equals != std::string::npos)
    return message.substr(conversion.size(), equals - conversion.size()) + ": '" +
           printable(message.substr(equals + 3)) + "' is no whole number, or too large";
  if (std::size_t at = message.find(": 1 required ");
      at != std::string::npos && message.ends_with(" missing"))
    return message.substr(0, at) + " has no value";
  return as_help_calls_it(message);
}

// "what is required" is about the argument that --help calls ID|FILE.
std::string Arguments::as_help_calls_it(std::string message) const {
  std::size_t at = 0;
  for (const CLI::Option* option : app_->get_options()) {
    if (option == app_->get_help_ptr()) continue;
    const OptionInfo& info = infos_.at(at++);
    const std::string name = option->get_name();
    bool about_it = message.starts_with(name + " is required") || message == name + ": it is empty";
    if (option->get_positional() && about_it) return info.value + message.substr(name.size());
  }
  return message;
}

// CLI11 takes the word behind an option as its value, also where that is another option: `--kernel --json`.
void Arguments::refuse_options_as_values(const std::vector<std::string>& words) const {
  auto named = [&](const std::string& word) {
    return std::find_if(infos_.begin(), infos_.end(), [&](const OptionInfo& info) {
      return std::find(info.names.begin(), info.names.end(), word) != info.names.end();
    });
  };
  for (std::size_t i = 0; i + 1 < words.size() && words[i] != "--"; ++i) {
    auto option = named(words[i]);
    if (option == infos_.end() || option->value.empty()) continue;
    if (named(words[i + 1]) == infos_.end()) {
      ++i;  // its value
      continue;
    }
    throw Error(Exit::usage,
                command_ + ": " + words[i] + " has no value: behind it stands the option " + words[i + 1],
                "explog " + command_ + " " + words[i] + " " + option->value +
                    "; a value that looks so: " + words[i] + "=" + words[i + 1]);
  }
}

void Arguments::take_minus_words() {
  for (const std::string& word : extras()) {
    if (word.starts_with("--")) refuse("", word);
    minus_words_->push_back(word);
  }
}

bool Arguments::parse(std::vector<std::string> words) {
  refuse_options_as_values(words);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app_->parse(words);
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& e) {
    bool extras = dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr;
    std::string message = in_plain_words(e.what());
    refuse(message, extras ? std::string(trim(message.substr(message.find(':') + 1))) : "");
  }
  if (minus_words_ != nullptr) take_minus_words();
  return true;
}

// CLI11 names what is wrong; an unknown option gets the nearest one added. `stray`: the words that no option takes.
void Arguments::refuse(const std::string& message, const std::string& stray) const {
  std::string what = message, hint = "explog " + command_ + " --help", unknown = last_option_in(stray);
  if (!unknown.empty()) {
    what = "unknown option " + printable(unknown) + did_you_mean(unknown, long_names());
  } else if (!stray.empty()) {
    what = "unexpected argument: " + printable(stray);
    if (!stray_option_.empty()) hint = "explog " + command_ + " " + stray_option_ + " " + printable(stray);
  }
  throw Error(Exit::usage, command_ + ": " + what, hint);
}

}  // namespace explog::cli
