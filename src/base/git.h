// A git repository, through git's own plumbing: neither its work tree, nor its index, nor its stash is touched.
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace explog {

class GitRepository {
 public:
  // The repository that holds the folder; nothing where there is none, or no git.
  static std::optional<GitRepository> around(const std::string& folder);

  const std::string& root() const { return root_; }
  // What a name stands for (HEAD, refs/...), in full hex; empty where it stands for nothing.
  std::string commit_of(const std::string& name) const;
  // HEAD, with "-dirty" behind it where the file (a full path) is not as HEAD has it; empty before the first commit.
  std::string revision_of(const std::string& file) const;
  struct File {
    std::string path, from;  // relative to the root; where the bytes are
  };
  // Whether a commit has just these bytes there.
  bool holds(const std::string& commit, const File& file) const;
  // A commit on `parent` (empty: none) in which these files hold other bytes, as `git add` would put them there: a file's
  // mode stays what it is in the parent. All else is as in the parent. Returns its hex. Throws Error(unavailable) with git's
  // words.
  std::string commit(const std::string& parent, const std::vector<File>& files,
                     const std::string& message) const;
  // Writes the files of a commit under `folder`, and gives those of their paths that one of the globs fits
  // ("perf/*.json", "**" for any folders). Throws Error(unavailable) with git's words.
  std::vector<std::string> write_tree(const std::string& commit, const std::string& folder,
                                      const std::vector<std::string>& globs) const;
  // Sets a ref that still stands for `old` (empty: that is not there yet). Throws Error(unavailable) otherwise.
  void set_ref(const std::string& name, const std::string& commit, const std::string& old) const;

 private:
  GitRepository(std::string program, std::string root)
      : program_(std::move(program)), root_(std::move(root)) {}
  std::string run(const std::vector<std::string>& words, const std::string& index = "") const;
  std::string entry_of(const std::string& path, const std::string& commit) const;
  std::string blob_of(const File& file) const;
  std::string mode_of(const std::string& path, const std::string& commit) const;
  std::string program_, root_;
};

}  // namespace explog
