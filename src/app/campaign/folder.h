// A campaign's folder: contract, journal, the versions' files, and pages that are made from them.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "app/session/session.h"
#include "base/file.h"
#include "bench/harness/source_file.h"
#include "campaign/state.h"

namespace explog::app {

constexpr int patience_ms = 2000;  // with those who look at a folder, or are about to leave it

class CampaignFolder {
 public:
  // Writes the contract into an empty or new folder. Throws Error(usage) when a campaign is there already.
  static void create(const std::string& folder, const campaign::Contract& contract);
  // Where one of a task begins that was given no folder.
  static std::string default_for(const std::string& task);
  // The folder of `out`; without a name that of $EXPLOG_CAMPAIGN, else the only one here or in ./runs. Throws
  // Error(usage) naming the choice.
  static std::string find(const std::string& out);

  // Reads it. Where nobody else is at work there, what was left undone by a process that ended is settled first.
  // Throws Error(store) for a damaged journal. `patience_ms`: how long it is waited for somebody who only looks at it.
  CampaignFolder(const std::string& folder, const Session& session, int patience_ms = 0);

  bool mine() const { return lock_ != nullptr; }  // this process may append
  // Throws Error(store) with who is at work there, or why it cannot be written.
  void must_be_mine() const;
  const campaign::Contract& contract() const { return contract_; }
  const campaign::State& state() const { return state_; }
  const std::vector<campaign::Event>& events() const { return journal_.events; }
  const campaign::Version& version(int number) const;         // throws Error(usage) when there is none
  const campaign::Version& judged_version(int number) const;  // also when it has no verdict yet

  // Puts it on disk, then everything that follows from it by itself; pages are written anew.
  void append(campaign::Happening what);

  const std::string& path() const { return folder_; }
  std::string version_folder(int version) const { return folder_ + "/v" + std::to_string(version); }
  std::string file_of_proposal(const campaign::Proposed& proposal) const {
    return version_folder(proposal.version) + "/" + proposal.file;
  }
  // The judged bytes of a version.
  std::string file_of(int version) const;
  // Where the next one may be written: no folder of a version, since another process may judge one of this number first.
  std::string draft_of(int version) const;
  std::string file_name(int version) const;  // "v3.cu"
  bench::SourceFile source_of(int version) const { return bench::read_source(file_of(version)); }
  // What a version of this source changes of its parent and of the files beside it, as `diff -u` writes it.
  std::string change_of(const campaign::Proposed& proposal, const bench::SourceFile& source) const;

 private:
  void read();
  void settle();
  void put(campaign::Happening what);
  void write_pages() const;
  using Texts = std::map<std::string, std::function<std::string()>>;  // of files by their paths
  Texts written_once() const;
  void write_best() const;
  bool are_pages_current() const;
  bool is_measured() const;  // the baseline has its verdict

  std::string folder_;
  const Session* session_;
  std::string no_lock_;  // why this process may not append
  std::unique_ptr<FileLock> lock_;
  campaign::Contract contract_;
  campaign::Journal journal_;
  campaign::State state_;
};

// Folders with a campaign in them: `folder` itself, its folders and those of its runs/.
std::vector<std::string> campaign_folders(const std::string& folder);

}  // namespace explog::app
