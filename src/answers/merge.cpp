#include "answers/merge.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {

std::string merged_json(const store::Store::Merged& merged) {
  JsonWriter json;
  begin_answer(json);
  json.field("added", merged.added);
  json.field("skipped", merged.skipped);
  json.field("rejected", merged.refused.size());
  json.key("unsigned");
  json.begin_array();
  for (const OriginId& origin : merged.unvouched) json.text(hex(origin));
  json.end_array();
  json.end_object();
  return json.take();
}

void warn_of_merged(const Terminal& terminal, const store::Store::Merged& merged) {
  for (const std::string& text : merged.refused) terminal.warn({"refused", "refused: " + text});
  for (const OriginId& origin : merged.unvouched) {
    std::string name = hex(origin).substr(0, 12);
    terminal.warn(
        {"unsigned", "no signature vouches for the records of " + name +
                         ": what they say was measured counts as imported until `explog trust set " + name +
                         " team`"});
  }
}

void print_merged(const Terminal& terminal, const store::Store::Merged& merged) {
  terminal.out << fmt::format("added {} events, skipped {} (known already), rejected {}\n", merged.added,
                              merged.skipped, merged.refused.size());
}

std::string duplicates_json(const std::vector<app::Duplicates>& groups) {
  JsonWriter json;
  begin_answer(json);
  json.key("groups");
  json.begin_array();
  for (const app::Duplicates& group : groups) {
    json.begin_object();
    json.field("what", group.what);
    json.field("keep", group.keep);
    json.field("fold", group.fold);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_duplicates(const Terminal& terminal, const std::vector<app::Duplicates>& groups) {
  for (const app::Duplicates& group : groups) {
    terminal.out << printable(group.what) << "\n  keep " << group.keep << '\n';
    for (const std::string& id : group.fold) terminal.out << "  fold " << id << '\n';
  }
}

}  // namespace explog::answers
