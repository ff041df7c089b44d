#include "answers/remotes.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {

std::string remotes_json(const std::vector<store::RemoteRow>& remotes) {
  JsonWriter json;
  begin_answer(json);
  json.key("remotes");
  json.begin_array();
  for (const store::RemoteRow& row : remotes) {
    json.begin_object();
    json.field("name", row.name);
    json.field("url", sync::without_password(row.url));
    json.field("trust", trust_word(row.trust));
    json.field("last_error", row.last_error);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_remotes(const Terminal& terminal, const std::vector<store::RemoteRow>& remotes) {
  for (const store::RemoteRow& row : remotes)
    terminal.out << fmt::format("{:<12} {}  (newcomers: {})\n", printable(row.name),
                                printable(sync::without_password(row.url)), trust_word(row.trust));
  if (remotes.empty()) terminal.out << "no remotes; `explog remote add NAME URL` makes one\n";
}

std::string added_remote_json(const app::AddedRemote& added) {
  JsonWriter json;
  begin_answer(json);
  json.field("name", added.name);
  json.field("url", added.url);
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
