// import: files of other tools -> checked records, each stored once.
#include <fmt/format.h>

#include <memory>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/ingest.h"
#include "intake/explog_jsonl.h"
#include "intake/formats.h"
#include "model/json.h"

namespace explog::cli {
namespace {

struct Options {
  std::vector<std::string> files;
  std::string format;
  ExperienceFlags defaults;
  bool strict = false, dry_run = false, verbose = false;
};

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const intake::Format& format : intake::formats()) names.emplace_back(format.name);
  return names;
}

// "evidence:" stands for the records shipped with the program.
Source shipped_evidence() {
  auto files = std::make_shared<std::vector<EmbeddedFile>>();
  for (const EmbeddedFile& file : embedded_files()) {
    if (file.path.substr(0, 20) == "strategies/evidence/") files->push_back(file);
  }
  auto stream = std::make_shared<std::istringstream>();
  auto lines = std::make_shared<Source>([]() -> std::optional<Parsed> { return std::nullopt; });
  auto at = std::make_shared<size_t>(0);
  return [=]() -> std::optional<Parsed> {
    for (;;) {
      if (auto parsed = (*lines)()) {
        parsed->where = replace_all(parsed->where, "stdin", std::string((*files)[*at - 1].path));
        return parsed;
      }
      if (*at == files->size()) return std::nullopt;
      stream->clear();
      const EmbeddedFile& file = (*files)[(*at)++];
      stream->str(unpacked(file.text, std::string(file.path)));
      *lines = intake::explog_jsonl("-", stream.get());
    }
  };
}

Source open_source(const Options& o, const std::string& path, Context& context) {
  if (path == "evidence:") return shipped_evidence();
  const intake::Format* format = nullptr;
  if (!o.format.empty()) {
    format = intake::find_format(o.format);
  } else {
    format = path == "-" ? intake::find_format("jsonl") : intake::guess_format(path);
  }
  if (format == nullptr) {
    throw Error(Exit::usage, printable(path) + ": not a format explog reads",
                "name it with --format: " + join(format_names(), ", "));
  }
  return format->open(path, context.in);
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

void print(Context& context, const Ingested& total, const Options& o) {
  report(context, total, o.verbose);
  if (!context.json) {
    context.out << fmt::format("{} {}, skipped {} (known already), rejected {}\n",
                               o.dry_run ? "would add" : "added", total.added, total.skipped, total.rejected);
    return;
  }
  JsonWriter json;
  json.begin_object();
  json.key("added"), json.number(static_cast<double>(total.added));
  json.key("skipped"), json.number(static_cast<double>(total.skipped));
  json.key("rejected"), json.number(static_cast<double>(total.rejected));
  for (auto [key, list] : {std::pair("rejections", &total.rejections), {"warnings", &total.warnings}}) {
    json.key(key), json.texts(*list);
  }
  json.end_object();
  context.out << json.str() << '\n';
}

int run_import(const Options& o, Context& context) {
  IngestOptions options;
  options.by_content = true;
  options.strict = o.strict;
  options.dry_run = o.dry_run;
  Ingested total;
  for (const std::string& path : o.files) {
    // What ships with the program was measured by it; a file may say anything.
    options.highest_level = path == "evidence:" ? "measured" : "imported";
    Source source = open_source(o, path, context);
    options.complete = [&](Experience& e) {
      o.defaults.apply(e, true);
      if (e.level.empty()) e.level = "imported";
    };
    add_to(total, ingest(context, source, options, false));
    if (total.interrupted) break;
  }
  print(context, total, o);
  if (total.interrupted) return static_cast<int>(Exit::interrupted);
  return static_cast<int>(total.rejected > 0 ? Exit::quarantined : Exit::ok);
}

}  // namespace

Action setup_import(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option(
         "file", o->files,
         "files, '-' for standard input, 'evidence:' for the records shipped with explog; .gz is unpacked")
      ->required()
      ->type_name("FILE");
  std::string names = join(format_names(), ", ");
  app.add_option("--format", o->format, "instead of guessing: " + names)
      ->type_name("F")
      ->check(CLI::IsMember(format_names()));
  app.add_flag("--strict", o->strict, "refuse records whose claim does not fit their own numbers");
  app.add_flag("--dry-run", o->dry_run, "report only, store nothing");
  app.add_flag("--verbose", o->verbose, "every remark, not only the first twenty");
  o->defaults.add_to(app, true);
  return [o](Context& context) { return run_import(*o, context); };
}

}  // namespace explog::cli
