#include "app/campaign/propose.h"

#include <fmt/format.h>

#include <filesystem>

#include "app/campaign/sources.h"
#include "base/error.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::app {
namespace {

constexpr int nothing_left = 75;  // EX_TEMPFAIL

// The value of the last line `key: value`.
std::string said(const std::string& output, std::string_view key) {
  std::string value;
  for (std::string_view line : split(output, '\n')) {
    if (line.starts_with(key)) value = trim(line.substr(key.size()));
  }
  return value;
}

}  // namespace

std::optional<VersionToJudge> propose_by_command(const NextStep& next, const std::string& command,
                                                 const std::string& question) {
  const std::string input = next.campaign.folder + "/next.json";
  write_file(input, question + "\n");
  const std::string beside = std::filesystem::path(next.write).parent_path().string();
  std::filesystem::remove_all(beside);  // what an earlier proposal left is none
  std::filesystem::create_directories(beside);
  put_includes(bench::read_source(next.edit), beside);
  int limit_ms = static_cast<int>(60'000 * next.campaign.contract.limits.minutes);
  Finished done = run_program({"/bin/sh", "-c", "{ " + command + "\n} < " + shell_quoted(input)}, limit_ms);
  if (done.status == nothing_left) return std::nullopt;
  std::string words = printable(trim(done.output).substr(0, 400));
  if (done.timed_out) throw Error(Exit::usage, "--propose: the command took longer than a version may");
  if (done.status != 0)
    throw Error(Exit::usage, fmt::format("--propose: the command ended with {}: {}", done.status, words));
  if (!std::filesystem::exists(next.write))
    throw Error(Exit::usage, "--propose: the command wrote no " + printable(next.write),
                "its standard input says where: the key `write`; exit 75 says that nothing is left");
  VersionToJudge version;
  version.file = next.write, version.by = "propose";
  version.strategy = said(done.output, "strategy:");
  version.hypothesis = said(done.output, "hypothesis:"), version.rationale = said(done.output, "rationale:");
  if (version.strategy.empty()) version.strategy = "proposed";
  return version;
}

}  // namespace explog::app
