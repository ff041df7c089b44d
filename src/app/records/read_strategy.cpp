#include "app/records/read_strategy.h"

#include <fmt/format.h>

#include <utility>

#include "base/text.h"
#include "model/vocabulary.h"

namespace explog::app {
namespace {

constexpr std::size_t most_remembered = 20000;

void keep_values(Experience& e, const StrategyReading& reading) {
  const KnobChange& change = *reading.change;
  if (e.params.empty()) {
    if (change.from) e.params.emplace_back("from", *change.from);
    if (change.to) e.params.emplace_back("to", *change.to);
  }
  auto colon = reading.strategy.find(':');
  if (colon != std::string::npos && change.from)
    add_named(e.state, reading.strategy.substr(0, colon), *change.from);
}

}  // namespace

std::string StrategyWords::put_id(Experience& e) {
  if (e.strategy.empty() || !e.strategy_text.empty()) return "";
  if (playbook_.find(e.strategy) != nullptr) return "";
  // A tuner's name for a move of a knob fits its own state, which has the knob under the same name.
  if (e.strategy.find(':') != std::string::npos && !e.state.empty()) return "";
  std::string backend = canonical(Vocabulary::backend, e.backend).value_or("");
  if (known_.size() > most_remembered) known_.clear();
  auto [at, is_new] = known_.try_emplace(backend + '\n' + e.strategy);
  if (is_new) {
    if (!reader_) reader_.emplace(playbook_);
    at->second = reader_->read(e.strategy, backend);
  }
  if (!at->second) return "";
  e.strategy_text = std::exchange(e.strategy, at->second->strategy);
  if (at->second->change) keep_values(e, *at->second);
  return is_new ? fmt::format("strategy '{}' taken as {}", printable(e.strategy_text), e.strategy) : "";
}

}  // namespace explog::app
