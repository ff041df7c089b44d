#include "app/campaign/branch.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/campaign/folder.h"
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
  const std::string ref = "refs/heads/" + branch.name, path = fs::relative(file, git->root()).string();
  std::string before = git->commit_of(ref), tip = git->commit_of("HEAD");
  if (!before.empty())
    throw Error(Exit::usage, "the branch " + branch.name + " is there already",
                "git branch -D " + branch.name + " removes it");
  for (const campaign::Version& v : folder.state().versions) {
    if (!v.status) continue;
    std::string file_of_it = fs::absolute(folder.file_of(v.proposal.version)).string();
    std::string commit = git->commit(tip, path, file_of_it, message_of(v, c.id));
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
