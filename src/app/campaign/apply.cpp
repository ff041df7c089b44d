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

struct FileToWrite {
  std::string path, text;
  std::string included_as;  // empty for the kernel itself
};

std::vector<FileToWrite> files_of(const bench::SourceFile& version, const std::string& target) {
  std::vector<FileToWrite> files = {{target, version.text, ""}};
  const fs::path folder = fs::path(target).parent_path();
  for (bench::IncludedFile& file : own_includes_of(version))
    files.push_back({(folder / file.path).string(), std::move(file.text), file.path});
  return files;
}

bool exists_as(const std::string& path, const std::string& text) {
  return fs::exists(path) && read_file(path) == text;
}

// Nothing stands there, or what is kept with some version of the campaign: it may be written over.
bool is_kept(const FileToWrite& file, const CampaignFolder& folder) {
  if (!fs::exists(file.path)) return true;
  const std::string now = read_file(file.path);
  const std::vector<campaign::Version>& versions = folder.state().versions;
  return std::any_of(versions.begin(), versions.end(), [&](const campaign::Version& v) {
    const campaign::Proposed& p = v.proposal;
    return exists_as(file.included_as.empty() ? folder.file_of_proposal(p)
                                              : folder.version_folder(p.version) + "/" + file.included_as,
                     now);
  });
}

[[noreturn]] void put_beside(const std::vector<FileToWrite>& files, const FileToWrite& changed, int version) {
  std::vector<std::string> names;
  for (const FileToWrite& file : files) {
    if (exists_as(file.path, file.text)) continue;
    names.push_back(file.path + ".explog");
    write_file(names.back(), file.text);
  }
  throw Error(Exit::negative,
              printable(changed.path) + " was changed since the campaign began: it is left as it is",
              fmt::format("v{} lies beside it as {}", version, printable(join(names, ", "))));
}

}  // namespace

std::string apply_version(const std::string& where, int version, const std::string& to,
                          const Session& session) {
  CampaignFolder folder(where, session);
  folder.judged_version(version);
  const std::string target = to.empty() ? folder.contract().baseline.file : to;
  const bool refused =
      fs::exists(target) && folder.state().of_source(identity_of(bench::read_source(target))) != nullptr;
  const std::vector<FileToWrite> files = files_of(folder.source_of(version), target);
  for (const FileToWrite& file : files) {
    const bool known = is_kept(file, folder) || (refused && file.included_as.empty());
    if (!known) put_beside(files, file, version);
  }
  for (const FileToWrite& file : files) {
    fs::create_directories(fs::absolute(file.path).parent_path());
    write_file(file.path, file.text);
  }
  return target;
}

}  // namespace explog::app
