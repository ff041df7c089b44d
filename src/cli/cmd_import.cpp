// import: files of other tools -> checked records, each stored once.
#include <memory>

#include "answers/ingested.h"
#include "app/records/import_files.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"

namespace explog::cli {
namespace {

struct ImportFlags {
  app::ImportOptions import;
  ExperienceFlags defaults;
  bool verbose = false;
};

int run_import(const ImportFlags& o, Context& context) {
  app::ImportOptions import = o.import;
  import.complete = [&](Experience & e) { o.defaults.apply(e, true);
};
app::Ingested total = app::import_files(import, context.session);
answers::print_remarks(context.terminal, context.session.warn, total, o.verbose);
if (context.json) {
  context.terminal.out << answers::imported_json(total) << '\n';
} else {
  answers::print_imported(context.terminal, total, import.dry_run);
}
if (total.interrupted) return static_cast<int>(Exit::interrupted);
return static_cast<int>(total.rejected > 0 ? Exit::quarantined : Exit::ok);
}  // namespace

}  // namespace explog::cli

Action setup_import(Arguments& arguments) {
  auto o = std::make_shared<ImportFlags>();
  arguments
      .option("file", o->import.files,
              "files and folders, '-' for standard input, 'evidence:' for the records shipped with explog; "
              "gzip and "
              "zstd are unpacked, UTF-16 is converted")
      .required()
      .filled()
      .type_name("FILE");
  auto formats = app::import_formats();
  arguments.option("--format", o->import.format, "instead of guessing: " + join(formats, ", "))
      .type_name("F")
      .one_of(formats);
  arguments.flag("--strict", o->import.strict, "refuse records whose claim contradicts their own numbers");
  arguments.flag("--dry-run", o->import.dry_run, "report only, store nothing");
  arguments.flag("--verbose", o->verbose, "every remark, not only the first twenty");
  o->defaults.add_to(arguments, true);
  return [o](Context& context) { return run_import(*o, context); };
}

}  // namespace explog::cli
