#include "app/import_files.h"

#include "app/shipped.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "intake/formats.h"

namespace explog::app {
namespace {

Source open_source(const std::string& path, const std::string& format_name, const Session& session) {
  if (path == "evidence:") return shipped_evidence();
  const intake::Format* format = !format_name.empty() ? intake::find_format(format_name)
                                 : path == "-"        ? intake::find_format("jsonl")
                                                      : intake::guess_format(path);
  if (format == nullptr) {
    throw Error(Exit::usage, printable(path) + ": not a format explog reads",
                "name it with --format: " + join(import_formats(), ", "));
  }
  return format->open(path, session.piped);
}

void add_to(Ingested& total, Ingested one) {
  total.added += one.added;
  total.skipped += one.skipped;
  total.rejected += one.rejected;
  total.remarks += one.remarks;
  total.interrupted |= one.interrupted;
  for (auto [to, from] : {std::pair(&total.rejections, &one.rejections), {&total.warnings, &one.warnings}}) {
    to->insert(to->end(), std::make_move_iterator(from->begin()), std::make_move_iterator(from->end()));
  }
}

}  // namespace

std::vector<std::string> import_formats() {
  std::vector<std::string> names;
  for (const intake::Format& format : intake::formats()) names.emplace_back(format.name);
  return names;
}

Ingested import_files(const ImportOptions& options, const Session& session) {
  IngestOptions ingesting;
  ingesting.by_content = true;
  ingesting.strict = options.strict;
  ingesting.dry_run = options.dry_run;
  ingesting.complete = [&](Experience& e) {
    options.complete(e);
    if (e.level.empty()) e.level = "imported";
  };
  auto import_one = [&](const std::string& path) {
    // What ships with the program was measured by it; a file may say anything.
    ingesting.highest_level = path == "evidence:" ? "measured" : "imported";
    ingesting.what = "importing " + path;
    ingesting.input_bytes = plain_size(path);
    return ingest(session, session.playbook(), open_source(path, options.format, session), ingesting, false);
  };
  if (options.files.size() == 1) return import_one(options.files[0]);
  Ingested total;
  for (const std::string& path : options.files) {
    try {
      add_to(total, import_one(path));
    } catch (const Error& e) {  // of many files one that cannot be read stops none of the others
      if (e.exit != Exit::usage) throw;
      ++total.rejected;
      total.rejections.push_back(e.what() + (e.hint.empty() ? "" : "; " + e.hint));
    }
    if (total.interrupted) break;
  }
  return total;
}

}  // namespace explog::app
