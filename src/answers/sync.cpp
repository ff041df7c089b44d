#include "answers/sync.h"

#include <fmt/format.h>

#include <algorithm>

#include "answers/answer.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {
namespace {

void write_counts(JsonWriter& json, const app::Synced& done) {
  json.field("pushed", done.pushed);
  json.field("pulled", done.pulled);
  json.field("quarantined", done.quarantined);
  json.field("deferred", done.deferred);
  json.field("waiting", done.waiting);
}

std::string ago(std::int64_t at_ms, std::int64_t now_ms) {
  if (at_ms == 0) return "never";
  std::int64_t s = std::max<std::int64_t>(0, (now_ms - at_ms) / 1000);
  if (s < 120) return fmt::format("{} s ago", s);
  if (s < 7200) return fmt::format("{} min ago", s / 60);
  if (s < 172800) return fmt::format("{} h ago", s / 3600);
  return fmt::format("{} days ago", s / 86400);
}

}  // namespace

void print_sync(const Terminal& terminal, const app::RemoteSync& sync, bool dry_run) {
  const app::Synced& done = sync.done;
  terminal.out << fmt::format("{}: {}pushed {}, pulled {}, quarantined {}, deferred {}{}\n",
                              printable(sync.name), dry_run ? "would have " : "", done.pushed, done.pulled,
                              done.quarantined, done.deferred, done.failure ? " before it failed" : "");
}

void print_sync_problems(const Terminal& terminal, const app::RemoteSync& sync) {
  for (const std::string& reason : sync.done.refused) terminal.warn({"refused", "refused: " + reason});
  if (!sync.done.failure) return;
  const sync::Failure& failure = *sync.done.failure;
  terminal.warn({"remote", sync.name + ": " + failure.what, failure.hint,
                 failure.kind == sync::Failure::Kind::unreachable});
}

std::string sync_json(const std::vector<app::RemoteSync>& all) {
  app::Synced total;
  for (const app::RemoteSync& sync : all) {
    total.pushed += sync.done.pushed;
    total.pulled += sync.done.pulled;
    total.quarantined += sync.done.quarantined;
    total.deferred += sync.done.deferred;
    total.waiting += sync.done.waiting;
  }
  JsonWriter json;
  begin_answer(json);
  write_counts(json, total);
  json.key("remotes");
  json.begin_array();
  for (const app::RemoteSync& sync : all) {
    json.begin_object();
    json.field("name", sync.name);
    write_counts(json, sync.done);
    if (sync.done.failure) json.field("error", sync.done.failure->what);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

void print_status(const Terminal& terminal, const app::RemoteStatus& status, std::int64_t now_ms) {
  std::string state = status.failure
                          ? "not reached: " + printable(status.failure->what)
                          : fmt::format("ahead {}, behind {}", status.distance.ahead, status.distance.behind);
  terminal.out << fmt::format("{}: {}, last sync {}\n", printable(status.name), state,
                              ago(status.last_sync_ms, now_ms));
  if (!status.failure && !status.last_error.empty())
    terminal.out << "  the last one failed: " << printable(status.last_error) << '\n';
}

std::string statuses_json(const std::vector<app::RemoteStatus>& all) {
  JsonWriter json;
  begin_answer(json);
  json.key("remotes");
  json.begin_array();
  for (const app::RemoteStatus& status : all) {
    json.begin_object();
    json.field("name", status.name);
    json.field("url", sync::without_password(status.url));
    if (!status.failure) {
      json.field("ahead", status.distance.ahead);
      json.field("behind", status.distance.behind);
    }
    json.field("last_sync_ms", status.last_sync_ms);
    json.field("error", status.failure ? status.failure->what : status.last_error);
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
