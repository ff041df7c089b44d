#include "bench/harness/compiler_controls.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_controls = 63;  // a knob has 64 values

// As it is: its format is nobody's business here.
double number_of_content(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad() || !in.is_open()) throw Error(Exit::usage, "--controls: cannot read " + printable(path));
  Bytes16 digest = blake2b_128(bytes);
  return 1 + ((digest[0] << 16) | (digest[1] << 8) | digest[2]);
}

bool is_controls_name(std::string_view name) { return name.ends_with(".acf") || name.ends_with(".ctl"); }

std::vector<std::string> paths_of(const std::string& words) {
  std::error_code ignored;
  if (fs::is_regular_file(words, ignored)) return {words};
  fs::path folder = words, pattern;
  std::size_t star = words.rfind('*');
  if (star != std::string::npos) pattern = folder.filename(), folder = folder.parent_path();
  if (folder.empty()) folder = ".";
  std::vector<std::string> paths;
  if (!fs::is_directory(folder, ignored)) return paths;
  std::string name = pattern.string();
  for (const std::string& path : files_in(folder.string())) {
    std::string file = fs::path(path).filename().string();
    std::size_t at = name.find('*');
    bool fits = at == std::string::npos
                    ? is_controls_name(file)
                    : file.size() + 1 >= name.size() && file.starts_with(name.substr(0, at)) &&
                          file.ends_with(name.substr(at + 1));
    if (fits) paths.push_back(path);
  }
  return paths;
}

}  // namespace

std::vector<ControlFile> find_controls(const std::string& words) {
  std::vector<ControlFile> files;
  for (const std::string& path : paths_of(words)) {
    ControlFile file{fs::absolute(path).string(), number_of_content(path)};
    bool again = std::any_of(files.begin(), files.end(),
                             [&](const ControlFile& f) { return f.number == file.number; });
    if (!again) files.push_back(std::move(file));
  }
  if (files.empty())
    throw Error(Exit::usage, "--controls: no file fits '" + words + "'",
                "--controls 'packs/*.acf', a folder, or a file");
  if (files.size() > most_controls)
    throw Error(Exit::usage,
                "--controls: " + std::to_string(files.size()) + " files, and a knob has at most 64 values",
                "name fewer: --controls 'packs/gemm*.acf'");
  return files;
}

void require_controls(const std::string& nvcc, const std::string& version) {
  Finished run = run_program({nvcc, "--help"}, 20'000);
  if (run.status == 0 && run.output.find("--apply-controls") != std::string::npos) return;
  throw Error(Exit::unavailable, "--controls: nvcc of " + printable(version) + " has no --apply-controls",
              "CUDA 13.3 and later have it; $EXPLOG_NVCC names another nvcc");
}

SourceFile with_controls(SourceFile source, const Settings& settings, const std::vector<ControlFile>& files) {
  for (const auto& [name, value] : settings) {
    if (name != controls_knob) continue;
    auto file = std::find_if(files.begin(), files.end(),
                             [&number = value](const ControlFile& f) { return Scalar(f.number) == number; });
    if (file != files.end()) source.flags = {"--apply-controls", file->path};
  }
  return source;
}

}  // namespace explog::bench
