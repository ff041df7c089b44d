#include "app/campaign/hooks.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::app {
namespace {

constexpr int hook_limit_s = 30;
constexpr std::size_t most_note_bytes = 8192;

// Valid UTF-8 of at most so many bytes.
std::string note_text(const std::string& output) {
  std::string text = printable(trim(output), false);
  if (text.size() <= most_note_bytes) return text;
  text.resize(most_note_bytes);
  while (!text.empty() && !valid_utf8(text)) text.pop_back();
  return text;
}

struct AboutVersion {
  int version;
  bool operator()(const campaign::Proposed& e) const { return e.version == version; }
  bool operator()(const campaign::Judged& e) const { return e.version == version; }
  bool operator()(const campaign::Decided& e) const { return e.version == version; }
  template <class Other>
  bool operator()(const Other&) const {
    return false;
  }
};

// Of its last proposal: a version whose judging was interrupted is proposed again.
std::string events_of(const CampaignFolder& folder, int version) {
  std::string lines;
  for (const campaign::Event& event : folder.events()) {
    if (std::holds_alternative<campaign::Proposed>(event.what)) lines.clear();
    if (std::visit(AboutVersion{version}, event.what)) lines += campaign::to_line(event);
  }
  return lines;
}

Finished run_command(const std::string& command, const CampaignFolder& folder, int version) {
  const std::string input = folder.path() + "/hook.json";
  write_file(input, events_of(folder, version));
  namespace fs = std::filesystem;
  std::string script =
      fmt::format("EXPLOG_CAMPAIGN={} EXPLOG_FILE={}; export EXPLOG_CAMPAIGN EXPLOG_FILE\n{{ {}\n}} < {}",
                  shell_quoted(fs::absolute(folder.path()).string()),
                  shell_quoted(fs::absolute(folder.file_of(version)).string()), command, shell_quoted(input));
  return run_program({"/bin/sh", "-c", script}, 1000 * hook_limit_s);
}

}  // namespace

void run_hook(Hook hook, CampaignFolder& folder, int version, const Session& session) {
  const bool before = hook == Hook::before;
  const std::string command = before ? folder.contract().before : folder.contract().after;
  if (command.empty()) return;
  const std::string name = before ? "--before" : "--after";
  session.progress(name + " of v" + std::to_string(version));
  std::string text, fault;
  try {
    Finished done = run_command(command, folder, version);
    text = note_text(done.output);
    if (done.timed_out)
      fault = fmt::format("took longer than {} s", hook_limit_s);
    else if (done.status != 0)
      fault = fmt::format("ended with {}", done.status);
  } catch (const Error& e) {
    fault = e.what();
  }
  session.progress("");
  if (!fault.empty()) {
    session.warn(fmt::format("{} of v{} {}; the campaign goes on", name, version, fault));
    text = note_text(fault + (text.empty() ? "" : ": " + text));
  }
  if (!text.empty()) folder.append(campaign::Note{name, text});
}

}  // namespace explog::app
