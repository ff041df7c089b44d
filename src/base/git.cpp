#include "base/git.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/hash.h"
#include "base/process.h"
#include "base/text.h"

namespace explog {
namespace {

constexpr int patience_ms = 60'000;

// An index of our own, for as long as one commit is made.
struct PrivateIndex {
  std::string path =
      (std::filesystem::temp_directory_path() / ("explog-index-" + hex(random_bytes16()))).string();
  ~PrivateIndex() {
    std::error_code none;
    for (const char* ending : {"", ".lock"}) std::filesystem::remove(path + ending, none);
  }
};

}  // namespace

std::optional<GitRepository> GitRepository::around(const std::string& folder) {
  auto program = find_program("git");
  if (!program) return std::nullopt;
  Finished found = run_program({*program, "-C", folder, "rev-parse", "--show-toplevel"}, patience_ms);
  if (found.status != 0) return std::nullopt;
  return GitRepository(*program, std::string(trim(found.output)));
}

std::string GitRepository::run(const std::vector<std::string>& words, const std::string& index) const {
  std::vector<std::string> argv = {"/usr/bin/env", "GIT_INDEX_FILE=" + index, program_, "-C", root_};
  if (index.empty()) argv = {program_, "-C", root_};
  argv.insert(argv.end(), words.begin(), words.end());
  Finished done = run_program(argv, patience_ms);
  if (done.status == 0) return std::string(trim(done.output));
  throw Error(Exit::unavailable, "git " + words.front() + ": " + printable(trim(done.output)));
}

std::string GitRepository::commit_of(const std::string& name) const {
  Finished found = run_program(
      {program_, "-C", root_, "rev-parse", "--verify", "--quiet", name + "^{commit}"}, patience_ms);
  return found.status == 0 ? std::string(trim(found.output)) : "";
}

std::string GitRepository::revision_of(const std::string& file) const {
  std::string head = commit_of("HEAD");
  if (head.empty()) return "";
  // Neither the index is written nor a program run that the repository's own settings name.
  std::string changed = run({"--no-optional-locks", "-c", "core.fsmonitor=false", "status", "--porcelain",
                             "--ignored", "--", file});
  return changed.empty() ? head : head + "-dirty";
}

// "100644 blob HEX<tab>PATH"; empty where the commit has no such file.
std::string GitRepository::entry_of(const std::string& path, const std::string& commit) const {
  return run({"ls-tree", commit, "--", ":(top,literal)" + path});
}

// With the changes of line ends that the repository asks for.
std::string GitRepository::blob_of(const File& file) const {
  return run({"-c", "core.safecrlf=false", "hash-object", "-w", "--path", file.path, "--", file.from});
}

bool GitRepository::holds(const std::string& commit, const File& file) const {
  return entry_of(file.path, commit).find(" " + blob_of(file) + "\t") != std::string::npos;
}

// "100755" for a program; of a file that the commit lacks what it is in the work tree.
std::string GitRepository::mode_of(const std::string& path, const std::string& commit) const {
  const std::string plain = "100644", program = "100755";
  const std::string entry = commit.empty() ? "" : entry_of(path, commit);
  if (!entry.empty()) return entry.starts_with(program) ? program : plain;
  return access((root_ + "/" + path).c_str(), X_OK) == 0 ? program : plain;
}

std::string GitRepository::commit(const std::string& parent, const std::vector<File>& files,
                                  const std::string& message) const {
  PrivateIndex index;
  run(parent.empty() ? std::vector<std::string>{"read-tree", "--empty"}
                     : std::vector<std::string>{"read-tree", parent},
      index.path);
  for (const File& file : files)
    run({"update-index", "--add", "--cacheinfo",
         mode_of(file.path, parent) + "," + blob_of(file) + "," + file.path},
        index.path);
  std::string tree = run({"write-tree"}, index.path);
  std::vector<std::string> words = {"commit-tree", tree, "-m", message};
  if (!parent.empty()) words.insert(words.end(), {"-p", parent});
  return run(words);
}

std::vector<std::string> GitRepository::write_tree(const std::string& commit, const std::string& folder,
                                                   const std::vector<std::string>& globs) const {
  PrivateIndex index;
  run({"read-tree", commit}, index.path);
  run({"checkout-index", "--all", "--force", "--prefix=" + folder + "/"}, index.path);
  std::vector<std::string> paths, words = {"ls-files", "-z", "--"};
  for (const std::string& glob : globs) words.push_back(":(top,glob)" + glob);
  if (globs.empty()) return paths;
  std::string listed = run(words, index.path);
  for (std::string_view path : split(listed, '\0')) {
    if (!path.empty()) paths.emplace_back(path);
  }
  return paths;
}

void GitRepository::set_ref(const std::string& name, const std::string& commit,
                            const std::string& old) const {
  run({"update-ref", "--", name, commit, old.empty() ? std::string(commit.size(), '0') : old});
}

}  // namespace explog
