// A plan of work for many machines: what people write, and the list that is made of it once
// (schema/formats/work_plan.md).
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::launch {

constexpr int work_plan_format = 1;  // of the file that people write, of plan.json and of the files beside it
constexpr std::size_t most_items = 100'000;

enum class ItemKind { campaign, tune };
std::string_view word(ItemKind kind);

// One line of what somebody wants done.
struct Wish {
  ItemKind kind = ItemKind::campaign;
  std::string name;                         // for people; "TASK FILE" where none is given
  std::string task, file;                   // as the command takes them, from the folder of the plan's file
  std::vector<std::string> options, files;  // of the command; files that the options name
};
// `otherwise`: what an item without a kind is. Throws JsonError naming the item.
std::vector<Wish> parse_wishes(std::string_view json, ItemKind otherwise);

// An item whose files lie with the plan: the id is made from all that it is.
struct Item {
  std::string id;
  ItemKind kind = ItemKind::campaign;
  std::string name, task, file;  // file: the kernel's name in the item's input
  std::vector<std::string> options;
};

struct WorkPlan {
  std::string explog, created;  // version of the program that judges all of it; "2026-11-22T10:00:00Z"
  std::string remote;           // where records go; empty: the folder log/ beside the list
  double beat_s = 5;            // how often a worker says that it lives
  double stale_s = 60;          // silence after which its items are taken over
  std::vector<Item> items;
};
std::string to_json(const WorkPlan& plan);
WorkPlan parse_work_plan(std::string_view json);  // throws JsonError naming the field

}  // namespace explog::launch
