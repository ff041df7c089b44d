#include "app/campaign/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/campaign/folder.h"
#include "app/campaign/sources.h"
#include "base/error.h"
#include "base/text.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

std::vector<FileToApply> files_of(const bench::SourceFile& version, const std::string& target) {
  std::vector<FileToApply> files = {{target, "", version.text, ""}};
  const fs::path folder = fs::path(target).parent_path();
  for (bench::IncludedFile& file : own_includes_of(version))
    files.push_back({(folder / file.path).string(), "", std::move(file.text), file.path});
  for (FileToApply& file : files) {
    if (fs::exists(file.path)) file.before = read_file(file.path);
  }
  return files;
}

// Nothing stands there, or what is kept with some version of the campaign: it may be written over.
bool is_kept(const FileToApply& file, const CampaignFolder& folder) {
  if (!fs::exists(file.path)) return true;
  const std::vector<campaign::Version>& versions = folder.state().versions;
  return std::any_of(versions.begin(), versions.end(), [&](const campaign::Version& v) {
    const campaign::Proposed& p = v.proposal;
    const std::string kept = file.included_as.empty()
                                 ? folder.file_of_proposal(p)
                                 : folder.version_folder(p.version) + "/" + file.included_as;
    return fs::exists(kept) && read_file(kept) == file.before;
  });
}

[[noreturn]] void put_beside(const std::vector<FileToApply>& files, int version) {
  std::vector<std::string> names, changed;
  for (const FileToApply& file : files) {
    if (file.fate == Fate::same) continue;
    names.push_back(file.path + ".explog");
    write_file(names.back(), file.text);
    if (file.fate == Fate::beside) changed.push_back(file.path);
  }
  throw Error(Exit::negative,
              printable(changed.front()) + " was changed since the campaign began: it is left as it is",
              fmt::format("v{} lies beside it as {}", version, printable(join(names, ", "))));
}

}  // namespace

std::string_view word(Fate fate) {
  return fate == Fate::same ? "same" : fate == Fate::written ? "written" : "beside";
}

std::vector<FileToApply> files_to_apply(const std::string& where, int version, const std::string& to,
                                        const Session& session) {
  CampaignFolder folder(where, session);
  folder.judged_version(version);
  const std::string target = to.empty() ? folder.contract().baseline.file : to;
  const bool refused =
      fs::exists(target) && folder.state().of_source(identity_of(bench::read_source(target))) != nullptr;
  std::vector<FileToApply> files = files_of(folder.source_of(version), target);
  for (FileToApply& file : files) {
    const bool known = is_kept(file, folder) || (refused && file.included_as.empty());
    const bool same = fs::exists(file.path) && file.before == file.text;
    file.fate = !known ? Fate::beside : same ? Fate::same : Fate::written;
  }
  return files;
}

std::string apply_version(const std::string& where, int version, const std::string& to,
                          const Session& session) {
  const std::vector<FileToApply> files = files_to_apply(where, version, to, session);
  for (const FileToApply& file : files) {
    if (file.fate == Fate::beside) put_beside(files, version);
  }
  for (const FileToApply& file : files) {
    fs::create_directories(fs::absolute(file.path).parent_path());
    write_file(file.path, file.text);
  }
  const auto flags = CampaignFolder(where, session).version(version).proposal.flags;
  if (!flags.empty())
    session.warn("it was judged with flags of nvcc that its first line names: give your build " +
                 join(flags, " ") + " too");
  return files.front().path;
}

}  // namespace explog::app
