#include "app/tune/configs.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "app/tune/store.h"
#include "base/error.h"
#include "base/file_tree.h"
#include "base/hash.h"
#include "base/text.h"
#include "intake/config_files.h"
#include "store/configurations.h"
#include "tune/config_text.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

bool is_config_folder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

bool is_known_file(const std::string& path) {
  return intake::is_tree_file(path) || intake::is_helion_tree_file(path);
}

// The runtime computes the name itself: a file of another name is one that it never finds.
void compare_names(const std::string& path, const ConfigSet& set, ImportedConfigs& imported) {
  if (!is_tree_runtime(set.runtime)) return;
  std::string wanted = fs::path(config_path(set)).filename();
  if (fs::path(path).filename() != wanted)
    imported.remarks.push_back(path + ": " + set.runtime + " looks for " + wanted);
}

std::vector<ConfigSet> read_configs(const std::string& path, const std::string& runtime,
                                    const Session& session, ImportedConfigs& imported) {
  std::string text = session.read(path);
  if ((runtime.empty() || runtime == "helion") && intake::is_helion_tree_file(path))
    return intake::read_helion_tree(path, text);
  bool list = runtime.empty() ? path.ends_with(".py") : !is_tree_runtime(runtime);
  intake::ReadConfigs read =
      list ? intake::read_python_configs(path, text) : intake::read_tree_file(path, text, runtime);
  for (const std::string& remark : read.remarks) imported.remarks.push_back(path + ": " + remark);
  compare_names(path, read.set, imported);
  return {std::move(read.set)};
}

}  // namespace

const std::vector<std::string>& config_runtimes() {
  static const std::vector<std::string> words = {"vllm", "sglang", "triton", "helion", "cutile"};
  return words;
}

bool is_tree_runtime(const std::string& runtime) { return runtime == "vllm" || runtime == "sglang"; }

bool is_configs_path(const std::string& path) {
  return is_config_folder(path) || path.ends_with(".py") || is_known_file(path);
}

ImportedConfigs import_configs(const std::string& path, const std::string& runtime, const Session& session) {
  ImportedConfigs imported;
  bool folder = is_config_folder(path);
  FoundFiles found = folder ? find_files(path) : FoundFiles{{path}, {}};
  for (const std::string& why : found.unreadable)
    imported.remarks.push_back(why + "; what lies in it is not imported");
  std::vector<store::Draft> drafts;
  for (const std::string& file : found.paths) {
    if (folder && !is_known_file(file)) {
      ++imported.foreign;
      continue;
    }
    try {
      for (const ConfigSet& set : read_configs(file, runtime, session, imported)) {
        imported.configurations += set.rows.size();
        store::Draft draft = store::Draft::of(Kind::configurations, to_json(set));
        draft.id = uuid_v8(draft.body);
        drafts.push_back(std::move(draft));
      }
    } catch (const Error& e) {
      if (!folder || e.exit != Exit::usage) throw;
      ++imported.rejected;
      imported.refused.push_back(e.what());
    }
  }
  for (const store::Appended& one : session.writer().append(std::move(drafts)))
    ++(one.created ? imported.added : imported.skipped);
  return imported;
}

ExportedConfigs export_configs(const std::string& runtime, const std::string& name, const Session& session) {
  std::vector<Tuned> results;
  for (StoredTuned& stored : stored_results(name, session)) results.push_back(std::move(stored.tuned));
  sql::Db db = session.reader();
  std::vector<ConfigSet> sets = store::config_sets(db, runtime, name);
  bool tree = is_tree_runtime(runtime);
  tune::ConfigSets own = tree ? tune::tree_sets(results, runtime) : tune::list_sets(results, runtime);
  for (ConfigSet& set : own.sets) sets.push_back(std::move(set));
  ExportedConfigs exported;
  exported.left_out = std::move(own.left_out);
  std::map<std::string, ConfigSet> files;  // the last of a name, which is the newest
  if (tree) {
    for (ConfigSet& set : sets) files.insert_or_assign(config_path(set), std::move(set));
    for (const auto& [path, set] : files) {
      exported.configurations += set.rows.size();
      exported.files.emplace_back(path, tune::tree_text(set));
    }
  } else if (!sets.empty()) {
    for (const ConfigSet& set : sets) exported.configurations += set.rows.size();
    exported.files.emplace_back("", tune::python_text(sets, runtime));
  }
  return exported;
}

}  // namespace explog::app
