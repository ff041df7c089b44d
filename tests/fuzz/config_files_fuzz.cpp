#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "broken.h"
#include "entry.h"
#include "intake/config_files.h"
#include "targets.h"
#include "tune/config_text.h"

namespace explog::fuzz {
namespace {

// What was read is written as something that reads the same, under a name that says the same.
void check_tree(const std::string& name, std::string_view text) {
  ConfigSet set = intake::read_tree_file(name, text, "").set;
  std::string path = config_path(set);
  if (std::filesystem::path(path).lexically_normal().string().starts_with("..") || path.starts_with("/"))
    broken("leaves its folder", path);
  ConfigSet again = intake::read_tree_file(path, tune::tree_text(set), set.runtime).set;
  if (std::filesystem::path(config_path(again)).filename() != std::filesystem::path(path).filename())
    broken("another name", path);
  if (again.rows.size() != set.rows.size()) broken("another number of rows", path);
  for (std::size_t i = 0; i < set.rows.size(); ++i) {
    if (again.rows[i].size != set.rows[i].size || again.rows[i].params != set.rows[i].params)
      broken("another row", set.rows[i].params);
  }
}

// Each problem is a set that is stored and read back.
void check_helion(const std::string& name, std::string_view text) {
  for (const ConfigSet& set : intake::read_helion_tree(name, text)) {
    if (to_json(parse_config_set(to_json(set))) != to_json(set)) broken("another set", to_json(set));
  }
}

void check_list(std::string_view text) {
  ConfigSet set = intake::read_python_configs("kernel.py", text).set;
  std::string written = tune::python_text({set}, set.runtime);
  intake::ReadConfigs again = intake::read_python_configs("kernel.py", written);
  if (!again.remarks.empty()) broken("does not read back", written);
}

}  // namespace

// The first line as a file's name, the rest as what it holds; and all of it as a source in Python.
void fuzz_config_files(std::string_view data) {
  std::size_t line = data.find('\n');
  std::string_view rest = line == std::string_view::npos ? "" : data.substr(line + 1);
  try {
    check_tree(std::string(data.substr(0, line)), rest);
  } catch (const Error&) {
  }
  try {
    check_helion(std::string(data.substr(0, line)), rest);
  } catch (const Error&) {
  }
  try {
    check_list(data);
  } catch (const Error&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_config_files)
