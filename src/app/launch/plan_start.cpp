#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/campaign/sources.h"
#include "app/launch/plan_folder.h"
#include "app/sync/remotes.h"
#include "base/date.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "bench/find_task.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t largest_input = 64U << 20;  // of one item, all files together

std::vector<launch::Wish> read_wishes(const PlanStart& start, const Session& session) {
  try {
    return launch::parse_wishes(session.read(start.file), start.kind);
  } catch (const JsonError& e) {
    throw Error(Exit::usage, printable(start.file) + ": " + printable(e.what()),
                "schema/formats/work_plan.md has an example");
  }
}

// As a path from here, when the plan's file names it from where it lies.
std::string named_from(const std::string& plan_file, const std::string& name) {
  return (fs::path(plan_file).parent_path() / name).string();
}

void copy_file_to(const fs::path& from, const fs::path& to) {
  fs::create_directories(to.parent_path());
  write_file(to.string(), read_file(from.string()));
}

// The folder of a task of the user's own, where `--data` finds it by its name.
std::string put_task(const launch::Wish& wish, const PlanStart& start, const fs::path& input,
                     const Session& session) {
  const std::string local = named_from(start.file, wish.task);
  bench::FoundTask found = bench::find_task(fs::exists(local) ? local : wish.task, session.data_dir);
  if (found.folder.empty()) return found.task.name;
  for (const auto& entry : fs::directory_iterator(found.folder)) {
    if (!entry.is_regular_file() || entry.file_size() > largest_input) continue;
    copy_file_to(entry.path(), input / "data" / "kernels" / found.task.name / entry.path().filename());
  }
  return found.task.name;
}

// Names and bytes of everything below a folder, in order.
std::string digest_of(const fs::path& folder) {
  std::set<std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.insert(entry.path().string());
  }
  std::string all;
  for (const std::string& file : files) {
    std::string text = read_file(file);
    all += fmt::format("{}\n{}\n", fs::path(file).lexically_relative(folder).string(), text.size()) + text;
  }
  return hex(blake2b_128(all));
}

std::string id_of(const launch::Item& item, const std::string& digest) {
  std::string all = fmt::format("{}\n{}\n{}\n{}", word(item.kind), item.task, item.file, digest);
  for (const std::string& option : item.options) all += "\n" + option;
  return hex(blake2b_128(all)).substr(0, 16);
}

// Gathers an item's files in a folder of their own, which then gets the item's name.
launch::Item put_item(const launch::Wish& wish, const PlanStart& start, const Session& session) {
  const fs::path items = fs::path(start.out) / "items", draft = items / (".new-" + hex(random_bytes16()));
  const fs::path source = draft / "input" / "src";
  fs::create_directories(source);
  launch::Item item{"", wish.kind, wish.name, "", fs::path(wish.file).filename().string(), wish.options};
  bench::SourceFile kernel = bench::read_source(named_from(start.file, wish.file));
  put_includes(kernel, source.string());
  write_file((source / item.file).string(), kernel.text);
  const std::string near = fs::path(named_from(start.file, wish.file)).parent_path().string();
  for (const std::string& name : wish.files) copy_file_to(fs::path(near) / name, source / name);
  item.task = put_task(wish, start, draft / "input", session);
  item.id = id_of(item, digest_of(draft / "input"));
  std::error_code there;
  fs::rename(draft, items / item.id,
             there);  // fails where it is already: by an earlier call, or a machine beside us
  if (there) fs::remove_all(draft);
  return item;
}

void refuse_twins(const std::vector<launch::Item>& items) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (items[i].id == items[j].id)
        throw Error(Exit::usage, fmt::format("items {} and {} of the plan are the same", j + 1, i + 1),
                    "an item is its kind, task, files and options; leave one out");
    }
  }
}

bool same_items(const launch::WorkPlan& a, const launch::WorkPlan& b) {
  std::set<std::string> ids;
  for (const launch::Item& item : a.items) ids.insert(item.id);
  return a.items.size() == b.items.size() &&
         std::all_of(b.items.begin(), b.items.end(),
                     [&](const launch::Item& item) { return ids.contains(item.id); });
}

void ready_log(const PlanFolder& folder, const Session& session) {
  if (!folder.plan().remote.empty()) return;
  fs::create_directories(folder.path() + "/log");
  auto ready = found_remote(session, folder.remote(), {});
  if (!ready) throw Error(Exit::remote, ready.failure().what, ready.failure().hint);
}

}  // namespace

PlanFolder make_plan(const PlanStart& start, const Session& session) {
  if (start.out.empty()) throw Error(Exit::usage, "--plan: --out DIR names the folder that all machines see");
  launch::WorkPlan plan;
  plan.explog = EXPLOG_VERSION, plan.created = utc_text(session.clock());
  plan.remote = start.remote, plan.beat_s = start.beat_s, plan.stale_s = start.stale_s;
  if (plan.stale_s < 2 * plan.beat_s)
    throw Error(Exit::usage, "--stale: shorter than two beats", "--beat S says how often a worker beats");
  auto wishes = read_wishes(start, session);
  if (fs::exists(start.out + "/campaign.json"))
    throw Error(Exit::usage, printable(start.out) + ": a campaign is there",
                "--out DIR names another folder");
  fs::create_directories(start.out + "/workers");
  for (const launch::Wish& wish : wishes) {
    try {
      plan.items.push_back(put_item(wish, start, session));
    } catch (const Error& e) {
      throw Error(e.exit, fmt::format("item {}: {}", plan.items.size() + 1, e.what()), e.hint, e.code);
    }
  }
  refuse_twins(plan.items);
  bool first = put_once(start.out + "/plan.json", to_json(plan));
  PlanFolder folder(start.out, true);
  if (!first && !same_items(folder.plan(), plan))
    throw Error(Exit::usage, printable(start.out) + ": another plan is there already",
                "--out DIR names another folder; `explog campaign status --out " + printable(start.out) +
                    "` shows this one");
  ready_log(folder, session);
  return folder;
}

}  // namespace explog::app
