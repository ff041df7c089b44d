#include "answers/problem.h"

#include <optional>

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {
namespace {

// {"format":1,"KIND":{...}}; what ends nothing has no exit code.
std::string problem_json(const char* kind, const Warning& w, std::optional<Exit> exit) {
  JsonWriter json;
  begin_answer(json);
  json.key(kind);
  json.begin_object();
  json.field("code", w.code);
  if (exit) json.field("exit", static_cast<int>(*exit));
  json.field("message", printable(w.message, false));
  json.field("hint", printable(w.hint, false));
  json.field("retryable", w.retryable);
  json.end_object();
  json.end_object();
  return json.take();
}

}  // namespace

std::string error_json(const Error& e) {
  return problem_json("error", {e.code, e.what(), e.hint, e.retryable()}, e.exit);
}

std::string warning_json(const Warning& w) { return problem_json("warning", w, std::nullopt); }

}  // namespace explog::answers
