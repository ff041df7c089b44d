#include "launch/work_plan.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "launch/fields.h"

namespace explog::launch {
namespace {

constexpr std::array<std::string_view, 2> kind_words = {"campaign", "tune"};
// The worker itself says where an item runs and what its database is.
const std::set<std::string, std::less<>> reserved = {"--out",  "--db",    "--data",  "--json",
                                                     "--plan", "--shard", "--shards"};

ItemKind kind_of(const std::string& text, const std::string& where) {
  auto it = std::find(kind_words.begin(), kind_words.end(), text);
  if (it == kind_words.end()) bad(where + ": kind: '" + text + "' is neither campaign nor tune");
  return static_cast<ItemKind>(it - kind_words.begin());
}

std::vector<std::string> options_in(const Json& object, const std::string& where) {
  std::vector<std::string> options = texts_in(object, "options", where);
  for (const std::string& option : options) {
    std::string flag = option.substr(0, option.find('='));
    if (reserved.contains(flag)) bad(where + ": options: " + flag + " is the plan's to give");
  }
  return options;
}

// A name inside the folder of the plan's file: it is copied beside the kernel.
void check_plain_name(const std::string& name, const std::string& where) {
  bool plain = !name.empty() && name.find('/') == std::string::npos && name != "." && name != "..";
  if (!plain) bad(where + ": files: '" + name + "' is no plain name of a file beside the kernel");
}

Wish wish_in(const Json& object, ItemKind otherwise, const std::string& where) {
  check_keys(object, {"kind", "name", "task", "file", "options", "files"}, where);
  Wish wish;
  wish.kind = object.contains("kind") ? kind_of(text_in(object, "kind", where), where) : otherwise;
  wish.task = text_in(object, "task", where), wish.file = text_in(object, "file", where);
  wish.name = object.contains("name") ? text_in(object, "name", where) : wish.task + " " + wish.file;
  wish.options = options_in(object, where);
  wish.files = texts_in(object, "files", where);
  for (const std::string& file : wish.files) check_plain_name(file, where);
  return wish;
}

const Json& items_in(const Json& json) {
  if (!json.contains("items") || !json["items"].is_array() || json["items"].empty())
    bad("items: expected a list of at least one");
  if (json["items"].size() > most_items) bad("items: more than " + std::to_string(most_items));
  return json["items"];
}

Item item_in(const Json& object, const std::string& where) {
  Item item;
  item.id = text_in(object, "id", where);
  bool sound = item.id.size() == 16 && item.id.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!sound) bad(where + ": id: expected 16 hex digits");
  item.kind = kind_of(text_in(object, "kind", where), where);
  item.name = text_in(object, "name", where), item.task = text_in(object, "task", where);
  item.file = text_in(object, "file", where);
  check_plain_name(item.file, where);
  item.options = options_in(object, where);
  return item;
}

}  // namespace

std::string_view word(ItemKind kind) { return kind_words[static_cast<std::size_t>(kind)]; }

std::vector<Wish> parse_wishes(std::string_view text, ItemKind otherwise) {
  Json json = parse_json(text);
  if (!json.is_object()) bad("expected an object");
  refuse_other_format(json, work_plan_format);
  check_keys(json, {"format", "items"}, "the plan");
  std::vector<Wish> wishes;
  for (const Json& object : items_in(json))
    wishes.push_back(wish_in(object, otherwise, "item " + std::to_string(wishes.size() + 1)));
  return wishes;
}

std::string to_json(const WorkPlan& plan) {
  JsonWriter json;
  json.begin_object();
  json.field("format", work_plan_format);
  json.field("explog", plan.explog), json.field("created", plan.created), json.field("remote", plan.remote);
  json.field("beat_s", plan.beat_s), json.field("stale_s", plan.stale_s);
  json.key("items");
  json.begin_array();
  for (const Item& item : plan.items) {
    json.begin_object();
    json.field("id", item.id), json.field("kind", item.kind), json.field("name", item.name);
    json.field("task", item.task), json.field("file", item.file);
    json.field("options", item.options);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take() + "\n";
}

WorkPlan parse_work_plan(std::string_view text) {
  Json json = parse_json(text);
  if (!json.is_object()) bad("expected an object");
  refuse_other_format(json, work_plan_format);
  WorkPlan plan;
  plan.explog = text_in(json, "explog", "the list"), plan.created = text_in(json, "created", "the list");
  plan.remote = text_in(json, "remote", "the list");
  plan.beat_s = number_in(json, "beat_s", "the list"), plan.stale_s = number_in(json, "stale_s", "the list");
  if (plan.beat_s < 0.1 || plan.beat_s > 3600) bad("beat_s: expected 0.1 to 3600");
  if (plan.stale_s < 2 * plan.beat_s) bad("stale_s: expected two beats at least");
  std::set<std::string> ids;
  for (const Json& object : items_in(json)) {
    plan.items.push_back(item_in(object, "item " + std::to_string(plan.items.size() + 1)));
    if (!ids.insert(plan.items.back().id).second) bad("id: " + plan.items.back().id + " is there twice");
  }
  return plan;
}

}  // namespace explog::launch
