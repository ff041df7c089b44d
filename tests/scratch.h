// A folder of its own for a test, removed with it.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

class Scratch {
 public:
  Scratch() {
    std::string form = (std::filesystem::temp_directory_path() / "explog-test-XXXXXX").string();
    path_ = mkdtemp(form.data());
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};
