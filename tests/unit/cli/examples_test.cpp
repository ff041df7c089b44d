#include "cli/examples.h"

#include <doctest/doctest.h>

#include <sstream>

#include "answers/wrap.h"
#include "cli/commands.h"
#include "cli/help.h"
#include "transcript.h"

using namespace explog;

TEST_CASE("every command has examples, and each is a line that it takes") {
  for (const cli::Command& command : cli::commands()) {
    CAPTURE(command.name);
    auto examples = cli::examples_of(command.name);
    CHECK_FALSE(examples.empty());
    for (std::string_view example : examples) {
      CAPTURE(example);
      auto words = transcript::shell_words(std::string(example));
      REQUIRE(words.size() >= 2);
      CHECK(words[0] == "explog");
      CHECK(words[1] == command.name);
      cli::Arguments arguments(std::string(command.summary), words[1]);
      cli::Action keeps_options_alive = command.setup(arguments);
      CHECK(arguments.parse({words.begin() + 2, words.end()}));
    }
  }
}

namespace {

bool names_a_file(const std::string& word) {
  static const RE2 form(".*/.*|.*\\.(cu|cpp|py|json|jsonl|md|csv|gz|db)");
  return RE2::FullMatch(word, form);
}

// MINE.cu, TASKS/*.json: to be replaced by a file of the reader's own.
bool is_placeholder(const std::string& word) {
  static const RE2 form("(dir:/)?[A-Z][A-Z0-9_]*[/.].*");
  return RE2::FullMatch(word, form);
}

}  // namespace

TEST_CASE("a file that an example reads is in a checkout, or its name is in capitals") {
  for (const cli::Command& command : cli::commands()) {
    for (std::string_view example : cli::examples_of(command.name)) {
      CAPTURE(example);
      auto words = transcript::shell_words(std::string(example));
      for (std::size_t i = 2; i < words.size(); ++i) {
        const std::string& flag = words[i - 1];
        bool written = flag == "--out" || flag == "--site" || flag == "--salvage" || flag == "--markdown";
        bool base = flag == "--base" || flag == "--sql" || flag == "--where";
        if (written || base || !names_a_file(words[i]) || is_placeholder(words[i])) continue;
        CAPTURE(words[i]);
        CHECK(std::filesystem::exists(std::string(EXPLOG_SOURCE_DIR) + "/" + words[i]));
      }
    }
  }
}

TEST_CASE("help fits the terminal and says what is required") {
  for (const cli::Command& command : cli::commands()) {
    cli::Arguments arguments(std::string(command.summary), std::string(command.name));
    cli::Action keeps_options_alive = command.setup(arguments);
    std::ostringstream out;
    cli::print_command_help(out, command, arguments, 80);
    std::string text = out.str();
    for (std::string_view line : split(text, '\n')) CHECK_MESSAGE(display_width(line) <= 80, line);
    if (command.name == "recommend") CHECK(text.find("required: kind of kernel") != std::string::npos);
  }
}

TEST_CASE("the head of a page of help fits a narrow terminal too") {
  for (const cli::Command& command : cli::commands()) {
    cli::Arguments arguments(std::string(command.summary), std::string(command.name));
    cli::Action keeps_options_alive = command.setup(arguments);
    std::ostringstream out;
    cli::print_command_help(out, command, arguments, 60);
    std::string text = out.str();
    for (const char* part : {"\nGlobal:", "\nUsage:"}) {
      for (std::string_view line : split(std::string_view(text).substr(text.find(part) + 1, 60), '\n'))
        CHECK_MESSAGE(display_width(line) <= 60, line);
    }
    CHECK(text.find('\n') <= 60);
  }
}

TEST_CASE("text is broken at blanks") {
  CHECK(answers::wrapped("a bc def", 4) == std::vector<std::string>{"a bc", "def"});
  CHECK(answers::wrapped("abcdef g", 4) == std::vector<std::string>{"abcdef", "g"});
  CHECK(answers::wrapped("", 4).empty());
}
