// Command lines of a transcript or a page, run in this process as a shell would run them.
#pragma once
#include <doctest/doctest.h>
#include <re2/re2.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/run.h"

namespace explog::transcript {

inline std::string slurp(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Splits a command line at blanks; single and double quotes hold words together.
inline std::vector<std::string> shell_words(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (char c : line) {
    if (quote != 0) {
      quote == c ? quote = 0 : (word += c, 0);
    } else if (c == '\'' || c == '"') {
      quote = c;
      open = true;
    } else if (c == ' ') {
      if (open || !word.empty()) words.push_back(std::exchange(word, ""));
      open = false;
    } else {
      word += c;
    }
  }
  if (open || !word.empty()) words.push_back(word);
  return words;
}

class Session {
 public:
  explicit Session(const std::filesystem::path& folder) : folder_(folder) {}

  // Runs one command line (behind "$ "); `input` is its standard input.
  std::string run(std::string line, const std::string& input) {
    for (const auto& [id, name] : names_) {
      line = replace_all(line, "<ID" + name + ">", id);
    }
    for (const auto& [origin, name] : origins_) {
      line = replace_all(line, "<ORIGIN" + name + ">", origin);
    }
    auto words = shell_words(line);
    REQUIRE(words.size() >= 1);
    int width = 0;
    if (words[0].starts_with("COLUMNS=")) {
      width = std::stoi(words[0].substr(8));
      words.erase(words.begin());
      REQUIRE(words.size() >= 1);
    }
    REQUIRE(words[0] == "explog");
    std::istringstream in(input);
    std::ostringstream out, err;
    clock_ms_ += 1000;
    cli::Context context{.in = &in, .terminal = {.out = out, .err = err}, .no_color = true};
    if (width > 0) context.terminal.interactive = true, context.terminal.width = width;
    context.session.clock = [this] { return clock_ms_; };
    int code = cli::run({words.begin() + 1, words.end()}, context);
    std::string text = out.str();
    if (!text.empty() && text.back() != '\n') text += "\n";
    std::string errors = err.str();
    for (std::string_view error : split(errors, '\n')) {
      if (!error.empty()) text += "! " + std::string(error) + "\n";
    }
    if (code != 0) text += "[exit " + std::to_string(code) + "]\n";
    return with_names(text);
  }

 private:
  // Version 7 ids are random: they are named in the order they appear, whole (<ID1>) or by their first 18
  // characters (<id1>).
  std::string with_names(std::string text) {
    static const RE2 form("([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3})(-[89ab][0-9a-f]{3}-[0-9a-f]{12})?");
    re2::StringPiece rest(text);
    std::string head, tail;
    while (RE2::FindAndConsume(&rest, form, &head, &tail)) {
      if (names_.count(head) == 0) names_[head] = std::to_string(names_.size() + 1);
      if (!tail.empty()) text = replace_all(text, head + tail, "<ID" + names_[head] + ">");
      rest = text;
      if (tail.empty()) text = replace_all(text, head, "<id" + names_[head] + ">");
      rest = text;
    }
    static const RE2 campaign("([a-z_]+-20260102-[0-9]{6}-)[0-9a-f]{6}\\b");
    RE2::GlobalReplace(&text, campaign, "\\1<HEX>");
    return with_origins(replace_all(text, folder_.string(), "<DIR>"));
  }

  // Origins are random too: their first 12 digits at the beginning of a line or behind "records of", or all 32 as JSON.
  std::string with_origins(std::string text) {
    static const RE2 form("(?m)(?:^|\"origin\":\"|records of )([0-9a-f]{12})(?:  |[0-9a-f]{20}\"| is |: )");
    re2::StringPiece rest(text);
    std::string origin;
    while (RE2::FindAndConsume(&rest, form, &origin)) {
      if (origins_.count(origin) == 0) origins_[origin] = std::to_string(origins_.size() + 1);
    }
    for (const auto& [known, name] : origins_) text = replace_all(text, known, "<ORIGIN" + name + ">");
    return text;
  }

  std::filesystem::path folder_;
  std::map<std::string, std::string> origins_;  // first 12 digits -> number
  std::map<std::string, std::string> names_;    // first 18 characters of an id -> its number
  std::int64_t clock_ms_ = 1767323045000;       // 2026-01-02 03:04:05 UTC
};

}  // namespace explog::transcript
