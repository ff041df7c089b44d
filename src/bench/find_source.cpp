#include "bench/find_source.h"

#include <algorithm>
#include <filesystem>

#include "base/embedded.h"
#include "base/error.h"
#include "bench/ladder_file.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

std::optional<LadderRow> row_named(const std::vector<LadderRow>& rows, const std::string& step) {
  auto row = std::find_if(rows.begin(), rows.end(), [&](const LadderRow& r) { return r.step == step; });
  return row != rows.end() ? std::optional(*row) : std::nullopt;
}

// The row of ladder.json beside it that a path means, for a step that is no file.
std::optional<LadderRow> row_of(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return std::nullopt;
  return row_named(ladder_on_disk(fs::absolute(path, ignored).parent_path().string()),
                   path.filename().string());
}

}  // namespace

std::optional<SourceFile> embedded_source(const std::string& task, const std::string& name) {
  std::string place = "kernels/" + task;
  auto text = embedded_file(place + "/" + name);
  auto row = text ? std::nullopt : row_named(embedded_ladder(task), name);
  if (row) text = embedded_file(place + "/" + row->file);
  if (!text) return std::nullopt;
  SourceFile source{row ? row->file : name, place, std::string(*text), true};
  return row ? configured(source, row->set, row->step) : source;
}

SourceFile find_source(const std::string& path) {
  auto row = row_of(path);
  SourceFile source = read_source(row ? fs::path(path).replace_filename(row->file).string() : path);
  return row ? configured(source, row->set, row->step) : source;
}

SourceFile source_of(const FoundTask& found, const std::string& name) {
  if (!found.folder.empty()) return find_source(found.folder + "/" + name);
  if (auto source = embedded_source(found.task.name, name)) return *source;
  throw Error(Exit::usage, "task " + found.task.name + " has no file " + name);
}

}  // namespace explog::bench
