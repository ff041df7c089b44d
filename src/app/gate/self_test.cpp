// A slowdown that is known: a kernel that does a twentieth of its rows twice, against itself.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "app/gate/gate.h"
#include "app/judge/bench.h"
#include "base/date.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/find_source.h"
#include "bench/harness/private_folder.h"
#include "model/backend.h"
#include "store/history.h"

namespace explog::app {

using namespace bench;

namespace {

constexpr const char* slowed_task = "softmax";

// solve() of the shipped kernel, and once more for a twentieth of the rows.
std::string slowed(const std::string& kernel) {
  return "#define solve explog_once\n" + kernel +
         "\n#undef solve\nextern \"C\" void solve(const float* x, float* y, int N, int D) {\n"
         "  explog_once(x, y, N, D);\n  if (N >= 20) explog_once(x, y, N / 20 + (N % 20 != 0), D);\n}\n";
}

std::string machine_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

GateSelfTest seen_in(const Judged& judged, double max_slower) {
  GateSelfTest test;
  if (judged.measurement.correctness != "pass") {
    test.why = judged.measurement.correctness + ": " + judged.measurement.correctness_detail;
    return test;
  }
  test.found = !judged.verdict.shapes.empty();
  for (const ShapeVerdict& s : judged.verdict.shapes) {
    GateShape g = gate_shape(s, max_slower);
    test.found = test.found && g.verdict == GateVerdict::slower;
    if (test.change == 0 || g.verdict != GateVerdict::slower)
      test.change = g.change, test.lo = g.lo, test.hi = g.hi, test.why = g.why;
  }
  if (judged.verdict.shapes.empty()) test.why = judged.verdict.reason + ": " + judged.verdict.detail;
  return test;
}

// Only what was found is kept: a machine that was noisy in the morning is asked again.
std::string kept_text(const GateSelfTest& t) {
  return fmt::format("{:.6f} {:.6f} {:.6f}", t.change, t.lo, t.hi);
}

std::optional<GateSelfTest> kept_test(const std::string& text) {
  GateSelfTest test;
  test.found = test.kept = true;
  double* parts[] = {&test.change, &test.lo, &test.hi};
  auto words = split(text, ' ');
  if (words.size() != 3) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) {
    auto number = parse_number(words[i]);
    if (!number) return std::nullopt;
    *parts[i] = *number;
  }
  return test;
}

}  // namespace

GateSelfTest gate_self_test(const GateOptions& o, const std::string& of_tasks, const Session& session) {
  session.progress("self-test");
  // Kernels in Python run beside compiled ones: what is slowed down is one of those.
  const std::string& below = backend_named(of_tasks).stands_on;
  const std::string backend = below.empty() ? of_tasks : below;
  std::string day = utc_text(session.clock()).substr(0, 10);
  std::string name = fmt::format("gate-self-test {} {} {:g}", machine_name(), backend, o.max_slower);
  auto store = session.writer();
  std::string kept = store::setting(store.db(), name);
  if (kept.starts_with(day + " ")) {
    if (auto test = kept_test(kept.substr(11))) return *test;
  }
  FoundTask found = find_task(slowed_task, session.data_dir);
  std::string ending = backend == "cuda" ? ".cu" : ".cpp";
  SourceFile source = source_of(found, backend_of(found.task, backend).baseline);
  PrivateFolder folder;
  std::string base = folder.path() + "/base" + ending, head = folder.path() + "/slowed" + ending;
  explog::write_file(base, source.text);
  explog::write_file(head, slowed(source.text));
  BenchOptions options;
  options.names = {slowed_task, head, backend, o.arch, base, {}};
  options.timing.max_seconds = o.max_seconds;
  options.timing.sanitizer = false;
  GateSelfTest test = seen_in(bench_candidate(options, session), o.max_slower);
  if (test.found) {
    store::in_transaction(store,
                          [&](sql::Db& db) { store::keep_setting(db, name, day + " " + kept_text(test)); });
  }
  return test;
}

}  // namespace explog::app
