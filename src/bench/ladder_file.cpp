#include "bench/ladder_file.h"

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "model/json.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

using IsFile = std::function<bool(const std::string& name)>;  // beside ladder.json

void check_files(const std::vector<LadderRow>& rows, const IsFile& is_file) {
  auto is_step = [&](const std::string& name) {
    return std::any_of(rows.begin(), rows.end(), [&](const LadderRow& r) { return r.step == name; });
  };
  for (const LadderRow& row : rows) {
    std::string step = "step " + row.step;
    if (is_file(row.step)) throw JsonError(step + " is a file as well");
    if (!is_file(row.file)) throw JsonError(step + ": no file " + row.file + " beside the ladder");
    if (!is_file(row.after) && !is_step(row.after)) throw JsonError(step + ": no step or file " + row.after);
  }
}

std::vector<LadderRow> read_ladder(std::string_view text, const std::string& where, const IsFile& is_file) {
  try {
    std::vector<LadderRow> rows = parse_ladder(text);
    check_files(rows, is_file);
    return rows;
  } catch (const JsonError& e) {
    throw Error(Exit::usage, where + ": " + e.what(), "kernels/README.md describes ladder.json");
  }
}

}  // namespace

std::vector<LadderRow> embedded_ladder(const std::string& task) {
  std::string place = "kernels/" + task + "/";
  auto text = embedded_file(place + "ladder.json");
  if (!text) return {};
  return read_ladder(*text, place + "ladder.json",
                     [&](const std::string& name) { return embedded_file(place + name).has_value(); });
}

std::vector<LadderRow> ladder_on_disk(const std::string& folder) {
  std::error_code ignored;
  fs::path place(folder);
  std::string path = (place / "ladder.json").string();
  if (!fs::exists(path, ignored)) return {};
  return read_ladder(read_file(path, nullptr, std::size_t{1} << 20), path,
                     [&](const std::string& name) { return fs::exists(place / name, ignored); });
}

}  // namespace explog::bench
