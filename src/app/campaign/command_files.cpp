#include "app/campaign/command_files.h"

#include <algorithm>
#include <filesystem>

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view between_words = " \t\n;|&<>()", quotes = "'\"`", within_words = "$={}:,";

bool is_one_of(char c, std::string_view signs) { return signs.find(c) != std::string_view::npos; }

// Split at these signs, quotes removed.
std::vector<std::string> split_at(const std::string& text, const std::string& signs) {
  std::vector<std::string> words(1);
  for (char c : text) {
    if (is_one_of(c, signs))
      words.emplace_back();
    else
      words.back() += c;
  }
  std::erase(words, "");
  return words;
}

// As a shell takes them apart: what is quoted is one word.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words(1);
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size();
    if (escapes)
      words.back() += command[++i];
    else if (quote != 0 ? c == quote : is_one_of(c, quotes))
      quote = quote != 0 ? '\0' : c;
    else if (quote == 0 && is_one_of(c, between_words))
      words.emplace_back();
    else
      words.back() += c;
  }
  std::erase(words, "");
  return words;
}

// Words, then what stands within them.
std::vector<std::string> names_in(const std::string& command) {
  std::vector<std::string> names = words_of(command);
  const std::string apart = std::string(between_words) + std::string(quotes);
  for (const std::string& signs : {apart, apart + std::string(within_words)}) {
    for (std::string& part : split_at(command, signs)) names.push_back(std::move(part));
  }
  return names;
}

}  // namespace

std::vector<std::string> files_named_in(const std::string& command, const std::string& folder) {
  const std::vector<std::string> names = names_in(command);
  std::error_code none;
  std::vector<fs::path> folders = {folder};
  for (const std::string& name : names) {
    if (fs::is_directory(fs::path(folder) / name, none)) folders.push_back(fs::path(folder) / name);
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    for (const fs::path& in : folders) {
      const std::string file = (in / name).string();
      const bool known = std::find(files.begin(), files.end(), file) != files.end();
      if (!known && fs::is_regular_file(file, none)) files.push_back(file);
    }
  }
  return files;
}

}  // namespace explog::app
