#include "bench/judge/signature.h"

#include <algorithm>

#include "base/error.h"
#include "bench/draft.h"
#include "bench/judge/python_contract.h"
#include "broken.h"
#include "entry.h"
#include "model/comments.h"
#include "targets.h"

namespace explog::fuzz {

namespace {

void must_accept(const std::string& source, const Task& task) {
  try {
    bench::check_signature(source, "fuzz.cu", task);
  } catch (const Error& e) {
    broken(e.what(), source);
  }
}

// Every byte may be Python, too: whatever is found has a name and a backend.
void must_read_as_python(const std::string& source) {
  bench::PythonContract c = bench::python_contract(source);
  if (c.entry.empty() != (c.kind == bench::PythonContract::Kind::none))
    broken("a contract without entry", source);
  if (c.backend.empty()) broken("a contract without backend", source);
}

}  // namespace

// Blanking keeps every line and column where it is; a task that is drafted from a source accepts that source.
void fuzz_signature(std::string_view data) {
  std::string source(data), blank = without_comments(source, {.literals = true});
  auto lines = [](const std::string& s) { return std::count(s.begin(), s.end(), '\n'); };
  if (blank.size() != source.size() || lines(blank) != lines(source)) broken("lines moved", source);
  must_read_as_python(source);
  try {
    bench::Draft draft = bench::draft_task({"fuzz.cu", source, "", {{"N", 64}, {"M", 7}, {"K", 1}}});
    if (to_json(parse_task(to_json(draft.task))) != to_json(draft.task)) broken("does not read back", source);
    must_accept(source, draft.task);
    if (draft.reference.find("throw") == std::string::npos) broken("a draft that computes", source);
  } catch (const Error& e) {
    if (e.exit != Exit::usage || std::string_view(e.what()).empty()) broken("an error without words", source);
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_signature)
