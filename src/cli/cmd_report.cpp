// report: pictures for people, one HTML file or a site.
#include <memory>

#include "answers/report.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct ReportFlags {
  std::vector<std::string> what;
  std::string out;
  app::SiteOptions site;
};

int run_site(const ReportFlags& o, Context& context) {
  if (!o.what.empty() || !o.out.empty())
    throw Error(Exit::usage, "report: --site shows everything and takes neither WHAT nor --out",
                "explog report --site DIR, or explog report WHAT --out FILE.html");
  expect_writable_folder(o.site.folder);
  app::SiteWritten site = app::write_site(o.site, context.session);
  if (context.json)
    context.terminal.out << answers::site_json(site) << '\n';
  else
    answers::print_site(context.terminal, site);
  return 0;
}

int run_report(const ReportFlags& o, Context& context) {
  if (!o.site.folder.empty()) return run_site(o, context);
  if (!o.site.since.empty())
    throw Error(Exit::usage, "report: --since belongs to --site", "explog report --site DIR --since 30d");
  if (o.what.empty())
    throw Error(
        Exit::usage, "report: name a campaign, a kernel, or records, or --site DIR for everything",
        "explog report runs/rope, explog report softmax, explog report ID ID, explog report --site DIR");
  const std::string file = o.out.empty() ? "report.html" : o.out;
  if (file != "-") expect_writable_file(file);
  app::Report report = app::make_report(o.what, context.session);
  if (file == "-") {
    context.terminal.out << report.html;
    return 0;
  }
  write_file(file, report.html);
  if (context.json)
    context.terminal.out << answers::report_json(report, file) << '\n';
  else
    answers::print_report(context.terminal, report, file);
  return 0;
}

}  // namespace

Action setup_report(Arguments& arguments) {
  auto o = std::make_shared<ReportFlags>();
  arguments
      .option("what", o->what,
              "a campaign's folder or id, a kernel's name, the id of a tuning run, ids of records to compare")
      .type_name("WHAT")
      .filled()
      .repeatable();
  arguments.option("--out", o->out, "the file to write, - for standard output (report.html)")
      .type_name("FILE.html");
  arguments
      .option("--site", o->site.folder,
              "write a site of everything into this folder; only what changed is written")
      .type_name("DIR");
  arguments.option("--since", o->site.since, "with --site: records of the last days only, or from a date on")
      .type_name("30d|DATE");
  return [o](Context& context) { return run_report(*o, context); };
}

}  // namespace explog::cli
