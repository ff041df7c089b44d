#include "bench/ladder.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/text.h"
#include "bench/ladder_file.h"
#include "model/backend.h"

namespace explog::bench {
namespace {

constexpr std::string_view folder = "kernels/";

// "softmax", "online.cu" of kernels/softmax/online.cu; nothing for other files.
std::pair<std::string_view, std::string_view> split_path(std::string_view path) {
  if (!path.starts_with(folder)) return {};
  path.remove_prefix(folder.size());
  std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

// The steps that are files, and those of all ladder.json, where `is_of` says yes to the file's name.
template <class Is>
void add_files(std::vector<Step>& steps, Is&& is_of, const std::string& baseline) {
  for (const EmbeddedFile& file : embedded_files()) {
    auto [task, name] = split_path(file.path);
    if (!is_of(name)) continue;
    Step step = parse_step(task, name, file.text, baseline);
    if (!step.strategy.empty()) steps.push_back(std::move(step));
  }
}

template <class Is>
void add_rows(std::vector<Step>& steps, Is&& is_of) {
  for (const EmbeddedFile& file : embedded_files()) {
    auto [task, name] = split_path(file.path);
    if (name != "ladder.json") continue;
    for (LadderRow& row : embedded_ladder(std::string(task))) {
      if (is_of(row.step))
        steps.push_back({std::string(task), row.step, row.strategy, row.after, row.predicts});
    }
  }
}

// Each step goes behind the one it changes; the rest keeps its order.
std::vector<Step> in_order(std::vector<Step> steps) {
  std::vector<Step> ordered;
  auto is_there = [&](const Step& s) {
    auto same = [&](const Step& o) { return o.task == s.task && o.file == s.after; };
    return std::any_of(ordered.begin(), ordered.end(), same) ||
           std::none_of(steps.begin(), steps.end(), same);
  };
  while (!steps.empty()) {
    auto next = std::find_if(steps.begin(), steps.end(), is_there);
    if (next == steps.end()) next = steps.begin();  // a ring: the heads are wrong, a test says so
    Step step = std::move(*next);
    steps.erase(next);
    ordered.push_back(std::move(step));
  }
  return ordered;
}

template <class Is>
std::vector<Step> steps_of(Is&& is_of, const std::string& baseline) {
  std::vector<Step> steps;
  add_files(steps, is_of, baseline);
  add_rows(steps, is_of);
  auto path_of = [](const Step& s) { return s.task + "/" + s.file; };
  std::sort(steps.begin(), steps.end(),
            [&](const Step& a, const Step& b) { return path_of(a) < path_of(b); });
  return in_order(std::move(steps));
}

}  // namespace

Step parse_step(std::string_view task, std::string_view file, std::string_view text,
                const std::string& baseline) {
  Step step{std::string(task), std::string(file), "", baseline, ""};
  std::string_view mark = file.ends_with(".py") ? "# " : "// ";
  for (std::string_view line : split(text.substr(0, 4096), '\n')) {
    if (!line.starts_with(mark)) break;
    line = trim(line.substr(mark.size()));
    for (auto [key, field] : {std::pair("strategy: ", &step.strategy),
                              {"after: ", &step.after},
                              {"predicts: ", &step.predicts}}) {
      if (line.starts_with(key)) *field = trim(line.substr(std::string_view(key).size()));
    }
  }
  return step;
}

std::vector<Step> ladder_steps(const std::string& backend) {
  const Backend& row = backend_named(backend);
  std::string prefix = row.in_python ? backend + "_" : "";
  return steps_of(
      [&](std::string_view name) { return name.starts_with(prefix) && name.ends_with(row.endings.front()); },
      naive_of(backend));
}

std::string naive_of(const std::string& backend) {
  const Backend& row = backend_named(backend);
  return row.in_python ? backend + "_naive.py" : row.naive();
}

}  // namespace explog::bench
