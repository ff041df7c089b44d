#include "base/error.h"
#include "bench/foreign_task.h"
#include "broken.h"
#include "entry.h"
#include "model/json.h"
#include "targets.h"

namespace explog::fuzz {

// The first line as a definition with the others as workloads, and all of it as what a probe said: a task that reads
// back, or an error in words.
void fuzz_foreign_task(std::string_view data) {
  std::string text(data);
  auto check_task = [](auto make) {
    try {
      Task task = make().task;
      if (to_json(parse_task(to_json(task))) != to_json(task)) broken("does not read back", to_json(task));
    } catch (const Error&) {
    } catch (const JsonError&) {
    }
  };
  size_t line = text.find('\n');
  std::string rest = line == std::string::npos ? "" : text.substr(line + 1);
  check_task([&] {
    return bench::task_of_definition(sol_exec_bench, text.substr(0, line), {rest.substr(0, rest.find('\n'))},
                                     {rest});
  });
  check_task([&] { return bench::task_of_probe(text, "name"); });
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_foreign_task)
