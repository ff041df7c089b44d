#include "answers/ingested.h"

#include <fmt/format.h>

#include "answers/answer.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::answers {

void print_remarks(const Terminal& terminal, const app::Listener& warn, const app::Ingested& result,
                   bool verbose) {
  constexpr std::int64_t shown = 20;
  std::int64_t n = 0;
  for (const std::string& text : result.warnings) {
    if (verbose || n < shown) ++n, warn(text);
  }
  if (result.remarks > n)
    warn(fmt::format("and {} more remarks{}", result.remarks - n, verbose ? "" : " (--verbose shows more)"));
  for (const std::string& text : result.rejections) terminal.warn({"refused", "refused: " + text});
  auto unseen = result.rejected - static_cast<std::int64_t>(result.rejections.size());
  if (unseen > 0) terminal.warn({"refused", fmt::format("and {} more refused", unseen)});
}

std::string added_json(const app::Ingested& result) {
  JsonWriter json;
  begin_answer(json);
  json.field("ids", result.ids);
  json.field("warnings", result.warnings);
  json.field("rejected", result.rejections);
  json.field("added", result.added);
  json.field("skipped", result.skipped);
  json.end_object();
  return json.take();
}

std::string imported_json(const app::Ingested& result) {
  JsonWriter json;
  begin_answer(json);
  json.field("added", result.added);
  json.field("skipped", result.skipped);
  json.field("rejected", result.rejected);
  json.field("rejections", result.rejections);
  json.field("warnings", result.warnings);
  json.field("foreign", result.foreign);
  json.field("pages", result.pages);
  json.end_object();
  return json.take();
}

void print_added_one(const Terminal& terminal, const app::Ingested& result) {
  if (result.ids.empty()) return;
  terminal.out << result.ids[0] << (result.skipped > 0 ? "  (known already)" : "") << '\n';
}

void print_added(const Terminal& terminal, const app::Ingested& result, bool dry_run) {
  terminal.out << fmt::format("{} {}, skipped {}{}, rejected {}\n", dry_run ? "would add" : "added",
                              result.added, result.skipped, result.skipped > 0 ? " (known already)" : "",
                              result.rejected);
}

void print_imported(const Terminal& terminal, const app::Ingested& result, bool dry_run) {
  terminal.out << fmt::format("{} {}, skipped {} (known already), rejected {}\n",
                              dry_run ? "would add" : "added", result.added, result.skipped, result.rejected);
  if (result.foreign > 0)
    terminal.out << fmt::format("{} {} of no format that explog reads\n", result.foreign,
                                result.foreign == 1 ? "file is" : "files are");
  if (result.pages > 0)
    terminal.out << fmt::format("{} {} no records by themselves\n", result.pages,
                                result.pages == 1 ? "page of an experiment is" : "pages of experiments are");
}

}  // namespace explog::answers
