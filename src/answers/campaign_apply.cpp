#include <fmt/format.h>

#include "answers/answer.h"
#include "answers/campaign.h"
#include "base/text.h"
#include "campaign/diff.h"

namespace explog::answers {
namespace {

std::string diff_of(int version, const app::FileToApply& file) {
  const std::string of_version = file.included_as.empty() ? "" : "/" + file.included_as;
  return campaign::unified_diff(file.before, file.text, file.path, fmt::format("v{}{}", version, of_version));
}

std::string fate_text(int version, const app::FileToApply& file, bool all_stay) {
  if (file.fate == app::Fate::same) return file.path + " holds it already";
  if (file.fate == app::Fate::beside)
    return fmt::format(
        "{} was changed since the campaign began: it would be left as it is, and v{} put beside it",
        file.path, version);
  return all_stay ? file.path + " would be left as it is" : file.path + " would be written";
}

bool any_stays(const std::vector<app::FileToApply>& files) {
  for (const app::FileToApply& file : files) {
    if (file.fate == app::Fate::beside) return true;
  }
  return false;
}

}  // namespace

void print_to_apply(const Terminal& terminal, int version, const std::vector<app::FileToApply>& files) {
  Lines lines;
  for (const app::FileToApply& file : files) {
    lines.push_back(fate_text(version, file, any_stays(files)));
    const std::string diff = diff_of(version, file);
    for (std::string_view line : split(trim(diff), '\n'))
      if (!line.empty()) lines.push_back({"  " + std::string(line), Style::dim});
  }
  terminal.print(lines);
}

std::string to_apply_json(int version, const std::vector<app::FileToApply>& files) {
  JsonWriter json;
  begin_answer(json);
  json.field("version", fmt::format("v{}", version));
  json.field("dry_run", true), json.field("would_write", !any_stays(files));
  json.key("files");
  json.begin_array();
  for (const app::FileToApply& file : files) {
    json.begin_object();
    json.field("file", file.path), json.field("fate", word(file.fate)),
        json.field("diff", diff_of(version, file));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
