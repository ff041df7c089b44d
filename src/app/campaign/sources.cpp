#include "app/campaign/sources.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

// As it is written behind #include, which a link may lead elsewhere; else, for what an included file itself includes, by
// the folders that it really lies in.
std::string way_to(const bench::IncludedFile& included, const bench::SourceFile& source) {
  std::error_code none;
  if (!source.embedded && fs::equivalent(fs::path(source.folder) / included.name, included.path, none))
    return fs::path(included.name).lexically_normal().string();
  fs::path folder = source.embedded ? fs::path(source.folder) : fs::weakly_canonical(source.folder, none);
  return fs::path(included.path).lexically_relative(folder).string();
}

bool is_above(const fs::path& way) { return way.begin() == way.end() || *way.begin() == ".."; }

}  // namespace

std::vector<bench::IncludedFile> includes_of(const bench::SourceFile& source) {
  std::vector<bench::IncludedFile> files = bench::included_files(source);
  for (bench::IncludedFile& file : files) file.path = way_to(file, source);
  return files;
}

std::vector<bench::IncludedFile> own_includes_of(const bench::SourceFile& source) {
  std::vector<bench::IncludedFile> files = includes_of(source);
  std::erase_if(files, [](const bench::IncludedFile& file) { return is_above(file.path); });
  return files;
}

std::string identity_of(const bench::SourceFile& source) {
  return bench::included_files(source).empty() ? hex(blake2b_128(source.text)) : bench::hash_of(source);
}

void put_includes(const bench::SourceFile& source, const std::string& folder, Existing existing) {
  const fs::path here = fs::absolute(folder).lexically_normal();
  for (const bench::IncludedFile& included : includes_of(source)) {
    const fs::path to = (here / included.path).lexically_normal();
    if (included.path.empty() || is_above(to.lexically_relative(here.parent_path())))
      throw Error(Exit::usage,
                  printable(source.name) + " includes \"" + printable(included.name) +
                      "\", which lies too far up to be kept with the campaign",
                  "put it beside the kernel, or into a folder beside that of the kernel");
    const bool there = fs::exists(to);
    if (there && is_above(included.path) && read_file(to.string()) != included.text)
      throw Error(Exit::usage,
                  printable(source.name) + " includes \"" + printable(included.name) +
                      "\", which is not what an earlier version of this campaign included",
                  "put what changes from version to version beside the kernel");
    if (there && existing == Existing::leave) continue;
    fs::create_directories(to.parent_path());
    write_file(to.string(), included.text);
  }
}

}  // namespace explog::app
