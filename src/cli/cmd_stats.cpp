// stats: totals and rates from the evidence, medians from the records.
#include <memory>

#include "answers/answer.h"
#include "answers/reliability.h"
#include "answers/reliability_svg.h"
#include "answers/stats.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

int run_stats(int limit, Context& context) {
  app::Stats stats = app::stats(context.session, limit);
  if (context.json) {
    context.terminal.out << answers::stats_json(stats) << '\n';
  } else {
    answers::print_stats(context.terminal, stats);
  }
  return static_cast<int>(stats.records > 0 ? Exit::ok : Exit::negative);
}

struct ReliabilityOptions {
  bool report = false;
  std::string svg, recalibrate;  // a file; on, off or empty
};

int report_reliability(const ReliabilityOptions& o, const Context& context) {
  const app::Session& session = context.session;
  if (o.recalibrate == "off") {
    app::keep_recalibration(session.writer().db(), std::nullopt);
    session.warn("`recommend` shows probabilities as the evidence gives them");
    if (!o.report && o.svg.empty()) {
      if (context.json) context.terminal.out << answers::answer_of({{"recalibrate", "off"}});
      return 0;
    }
  }
  expect_writable_file(o.svg);
  auto recalibrate = o.recalibrate == "on" ? app::Recalibrate::on : app::Recalibrate::leave;
  app::ReliabilityReport report = app::measure_reliability(session, recalibrate);
  if (!o.svg.empty()) {
    write_file(o.svg, answers::reliability_svg(report.measured));
    session.warn("reliability plot written to " + printable(o.svg));
  }
  if (context.json) {
    context.terminal.out << answers::reliability_json(report) << '\n';
  } else {
    answers::print_reliability(context.terminal, report);
  }
  return static_cast<int>(report.measured.n > 0 ? Exit::ok : Exit::negative);
}

}  // namespace

Action setup_stats(Arguments& arguments) {
  auto limit = std::make_shared<int>(10);
  auto calibration = std::make_shared<ReliabilityOptions>();
  arguments.option("-n,--limit", *limit, "strategies shown").type_name("N").zero_or_more().show_default();
  arguments.flag(
      "--calibration", calibration->report,
      "whether the probabilities were true of the newest 500 records, each foreseen from those before");
  arguments.option("--svg", calibration->svg, "with --calibration: write the reliability plot as a picture")
      .type_name("FILE");
  arguments
      .option("--recalibrate", calibration->recalibrate,
              "let `recommend` bend its probabilities to what really happened, if that is needed; or not")
      .type_name("on|off")
      .one_of({"on", "off"});
  return [limit, calibration](Context& context) {
    bool asked = calibration->report || !calibration->svg.empty() || !calibration->recalibrate.empty();
    return asked ? report_reliability(*calibration, context) : run_stats(*limit, context);
  };
}

}  // namespace explog::cli
