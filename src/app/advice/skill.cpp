#include "app/advice/skill.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view skill_folder = "strategies/skill/";
const std::vector<std::string> references = {"cuda", "triton", "cutile", "cutedsl"};

// Where a client looks: a folder of several files, or one file with a head of its own.
struct Client {
  std::string_view name, path, head;
};
constexpr std::array<Client, 5> clients = {{
    {"agents", ".agents/skills/explog/", ""},
    {"claude", ".claude/skills/explog/", ""},
    {"cursor", ".cursor/rules/explog.mdc",
     "---\ndescription: Making GPU kernels faster with explog\nglobs: *.cu,*.cuh,*.py\nalwaysApply: "
     "false\n---\n"},
    {"copilot", ".github/instructions/explog.instructions.md",
     "---\napplyTo: \"**/*.cu,**/*.cuh,**/*.py\"\n---\n"},
    {"codex", ".agents/skills/explog/", ""},  // it reads the folder that agents share
}};

const Client& client_named(const std::string& name) {
  for (const Client& client : clients) {
    if (client.name == name) return client;
  }
  throw Error(Exit::usage, "no client '" + printable(name) + "'", "one of: " + join(skill_clients(), ", "));
}

// The last line of an installed file holds the hash of all before it: so a file that nobody changed is known, of whatever
// version.
constexpr std::string_view mark_begin = "\n<!-- installed by explog ", mark_end = " -->\n";

std::string mark_line(std::string_view text) {
  return std::string(mark_begin) + EXPLOG_VERSION + ' ' + hex(blake2b_128(text)) + std::string(mark_end);
}

bool is_unchanged(const std::string& text) {
  std::size_t at = text.rfind(mark_begin);
  if (at == std::string::npos || !text.ends_with(mark_end)) return false;
  std::string hash = hex(blake2b_128(std::string_view(text).substr(0, at)));
  return text.find(hash, at) != std::string::npos;
}

// Behind the head in front of the text.
std::string_view without_head(std::string_view text) {
  std::size_t end = text.find("\n---\n", 4);
  return end == std::string_view::npos ? text : text.substr(end + 5);
}

std::string embedded_text(const std::string& name) {
  auto text = embedded_file(std::string(skill_folder) + name);
  if (!text) throw Error(Exit::usage, "the skill has no file '" + printable(name) + "'");
  return std::string(*text);
}

// A client of one file has the references behind the text.
std::string in_one_file(const Client& client) {
  std::string text = std::string(client.head) + std::string(without_head(embedded_text("SKILL.md")));
  for (const std::string& name : references) {
    text = replace_all(text, "(references/" + name + ".md)", "(below)");
    text += "\n" + embedded_text("references/" + name + ".md");
  }
  return text;
}

std::string_view file_state(const SkillFile& file, const fs::path& path) {
  if (!fs::exists(path)) return "missing";
  std::string there = read_file(path.string());
  if (there == file.text) return "current";
  return is_unchanged(there) ? "older" : "changed";
}

fs::path place_of(const std::string& root, const SkillFile& file) { return fs::path(root) / file.path; }

}  // namespace

std::vector<std::string> skill_clients() {
  std::vector<std::string> names;
  for (const Client& client : clients) names.emplace_back(client.name);
  return names;
}

std::vector<std::string> skill_references() { return references; }

std::string skill_text(const std::string& reference) {
  if (reference.empty()) return embedded_text("SKILL.md");
  auto known = std::find(references.begin(), references.end(), reference);
  if (known == references.end())
    throw Error(
        Exit::usage,
        "the skill has no reference '" + printable(reference) + "'" + did_you_mean(reference, references),
        "one of: " + join(references, ", "));
  return embedded_text("references/" + reference + ".md");
}

std::vector<SkillFile> skill_files(const std::string& client_name) {
  const Client& client = client_named(client_name);
  std::vector<SkillFile> files;
  if (!client.path.ends_with('/')) {
    files.push_back({std::string(client.path), in_one_file(client)});
  } else {
    for (const EmbeddedFile& file : embedded_files()) {
      if (file.path.starts_with(skill_folder) && file.path.ends_with(".md"))
        files.push_back({std::string(client.path) + std::string(file.path.substr(skill_folder.size())),
                         std::string(file.text)});
    }
  }
  for (SkillFile& file : files) file.text += mark_line(file.text);
  return files;
}

std::vector<SkillState> check_skill(const std::string& client, const std::string& root) {
  std::vector<SkillState> states;
  for (const SkillFile& file : skill_files(client))
    states.push_back({place_of(root, file).string(), file_state(file, place_of(root, file))});
  return states;
}

std::vector<SkillState> install_skill(const std::string& client, const std::string& root) {
  auto states = check_skill(client, root);
  auto files = skill_files(client);
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (states[i].word == "current" || states[i].left_alone()) continue;
    fs::create_directories(fs::path(states[i].path).parent_path());
    explog::write_file(states[i].path, files[i].text);
    states[i].word = "installed";
  }
  return states;
}

std::vector<SkillState> uninstall_skill(const std::string& client, const std::string& root) {
  auto states = check_skill(client, root);
  auto files = skill_files(client);
  for (std::size_t i = 0; i < files.size(); ++i) {
    SkillState& state = states[i];
    if (state.word == "missing" || state.left_alone()) continue;
    fs::remove(state.path);
    state.word = "removed";
    std::error_code not_empty;  // folders that hold something else stay, and so does the root
    for (fs::path in = fs::path(files[i].path).parent_path(); !in.empty(); in = in.parent_path()) {
      if (!fs::remove(fs::path(root) / in, not_empty)) break;
    }
  }
  return states;
}

}  // namespace explog::app
