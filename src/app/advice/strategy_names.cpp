#include "app/advice/strategy_names.h"

#include "base/error.h"
#include "base/text.h"
#include "model/event.h"
#include "model/strategy_words.h"
#include "model/vocabulary.h"

namespace explog::app {
namespace {

constexpr std::size_t most_neighbours = 3;

}  // namespace

std::vector<UnmappedStrategy> unmapped_strategies(const Session& session) {
  sql::Db db = session.reader();
  Playbook playbook = session.playbook();
  StrategyReader reader(playbook);
  auto aliases = store::strategy_aliases(db);
  std::vector<UnmappedStrategy> list;
  for (store::StrategyCount& count : store::strategy_counts(db)) {
    auto alias = aliases.find(count.name);
    const std::string& meant = alias != aliases.end() ? alias->second : count.name;
    if (playbook.find(meant) != nullptr) continue;
    auto near = reader.nearest(count.name, most_neighbours);
    list.push_back({std::move(count), std::move(near)});
  }
  return list;
}

NewAlias alias_strategy(const std::string& name, const std::string& target, const Session& session) {
  Playbook playbook = session.playbook();
  NewAlias alias{canonical_strategy(name), canonical_strategy(target)};
  if (alias.name.empty()) throw Error(Exit::usage, "strategies alias: the name is empty");
  if (const Strategy* own = playbook.find(alias.name))
    throw Error(Exit::usage, "'" + alias.name + "' is " + own->id + " in the playbook already");
  bool forget = alias.target == alias.name;
  const Strategy* strategy = playbook.find(alias.target);
  if (!forget && strategy == nullptr)
    throw Error(Exit::usage,
                "no strategy '" + printable(target) + "'" + did_you_mean(target, playbook.names()),
                "`explog strategies` lists them");
  if (!forget) alias.target = strategy->id;
  store::Store store = session.writer();
  std::int64_t lamport = store::alias_clock(store.db()) + 1;
  std::vector<store::Draft> drafts;
  drafts.push_back(
      store::Draft::of(Kind::strategy_alias, to_json(StrategyAlias{alias.name, alias.target, lamport})));
  store.append(std::move(drafts));
  for (const store::StrategyCount& count : store::strategy_counts(store.db())) {
    if (count.name == alias.name) alias.records = count.n;
  }
  return alias;
}

}  // namespace explog::app
