#include "app/campaign/sources.h"

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

// From the folder of the source, also for what an included file itself includes.
fs::path from_source(const bench::SourceFile& source, const bench::IncludedFile& included) {
  std::error_code ignored;
  fs::path folder = source.embedded ? fs::path(source.folder) : fs::weakly_canonical(source.folder, ignored);
  return fs::path(included.path).lexically_relative(folder);
}

}  // namespace

void put_includes(const bench::SourceFile& source, const std::string& folder) {
  const fs::path all = fs::path(folder).parent_path();
  for (const bench::IncludedFile& included : bench::included_files(source)) {
    fs::path name = from_source(source, included);
    fs::path to = (fs::path(folder) / name).lexically_normal();
    bool inside = !name.empty() && to.lexically_relative(all).string().find("..") == std::string::npos;
    if (!inside)
      throw Error(Exit::usage,
                  printable(source.name) + " includes \"" + printable(included.name) +
                      "\", which lies too far up to be kept with the campaign",
                  "put it beside the kernel, or into a folder beside that of the kernel");
    bool shared = name.begin()->string() == "..";
    if (shared && fs::exists(to) && read_file(to.string()) != included.text)
      throw Error(Exit::usage,
                  printable(included.path) + " is not what an earlier version of this campaign included",
                  "put what changes from version to version beside the kernel");
    fs::create_directories(to.parent_path());
    write_file(to.string(), included.text);
  }
}

}  // namespace explog::app
