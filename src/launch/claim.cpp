#include "launch/claim.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>

#include "launch/fields.h"

namespace explog::launch {
namespace {

constexpr std::array<std::string_view, 5> state_words = {"waiting", "running", "preempted", "lost", "done"};

Json object_of(std::string_view text) {
  Json json = parse_json(text);
  if (!json.is_object()) bad("expected an object");
  refuse_other_format(json, work_plan_format);
  return json;
}

JsonWriter begun() {
  JsonWriter json;
  json.begin_object();
  json.field("format", work_plan_format);
  return json;
}

std::string ended(JsonWriter json) {
  json.end_object();
  return json.take() + "\n";
}

int whole_in(const Json& object, const char* key) {
  double number = number_in(object, key, "done.json");
  if (number < 0 || number > 1e6 || number != static_cast<int>(number))
    bad(std::string(key) + ": expected a whole number");
  return static_cast<int>(number);
}

}  // namespace

std::string to_json(const Claim& claim) {
  JsonWriter json = begun();
  json.field("worker", claim.worker), json.field("node", claim.node);
  json.field("machine", claim.machine), json.field("at", claim.at);
  return ended(std::move(json));
}

std::string to_json(const Left& left) {
  JsonWriter json = begun();
  json.field("why", left.why), json.field("at", left.at);
  return ended(std::move(json));
}

std::string to_json(const Done& done) {
  JsonWriter json = begun();
  json.field("attempt", done.attempt), json.field("exit", done.exit);
  json.field("worker", done.worker), json.field("node", done.node), json.field("at", done.at);
  json.field("wall_s", done.wall_s), json.field("said", done.said);
  return ended(std::move(json));
}

Claim parse_claim(std::string_view text) {
  Json json = object_of(text);
  const std::string where = "a claim";
  return {text_in(json, "worker", where), text_in(json, "node", where), text_in(json, "machine", where),
          text_in(json, "at", where)};
}

Left parse_left(std::string_view text) {
  Json json = object_of(text);
  return {text_in(json, "why", "left"), text_in(json, "at", "left")};
}

Done parse_done(std::string_view text) {
  Json json = object_of(text);
  const std::string where = "done.json";
  Done done;
  done.attempt = whole_in(json, "attempt"), done.exit = whole_in(json, "exit");
  done.worker = text_in(json, "worker", where), done.node = text_in(json, "node", where);
  done.at = text_in(json, "at", where), done.said = text_in(json, "said", where);
  done.wall_s = number_in(json, "wall_s", where);
  return done;
}

std::string_view word(ItemState state) { return state_words[static_cast<std::size_t>(state)]; }

ItemState state_of(const ItemFacts& facts, bool silent) {
  if (facts.done) return ItemState::done;
  if (!facts.claim) return ItemState::waiting;
  if (facts.left) return ItemState::preempted;
  return silent ? ItemState::lost : ItemState::running;
}

void Watch::look(const std::string& worker, const std::string& beat, double now) {
  auto [it, first] = seen_.try_emplace(worker, Seen{beat, now, 0});
  Seen& seen = it->second;
  if (seen.beat == beat)
    seen.silent += std::min(now - seen.looked, longest_gap_);
  else
    seen.beat = beat, seen.silent = 0;
  seen.looked = now;
}

bool Watch::is_silent(const std::string& worker) const {
  auto it = seen_.find(worker);
  return it != seen_.end() && it->second.silent >= stale_s_;
}

bool is_of_shard(const Item& item, const PlanShard& shard) {
  std::uint64_t number = 0;  // the id is a hash already
  std::from_chars(item.id.data(), item.id.data() + item.id.size(), number, 16);
  return number % shard.n == shard.k - 1;
}

}  // namespace explog::launch
