#include "app/gate/tasks.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/find_task.h"
#include "bench/workbench.h"
#include "model/backend.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr int gate_task_format = 1;

std::string text_of(const Json& object, const char* key) {
  if (!object.contains(key)) return "";
  if (!object[key].is_string()) bad(std::string("\"") + key + "\" must be text");
  return object[key].get<std::string>();
}

// `name` beside the file at `path`, as a path from the root; nothing where that leaves the repository.
std::string beside(const std::string& path, const std::string& name) {
  std::string joined = (fs::path(path).parent_path() / name).lexically_normal().generic_string();
  if (fs::path(name).is_absolute() || joined.starts_with(".."))
    bad("\"" + name + "\" is outside the repository");
  return joined;
}

// {"task": ..., "kernel": ...}
void read_entry(GateTask& task, const Json& object, const std::string& root, const std::string& path) {
  refuse_other_format(object, gate_task_format);
  check_keys(object, {"format", "name", "task", "kernel", "backend", "flags"}, "a task of the gate");
  if (std::string name = text_of(object, "name"); !name.empty()) task.name = name;
  task.task = text_of(object, "task");
  std::string kernel = text_of(object, "kernel");
  if (task.task.empty() || kernel.empty()) bad("\"task\" and \"kernel\" are needed");
  task.kernel = beside(path, kernel);
  bool own = task.task.find('/') != std::string::npos || fs::exists(fs::path(root) / beside(path, task.task));
  if (own) task.task = beside(path, task.task);
  if (std::string backend = text_of(object, "backend"); !backend.empty()) task.backend = backend;
  if (!object.contains("flags")) return;
  if (!object["flags"].is_array()) bad("\"flags\" must be a list");
  for (const Json& flag : object["flags"]) {
    if (!flag.is_string()) bad("\"flags\" must hold text");
    task.flags.push_back(flag.get<std::string>());
  }
}

// Without a backend named the first whose compilers are here.
void read_task_json(GateTask& task, const std::string& root, const std::string& path) {
  Task whole = bench::find_task((fs::path(root) / path).string(), "").task;
  task.name = whole.name;
  task.task = path;
  for (const TaskBackend& backend : whole.backends) {
    if (!task.backend.empty() && backend.name != task.backend) continue;
    try {
      bench::find_toolchain(backend.name, "", {});
    } catch (const Error& e) {
      task.trouble = e.what();
      continue;
    }
    task.backend = backend.name;
    task.kernel = beside(path, backend.baseline);
    task.trouble.clear();
    return;
  }
  if (task.trouble.empty()) task.trouble = "the task has no backend '" + task.backend + "'";
}

}  // namespace

GateTask gate_task_in(const std::string& root, const std::string& path, const std::string& backend) {
  GateTask task;
  task.name = fs::path(path).stem().stem().string();
  task.backend = backend;
  try {
    Json object = parse_json(read_file(root + "/" + path));
    if (object.is_object() && object.contains("arguments"))
      read_task_json(task, root, path);
    else if (object.is_object())
      read_entry(task, object, root, path);
    else
      bad("must be an object");
  } catch (const JsonError& e) {
    task.trouble = path + ": " + e.what();
  } catch (const Error& e) {
    task.trouble = path + ": " + e.what();
  }
  if (task.backend.empty()) task.backend = backend_of_file(task.kernel);
  return task;
}

}  // namespace explog::app
