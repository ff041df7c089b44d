#include "app/known_values.h"

#include <array>
#include <filesystem>

#include "app/judge/draft_task.h"
#include "app/sync/remotes.h"
#include "model/arch.h"
#include "model/cards.h"
#include "model/experience.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"
#include "store/query.h"

namespace explog::app {
namespace {

using List = std::vector<std::string>;

List tasks(const Session& session) {
  List names;
  for (const Task& task : known_tasks(session)) names.push_back(task.name);
  return names;
}

// A database is not made for a completion.
List remotes(const Session& session) {
  List names;
  if (!std::filesystem::exists(session.database())) return names;
  for (const store::RemoteRow& row : list_remotes(session)) names.push_back(row.name);
  return names;
}

// As the search language writes them.
List fields(const Session&) {
  List names = {"id:", "at:", "family:"};
  for (const Field& field : experience_fields()) names.push_back(std::string(field.name) + ":");
  return names;
}

List queries(const Session&) {
  List names;
  for (const store::NamedQuery& query : store::named_queries()) names.push_back(query.name);
  return names;
}

List cards_of(const Session&) {
  List names;
  for (const Card& card : cards()) names.emplace_back(card.name);
  return names;
}

template <Vocabulary vocabulary>
List words_in(const Session&) {
  return words(vocabulary);
}

struct ValueKind {
  const char* name;
  List (*values)(const Session&);
};

// What --arch takes.
List archs_and_cards(const Session& session) {
  List names = known_archs();
  for (const std::string& card : cards_of(session)) names.push_back(card);
  return names;
}

// Only names that are the program's or the user's own: shells expand what they are given here, and a stranger's label
// could be a command.
constexpr std::array<ValueKind, 16> kinds = {{
    {"strategies", [](const Session& session) { return session.playbook().names(); }},
    {"tasks", tasks},
    {"remotes", remotes},
    {"archs", archs_and_cards},
    {"cards", cards_of},
    {"families", [](const Session&) { return known_families(); }},
    {"kernels", [](const Session&) { return known_kernel_types(); }},
    {"fields", fields},
    {"queries", queries},
    {"backends", words_in<Vocabulary::backend>},
    {"bottlenecks", words_in<Vocabulary::bottleneck>},
    {"dtypes", words_in<Vocabulary::dtype>},
    {"outcomes", words_in<Vocabulary::outcome>},
    {"causes", words_in<Vocabulary::cause>},
    {"levels", words_in<Vocabulary::level>},
    {"categories", words_in<Vocabulary::category>},
}};

}  // namespace

std::vector<std::string> value_kinds() {
  List names;
  for (const ValueKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

std::vector<std::string> values_of(const std::string& kind, const Session& session) {
  for (const ValueKind& one : kinds) {
    if (kind == one.name) return one.values(session);
  }
  return {};
}

}  // namespace explog::app
