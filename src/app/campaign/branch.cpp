#include "app/campaign/branch.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/campaign/folder.h"
#include "app/campaign/sources.h"
#include "base/error.h"
#include "base/git.h"
#include "base/text.h"
#include "campaign/pages.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

// Trailers as git's own tools read them.
std::string message_of(const campaign::Version& v, const std::string& id) {
  const campaign::Proposed& p = v.proposal;
  std::string change = p.version == 0 ? "baseline" : p.strategy;
  std::string text = fmt::format("explog v{}: {} ({})\n\n", p.version, printable(change), word(*v.status));
  if (!p.hypothesis.empty()) text += printable(p.hypothesis) + "\n\n";
  if (v.judged && p.version > 0)
    text += "Explog-Faster: " + campaign::faster_text(v.judged->than_baseline) + "\n";
  text += "Explog-Campaign: " + id + "\n";
  if (v.judged) text += fmt::format("Explog-Verdict: {} {}\n", v.judged->verdict, v.judged->reason);
  for (const std::string& record : v.judged ? v.judged->records : std::vector<std::string>{})
    text += "Explog-Record: " + record + "\n";
  return text;
}

// The version's source and what it includes beside it, where the user's own lie in the repository.
std::vector<GitRepository::File> files_of(const CampaignFolder& folder, const campaign::Proposed& version,
                                          const fs::path& path) {
  const std::string from = fs::absolute(folder.file_of_proposal(version)).string();
  std::vector<GitRepository::File> files = {{path.string(), from}};
  for (const bench::IncludedFile& file : own_includes_of(folder.source_of(version.version)))
    files.push_back({(path.parent_path() / file.path).string(),
                     fs::absolute(folder.version_folder(version.version) + "/" + file.path).string()});
  return files;
}

// Where the campaign began: what was committed since then is not undone by its versions. Where that is not known, HEAD, as
// long as its file is that of a version.
std::string base_of(const CampaignFolder& folder, const GitRepository& git, const std::string& path) {
  const campaign::Contract& c = folder.contract();
  if (!c.commit.empty() && !git.commit_of(c.commit).empty()) return c.commit;
  const std::string head = git.commit_of("HEAD");
  const std::vector<campaign::Version>& versions = folder.state().versions;
  bool known = head.empty() || std::any_of(versions.begin(), versions.end(), [&](const campaign::Version& v) {
                 return git.holds(head, {path, fs::absolute(folder.file_of_proposal(v.proposal)).string()});
               });
  if (known) return head;
  throw Error(Exit::usage,
              "HEAD has another " + printable(path) +
                  " than any version, and the commit that the campaign "
                  "began with is not there",
              "the best version is in " + printable(folder.path()) + "/best");
}

}  // namespace

CampaignBranch branch_campaign(const std::string& where, const Session& session) {
  CampaignFolder folder(where, session);
  const campaign::Contract& c = folder.contract();
  const fs::path file = c.baseline.file;
  auto git = GitRepository::around(file.parent_path().string());
  if (!git)
    throw Error(Exit::usage, printable(file.string()) + " lies in no git repository, or git is not here",
                "the best version is in " + printable(folder.path()) + "/best");
  CampaignBranch branch{git->root(), "explog/" + c.id, 0, {}};
  const std::string ref = "refs/heads/" + branch.name;
  const fs::path path = fs::relative(file, git->root());
  if (!git->commit_of(ref).empty())
    throw Error(Exit::usage, "the branch " + branch.name + " is there already",
                "git branch -D " + branch.name + " removes it");
  std::string tip = base_of(folder, *git, path.string());
  for (const campaign::Version& v : folder.state().versions) {
    if (!v.status) continue;
    std::string commit = git->commit(tip, files_of(folder, v.proposal, path), message_of(v, c.id));
    if (v.kept()) {
      tip = commit, ++branch.commits;
      continue;
    }
    std::string aside = fmt::format("refs/explog/{}/v{}", c.id, v.proposal.version);
    git->set_ref(aside, commit, git->commit_of(aside));
    branch.set_aside.push_back(aside);
  }
  if (branch.commits == 0)
    throw Error(Exit::usage, "no version was kept", "`explog campaign status` says why");
  git->set_ref(ref, tip, "");
  return branch;
}

}  // namespace explog::app
