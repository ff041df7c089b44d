// Runs the transcripts of tests/cli in-process and compares their output to the letter.
#include "transcript.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/text.h"

namespace fs = std::filesystem;
using namespace explog;
using namespace explog::transcript;

namespace {

// The transcript as it comes out when its commands are run.
std::string replay(const std::string& script, const fs::path& folder) {
  Session session(folder);
  std::string result;
  auto lines = split(script, '\n');
  for (size_t i = 0; i < lines.size(); ++i) {
    std::string line(lines[i]);
    if (line.rfind("#: ", 0) == 0) result += line + "\n";
    if (line.rfind("$ ", 0) != 0) continue;
    result += line + "\n";
    std::string command = line.substr(2), input;
    if (size_t at = command.find(" << "); at != std::string::npos) {
      std::string end = command.substr(at + 4);
      command = command.substr(0, at);
      for (++i; i < lines.size() && lines[i] != end; ++i) input += std::string(lines[i]) + "\n";
      result += input + end + "\n";
    } else if (size_t file = command.find(" < "); file != std::string::npos) {
      input = slurp(fs::path(EXPLOG_SOURCE_DIR) / "tests/data" / command.substr(file + 3));
      command = command.substr(0, file);
    }
    result += session.run(command, input);
  }
  return result;
}

}  // namespace

TEST_CASE("transcripts") {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(EXPLOG_SOURCE_DIR) / "tests/cli")) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  REQUIRE(files.size() >= 10);
  for (const fs::path& file : files) {
    CAPTURE(file);
    fs::path folder = fs::temp_directory_path() /
                      ("explog-transcript-" + std::to_string(getpid()) + "-" + file.stem().string());
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::path before = fs::current_path();
    fs::create_directory_symlink(fs::path(EXPLOG_SOURCE_DIR) / "tests/data", folder / "data");
    fs::current_path(folder);
    setenv("EXPLOG_DB", (folder / "test.db").c_str(), 1);
    setenv("EXPLOG_PYTHON", "/no/python", 1);  // doctor's answer would name this machine's
    setenv("EXPLOG_NVMMH", "/no/heuristics.so", 1);
    std::string expected = slurp(file);
    std::string got = replay(expected, folder);
    fs::current_path(before);
    fs::remove_all(folder);
    if (std::getenv("EXPLOG_UPDATE") != nullptr) {
      std::ofstream(file, std::ios::binary) << got;
    } else {
      CHECK(got == expected);
    }
  }
}
