// backtest: how good the ranking would have been on records whose outcome is known, beside simpler rankings.
#include <memory>

#include "answers/backtest.h"
#include "answers/backtest_searches.h"
#include "app/advice/backtest.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/commands.h"

namespace explog::cli {
namespace {

struct BacktestFlags {
  app::BacktestRequest request;
  std::string split = "gpu", rankings;
  int at_most = -1;  // -1: all
  bool searches = false;
};

int run_searches(const app::BacktestRequest& request, const std::string& split, Context& context) {
  std::vector<app::SearchedSpace> spaces = app::backtest_searches(request, context.session);
  if (context.json)
    context.terminal.out << answers::searches_json(spaces, split) << '\n';
  else
    answers::print_searches(context.terminal, spaces, split);
  return static_cast<int>(spaces.empty() ? Exit::negative : Exit::ok);
}

int run_backtest(const BacktestFlags& o, Context& context) {
  app::BacktestRequest request = o.request;
  request.split = recommend::split_of(o.split);
  if (o.at_most >= 0) request.at_most = static_cast<std::size_t>(o.at_most);
  if (o.searches) return run_searches(request, o.split, context);
  recommend::Backtest result = app::backtest(request, context.session);
  if (!o.rankings.empty()) write_file(o.rankings, answers::rankings_jsonl(result.rankings));
  if (context.json) {
    context.terminal.out << answers::backtest_json(result, o.split) << '\n';
  } else {
    answers::print_backtest(context.terminal, result, o.split);
  }
  if (result.single.n == 0) context.session.warn("no records to test on: give --train FILE, or add some");
  return static_cast<int>(result.single.n > 0 ? Exit::ok : Exit::negative);
}

}  // namespace

Action setup_backtest(Arguments& arguments) {
  auto o = std::make_shared<BacktestFlags>();
  arguments
      .option("--train", o->request.train,
              "records to learn from, explog JSON lines, gzip or not; else the database")
      .type_name("FILE");
  arguments.option("--test", o->request.test, "records to test on; else those learned from")
      .type_name("FILE");
  arguments.option("--split", o->split, "what each query is answered without: all records of its ...")
      .one_of({"gpu", "arch", "source", "family", "shape", "time"})
      .type_name("gpu|arch|source|family|shape|time")
      .show_default();
  arguments
      .option("--order", o->request.order,
              "a playbook's order, CSV: strategy,prior_factor; else the playbook")
      .type_name("FILE");
  arguments
      .option("--at-most", o->at_most,
              "learn from at most this many records of each kernel on each GPU: how many are enough?")
      .type_name("N")
      .zero_or_more();
  arguments.flag("--searches", o->searches,
                 "replay the searches of `tune` on the spaces of these records: how soon is a good "
                 "configuration found?");
  arguments.option("--rankings", o->rankings, "write explog's rankings here, a JSON line a query")
      .type_name("FILE");
  return [o](Context& context) { return run_backtest(*o, context); };
}

}  // namespace explog::cli
