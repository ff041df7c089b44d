#include "answers/problem.h"

#include "answers/answer.h"
#include "base/text.h"

namespace explog::answers {

std::string error_json(const Error& e) {
  JsonWriter json;
  begin_answer(json);
  json.key("error");
  json.begin_object();
  json.field("code", e.code);
  json.field("exit", static_cast<int>(e.exit));
  json.field("message", printable(e.what(), false));
  json.field("hint", printable(e.hint, false));
  json.field("retryable", e.retryable());
  json.end_object();
  json.end_object();
  return json.take();
}

std::string warning_json(const Warning& warning) {
  JsonWriter json;
  begin_answer(json);
  json.key("warning");
  json.begin_object();
  json.field("code", warning.code);
  json.field("message", printable(warning.message, false));
  json.field("hint", printable(warning.hint, false));
  json.field("retryable", warning.retryable);
  json.end_object();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
