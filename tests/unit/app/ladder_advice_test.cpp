// What ships advises what it shows: each step of a ladder that was faster is in the answer to who asks with the kernel
// that it changes.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "app/advice/recommend.h"
#include "base/embedded.h"
#include "base/file.h"
#include "bench/find_source.h"
#include "bench/ladder.h"
#include "scratch.h"
#include "shipped_session.h"
#include "store/open.h"

using namespace explog;

namespace {

// Files of steps that were kept at some shape: "scan/block_scan.cu".
std::set<std::string> kept_steps(const app::Session& session) {
  sql::Db db = session.reader();
  store::create_views(db);
  sql::Stmt rows(db,
                 "SELECT DISTINCT kernel FROM experience WHERE campaign = 'calibrate' AND decision = 'keep'");
  std::set<std::string> kept;
  while (rows.step()) kept.emplace(rows.text(0));
  return kept;
}

std::vector<std::pair<std::string, bench::Step>> steps_of_gpus() {
  std::vector<std::pair<std::string, bench::Step>> steps;
  for (const char* backend : {"cuda", "triton", "cutile", "cutedsl"}) {
    for (bench::Step& step : bench::ladder_steps(backend)) steps.emplace_back(backend, std::move(step));
  }
  return steps;
}

app::Ask ask_with(const bench::FoundTask& found, const std::string& backend, const std::string& source) {
  app::Ask ask;
  ask.kernel = found.task.kernel_type, ask.backend = backend, ask.arch = "sm_90";
  ask.dtype = dtype_name(found.task.arguments.front().dtype);
  ask.source = source, ask.limit = 0;
  return ask;
}

}  // namespace

TEST_CASE("no step of a ladder that was faster is hidden from who asks with the kernel below it") {
  Scratch scratch;
  const app::Session session = session_on(scratch / "records.db", true);
  const std::set<std::string> kept = kept_steps(session);
  int asked = 0;
  std::string hidden;
  for (const auto& [backend, step] : steps_of_gpus()) {
    const std::string name = step.task + "/" + step.file;
    const bool switched_on = !embedded_file("kernels/" + name);  // by a constant of the same source
    if (switched_on || !kept.contains(name)) continue;
    const bench::FoundTask found = bench::find_task(step.task, "");
    const std::string below = scratch / step.after;
    write_file(below, bench::source_of(found, step.after).text);
    const auto items = app::recommend_for(ask_with(found, backend, below), session).ranking.items;
    auto is_the_step = [&strategy = step.strategy](const recommend::Item& i) {
      return i.strategy == strategy;
    };
    if (std::none_of(items.begin(), items.end(), is_the_step)) hidden += name + " " + step.strategy + "\n";
    ++asked;
  }
  CHECK(asked > 120);
  // The kernel below unrolls another of its loops.
  CHECK(hidden == "gemm_f32/unroll_tiles.cu loop_unroll\n");
}
