#include "bench/find_task.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>

#include "base/embedded.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/raw_file.h"
#include "base/text.h"
#include "bench/harness/source_file.h"
#include "model/json.h"

namespace explog::bench {
namespace {

namespace fs = std::filesystem;

// Where a task.json lies, on disk or in the program.
struct Place {
  std::string folder, file;
  bool embedded = false;

  std::string path() const { return folder + "/" + file; }
  std::string text_of(const std::string& name) const {
    if (!embedded) return read_source(folder + "/" + name).text;
    return std::string(embedded_file(folder + "/" + name).value_or(""));
  }
};

// A name is that of the file or of its folder; of a task of the data folder; of one of the program's.
Place place_of(const std::string& name, const std::string& data_dir) {
  std::error_code ignored;
  for (const std::string& base : {name, data_dir.empty() ? "" : data_dir + "/kernels/" + name}) {
    fs::path path(base);
    if (fs::is_directory(path, ignored)) path /= "task.json";
    if (!fs::is_regular_file(path, ignored)) continue;
    return {fs::absolute(path).parent_path().string(), path.filename().string()};
  }
  Place place{"kernels/" + name, "task.json", true};
  if (embedded_file(place.path())) return place;
  throw Error(Exit::usage,
              "no task '" + name + "'" + did_you_mean(name, embedded_task_names()) +
                  ": neither a file, nor a folder, nor one of " + join(embedded_task_names(), ", "),
              "explog task init FILE.cu --dims ... drafts one");
}

Task parse_at(const Place& place, const std::string& text) {
  try {
    return parse_task(text);
  } catch (const JsonError& e) {
    if (fs::path(place.file).extension() != ".json")
      throw Error(
          Exit::usage, place.path() + " describes no task",
          "the task comes before the kernel's file: a name such as softmax, a folder with a task.json, or "
          "such a file");
    throw Error(Exit::usage, place.path() + ": " + e.what(), "kernels/README.md describes task.json");
  }
}

// Of a file of inputs, piece by piece.
std::string hash_of_file(const std::string& path) {
  constexpr std::uint64_t piece = 64 << 20;
  RawFile file(path);
  std::string hashes;
  for (std::uint64_t at = 0; at < file.size(); at += piece)
    hashes += hex(blake2b_128(file.read(at, std::min(piece, file.size() - at))));
  return hashes;
}

std::string hash_at(const Place& place, const std::string& text, const Task& task) {
  std::string all = text + place.text_of(task.reference);
  std::set<std::string> files;
  for (const GivenShape& given : task.given) {
    for (const GivenInput& input : given.inputs) files.insert(input.file);
  }
  for (const std::string& file : files) all += '\0' + file + '\0' + hash_of_file(place.folder + "/" + file);
  return hex(blake2b_128(all));
}

FoundTask found_at(const Place& place) {
  std::string text = place.text_of(place.file);
  Task task = parse_at(place, text);
  std::string hash = hash_at(place, text, task);
  return {std::move(task), place.embedded ? "" : place.folder, hash};
}

}  // namespace

std::vector<std::string> embedded_task_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.starts_with("kernels/") && file.path.ends_with("/task.json"))
      names.emplace_back(file.path.substr(8, file.path.size() - 8 - 10));
  }
  return names;
}

bool is_built_in(const std::string& name, const std::string& hash) {
  return embedded_file("kernels/" + name + "/task.json") && embedded_task(name).hash == hash;
}

FoundTask embedded_task(const std::string& name) { return found_at({"kernels/" + name, "task.json", true}); }

FoundTask find_task(const std::string& name, const std::string& data_dir) {
  return found_at(place_of(name, data_dir));
}

}  // namespace explog::bench
