#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "bench/foreign_parts.h"
#include "bench/given.h"
#include "model/json.h"

namespace explog::bench {
namespace {

// "kernel.py::run": a file in Python is a candidate as it is where its function has a name that explog calls; beside
// another a file is laid that gives it one.
void add_entry(const std::string& entry, const std::string& folder, ForeignTask& made) {
  std::string file = entry.substr(0, entry.find("::"));
  std::string function = file.size() < entry.size() ? entry.substr(file.size() + 2) : "";
  std::string module = file.substr(0, file.rfind('.'));
  if (!file.ends_with(".py") || !is_name(module) || !is_name(function)) {
    made.left_out.push_back(
        folder +
        ": its entry takes tensors; a candidate of explog defines solve() (baseline.cu has its signature)");
    return;
  }
  if (function != "run" && function != "solve") {
    file = "explog_run.py";
    made.files.emplace_back(folder + "/" + file, "from " + module + " import " + function + " as run\n");
  }
  made.took.push_back(fmt::format("{}/{}: a candidate as it is", folder, file));
}

}  // namespace

void add_solution(const std::string& text, const std::string& name, ForeignTask& made) {
  Json solution = parsed_foreign(text, "solution");
  std::string of = text_at(solution, "definition");
  if (!of.empty() && of != name) return;
  std::string folder = "solutions/" + name_of(text_at(solution, "name"));
  const Json& spec = part(solution, "spec");
  const Json& languages = part(spec, "languages");
  std::string language =
      languages.is_array() && !languages.empty() ? text_of(languages[0]) : text_at(spec, "language");
  for (const Json& source : part(solution, "sources")) {
    std::string path = text_at(source, "path");
    if (is_inside(path))
      made.files.emplace_back(folder + "/" + path, text_at(source, "content"));
    else
      made.left_out.push_back("a source of the solution has the path '" + printable(path) + "'");
  }
  std::string entry = text_at(spec, "entry_point");
  made.took.push_back(fmt::format("{}: {} by {}, entry {}", folder, printable(language),
                                  printable(text_at(solution, "author")), printable(entry)));
  add_entry(entry, folder, made);
}

}  // namespace explog::bench
