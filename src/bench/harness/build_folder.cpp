#include "bench/harness/build_folder.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

// $EXPLOG_COMPILE_SECONDS, else five minutes.
int compile_seconds() {
  auto given = parse_number(env("EXPLOG_COMPILE_SECONDS"));
  return given && *given >= 1 && *given <= 1e6 ? static_cast<int>(*given) : 300;
}

// Half of the memory: a source that includes an endless file ends its compiler alone.
std::size_t compiler_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) /
         2;
}

}  // namespace

BuildFolder::BuildFolder(const std::string& cache) : path_(cache + "/build-XXXXXX") {
  if (!mkdtemp(path_.data())) throw Error(Exit::unavailable, "cannot write to " + cache);
}

BuildFolder::~BuildFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void BuildFolder::write(std::string_view name, std::string_view text) const {
  fs::path file = at(name);
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.flush();
  if (!out) throw Error(Exit::unavailable, "cannot write " + file.string(), "is the disk full?");
}

void BuildFolder::link(std::string_view name, const std::string& folder) const {
  std::error_code failed;
  fs::create_directory_symlink(folder, at(name), failed);
  if (failed) throw Error(Exit::unavailable, "cannot write " + at(name) + ": " + failed.message());
}

Finished BuildFolder::run(std::vector<std::string> argv) const {
  for (std::string& word : argv) word = replace_all(word, std::string(1, here), path_);
  int seconds = compile_seconds();
  Finished done = run_program(argv, 1000 * seconds, compiler_memory());
  if (done.timed_out) done.output += "error: stopped after " + std::to_string(seconds) + " s\n";
  if (done.timed_out) done.status = 1;
  return done;
}

std::string BuildFolder::without_path(const std::string& text) const {
  return replace_all(text, path_ + "/", "");
}

std::vector<std::string> listed_dependencies(std::string_view rule) {
  std::vector<std::string> files;
  std::string word;
  auto end_word = [&] {
    if (!word.empty()) files.push_back(word);
    word.clear();
  };
  std::size_t colon = rule.find(": ");
  for (std::size_t i = colon == std::string_view::npos ? rule.size() : colon + 2; i < rule.size(); ++i) {
    char c = rule[i], next = i + 1 < rule.size() ? rule[i + 1] : '\n';
    if (c == '\\' && next == '\n') {
      ++i;
      end_word();
    } else if ((c == '\\' && (next == ' ' || next == '#')) || (c == '$' && next == '$')) {
      word += next;
      ++i;
    } else if (c == ' ' || c == '\n') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return files;
}

}  // namespace explog::bench
