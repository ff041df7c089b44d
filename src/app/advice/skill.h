// The skill for agents: files that say when and how to use explog, put where each client looks for them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::app {

std::vector<std::string> skill_clients();  // agents, claude, cursor, copilot, codex

struct SkillFile {
  std::string path, text;  // below the root: a project's folder, or the user's
};
// As the client wants them. Throws Error(usage) for a client that is not known.
std::vector<SkillFile> skill_files(const std::string& client);
std::vector<std::string> skill_references();  // cuda, triton, ...
// "" for SKILL.md, else "cuda", "triton", ... Throws Error(usage).
std::string skill_text(const std::string& reference);

// What a file was found as, or what became of it.
struct SkillState {
  std::string path;
  std::string_view word;  // missing, current, older, changed; installed, removed
  bool left_alone() const { return word == "changed"; }
};
std::vector<SkillState> check_skill(const std::string& client, const std::string& root);
// A file that somebody changed is left as it is.
std::vector<SkillState> install_skill(const std::string& client, const std::string& root);
std::vector<SkillState> uninstall_skill(const std::string& client, const std::string& root);

}  // namespace explog::app
