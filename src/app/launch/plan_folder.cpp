#include "app/launch/plan_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "model/json.h"

namespace explog::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* plan_name = "/plan.json";

// What one of the folder's small files says; one that somebody damaged is named.
template <class Parse>
auto read_as(const std::string& path, const std::string& text, Parse parse) {
  try {
    return parse(text);
  } catch (const JsonError& e) {
    throw Error(Exit::store, printable(path) + ": " + printable(e.what()),
                "schema/formats/work_plan.md describes the file");
  }
}

// 3 of "claim-3.json"; nothing for other names.
std::optional<int> attempt_in(const std::string& name) {
  constexpr std::string_view front = "claim-", back = ".json";
  if (!name.starts_with(front) || !name.ends_with(back)) return std::nullopt;
  int number = 0;
  const char* end = name.data() + name.size() - back.size();
  auto [stop, error] = std::from_chars(name.data() + front.size(), end, number);
  return error == std::errc() && stop == end && number > 0 ? std::optional(number) : std::nullopt;
}

std::string numbered(const char* what, int attempt) { return fmt::format("/{}-{}.json", what, attempt); }

[[noreturn]] void lost_sight(const std::string& path, const std::error_code& why) {
  throw Error(Exit::remote, "cannot read " + printable(path) + ": " + why.message(),
              "is the folder still mounted?");
}

std::vector<std::string> names_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  fs::directory_iterator at(folder, error), end;
  while (!error && at != end) {
    names.push_back(at->path().filename().string());
    at.increment(error);
  }
  if (error) lost_sight(folder, error);
  return names;
}

}  // namespace

bool PlanFolder::is_one(const std::string& folder) { return fs::exists(folder + plan_name); }

PlanFolder::PlanFolder(const std::string& folder, bool to_work) : folder_(fs::absolute(folder).string()) {
  const std::string file = folder_ + plan_name;
  auto text = look_into(file);
  if (!text)
    throw Error(Exit::usage, printable(folder) + ": no plan there",
                "`explog campaign start --plan FILE --out DIR` writes one");
  plan_ = read_as(file, *text, launch::parse_work_plan);
  if (to_work && plan_.explog != EXPLOG_VERSION)
    throw Error(
        Exit::unavailable,
        fmt::format("this plan belongs to explog {}, this is {}: verdicts of two versions would be mixed",
                    printable(plan_.explog), EXPLOG_VERSION),
        "use that version, or begin a new plan");
}

std::string PlanFolder::remote() const {
  return plan_.remote.empty() ? "dir:" + folder_ + "/log" : plan_.remote;
}

launch::ItemFacts PlanFolder::facts(const launch::Item& item) const {
  const std::string folder = folder_of(item);
  launch::ItemFacts facts;
  for (const std::string& name : names_in(folder)) {
    if (auto attempt = attempt_in(name)) facts.attempts = std::max(facts.attempts, *attempt);
  }
  if (auto text = look_into(folder + "/done.json")) facts.done = read_as(folder, *text, launch::parse_done);
  for (int n = 1; n <= facts.attempts; ++n) {
    auto text = look_into(folder + numbered("left", n));
    auto left = text ? std::optional(read_as(folder, *text, launch::parse_left)) : std::nullopt;
    if (left && left->why == "crash") ++facts.crashes;
    if (n == facts.attempts) facts.left = left;
  }
  if (facts.attempts == 0) return facts;
  if (auto text = look_into(folder + numbered("claim", facts.attempts)))
    facts.claim = read_as(folder, *text, launch::parse_claim);
  return facts;
}

bool PlanFolder::is_done(const launch::Item& item) const {
  return look_into(folder_of(item) + "/done.json").has_value();
}

bool PlanFolder::claim(const launch::Item& item, int attempt, const launch::Claim& claim) const {
  return put_once(folder_of(item) + numbered("claim", attempt), to_json(claim));
}

bool PlanFolder::has_claim(const launch::Item& item, int attempt) const {
  return look_into(folder_of(item) + numbered("claim", attempt)).has_value();
}

void PlanFolder::leave(const launch::Item& item, int attempt, const launch::Left& left) const {
  put_once(folder_of(item) + numbered("left", attempt), to_json(left));
}

bool PlanFolder::finish(const launch::Item& item, const launch::Done& done) const {
  return put_once(folder_of(item) + "/done.json", to_json(done));
}

// Copied under a name that nobody looks for, then renamed: a copy is there as a whole or not at all.
void PlanFolder::keep(const launch::Item& item, const std::string& name, const std::string& from) const {
  const std::string to = folder_of(item) + "/" + name;
  const std::string draft = folder_of(item) + "/.new-" + hex(random_bytes16());
  std::error_code error;
  fs::copy(from, draft, fs::copy_options::recursive, error);
  if (!error && fs::exists(to, error)) fs::rename(to, draft + "-old", error);
  if (!error) fs::rename(draft, to, error);
  std::error_code ignored;
  fs::remove_all(draft + "-old", ignored), fs::remove_all(draft, ignored);
  if (error) lost_sight(to, error);
}

std::optional<std::string> PlanFolder::kept(const launch::Item& item, const std::string& name) const {
  std::string folder = folder_of(item) + "/" + name;
  std::error_code error;
  return fs::is_directory(folder, error) ? std::optional(folder) : std::nullopt;
}

void PlanFolder::beat(const std::string& worker, const std::string& text) const {
  put_over(folder_ + "/workers/" + worker, text);
}

std::optional<std::string> PlanFolder::beat_of(const std::string& worker) const {
  return look_into(folder_ + "/workers/" + worker);
}

}  // namespace explog::app
