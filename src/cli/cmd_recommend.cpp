// recommend: flags -> context -> evidence of its family -> ranked strategies with reasons.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/flags.h"
#include "cli/history.h"
#include "cli/print_recommendation.h"
#include "cli/profiles.h"
#include "model/comments.h"
#include "model/json.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"
#include "recommend/rank.h"
#include "store/read.h"

namespace explog::cli {
namespace {

struct Options {
  std::string kernel, backend, arch, bottleneck, dtype, source, by = "success", ncu, kernel_name, bench;
  std::vector<std::string> shape, state, metrics;
  int limit = 10;
  bool explain = false;
  bool explore = false;
};

std::string word_of(Vocabulary vocabulary, const std::string& text, const char* flag) {
  auto word = canonical(vocabulary, text);
  if (!word) {
    auto all = words(vocabulary);
    throw Error(Exit::usage,
                fmt::format("{}: unknown '{}'{}", flag, printable(text), did_you_mean(text, all)),
                "one of: " + join(all, ", "));
  }
  return *word;
}

Known known_from(const Options& o, const Context& context, sql::Db& db) {
  Known known;
  if (!o.bench.empty()) {
    store::Record record = store::load(db, store::resolve(db, o.bench));
    if (record.kind != 1) throw Error(Exit::usage, "--bench: '" + printable(o.bench) + "' is no experience");
    known.e = parse_experience(record.body);
    // The next attempt starts from what was kept.
    bool kept = known.e.decision == "keep" || (known.e.decision.empty() && known.e.outcome == "success");
    const Facts& metrics = kept ? known.e.metrics_after : known.e.metrics_before;
    if (!metrics.empty()) known.launch = launch_of(metrics, known.e.kernel, known.e.arch, known.e.gpu);
    if (kept) known.e.bottleneck.clear();  // it was the kernel's before the change
  }
  if (!o.ncu.empty()) {
    intake::NcuFile file = read_profile(o.ncu, context);
    known.launch = main_kernel(file, o.kernel_name, o.ncu, context);
  }
  if (known.launch) known.diagnosis = diagnose_launch(*known.launch, db);
  return known;
}

void required(const std::string& value, const char* flag) {
  if (value.empty())
    throw Error(Exit::usage, "recommend: " + std::string(flag) + " is required", "explog recommend --help");
}

// What is given wins over what the profile says; where they differ the user is told.
std::string bottleneck_of(const Options& o, const Known& known, const Context& context) {
  std::string found = known.launch ? known.diagnosis.label.word : known.e.bottleneck;
  if (o.bottleneck.empty()) return found.empty() ? "unknown" : found;
  std::string given = word_of(Vocabulary::bottleneck, o.bottleneck, "--bottleneck");
  if (known.launch && found != given && found != "unknown" && given != "unknown")
    context.warn("--bottleneck says " + given + ", the profile " + found + ": " + known.diagnosis.label.why);
  return given;
}

explog::Context question(const Options& o, const Known& known, const Context& context, sql::Db& db) {
  explog::Context c;
  const std::string kernel = o.kernel.empty() ? known.e.kernel_type : o.kernel;
  const std::string backend = o.backend.empty() ? known.e.backend : o.backend;
  std::string arch_text = o.arch.empty() ? known.e.arch : o.arch;
  if (arch_text.empty() && known.launch) arch_text = known.launch->arch;
  required(kernel, "--kernel");
  required(backend, "--backend");
  required(arch_text, "--arch");
  c.kernel_type = canonical_kernel_type(kernel);
  c.family = family_of(c.kernel_type);
  auto types = known_kernel_types();
  if (!is_known_kernel_type(c.kernel_type) && !store::has_family(db, c.family)) {
    context.warn("kernel type '" + kernel + "' is not known: its own family, without records" +
                 did_you_mean(c.kernel_type, types));
  }
  c.backend = word_of(Vocabulary::backend, backend, "--backend");
  c.arch = arch_named(arch_text);
  c.bottleneck = bottleneck_of(o, known, context);
  c.dtype = o.dtype.empty() ? known.e.dtype : word_of(Vocabulary::dtype, o.dtype, "--dtype");
  c.shape = o.shape.empty() ? known.e.shape : parse_facts(o.shape, "--shape");
  c.state = o.state.empty() ? known.e.state : parse_facts(o.state, "--state");
  c.metrics = parse_facts(o.metrics, "--metrics");
  if (known.launch) {
    for (const auto& [name, value] : record_metrics(*known.launch)) {
      if (!fact(c.metrics, name)) c.metrics.emplace_back(name, value);
    }
    if (known.diagnosis.roofline) c.reached = std::min(1.0, known.diagnosis.roofline->reached);
  }
  if (!o.source.empty())
    c.source = without_comments(read_file(o.source, context.in, 16 << 20), {.python_comments = true});
  return c;
}

// Names that only unreviewed origins use are a stranger's text: they are counted, not shown.
std::vector<Cell> shown_evidence(sql::Db& db, const std::string& family, const Playbook& playbook) {
  std::vector<Cell> cells = store::evidence(db, family);
  std::set<std::string> reviewed;
  SharedText last;
  for (const Cell& cell : cells) {
    if (!cell.reviewed || cell.strategy == last) continue;
    last = cell.strategy;
    reviewed.insert(last);
  }
  bool shown = false;
  last = {};
  std::erase_if(cells, [&](const Cell& cell) {
    if (cell.strategy != last) {
      last = cell.strategy;
      shown = playbook.find(last) != nullptr || reviewed.contains(last);
    }
    return !shown;
  });
  return cells;
}

int run_recommend(const Options& o, Context& context) {
  sql::Db db = context.reader();
  Known known = known_from(o, context, db);
  explog::Context c = question(o, known, context, db);
  auto order = o.by == "gain" ? recommend::Order::gain : recommend::Order::success;
  Playbook playbook = context.playbook();
  recommend::Recommendation r =
      recommend::rank(c, shown_evidence(db, c.family, playbook), playbook, order, kept_recalibration(db));
  size_t shown = o.limit == 0 ? r.items.size() : std::min(r.items.size(), static_cast<size_t>(o.limit));
  if (o.explore && shown > 0) {
    if (auto pick = recommend::to_explore(r.items, shown - 1)) {
      auto at = r.items.begin() + static_cast<std::ptrdiff_t>(shown) - 1;
      std::rotate(at, r.items.begin() + static_cast<std::ptrdiff_t>(*pick),
                  r.items.begin() + static_cast<std::ptrdiff_t>(*pick) + 1);
      at->reasons.insert(at->reasons.begin(), "chosen to explore: hardly tried here, and it may help");
    }
  }
  if (context.json) {
    print_recommendation_json(context, db, known, c, r, {shown, o.explain});
  } else {
    print_recommendation(context, db, known, c, r, {shown, o.explain});
  }
  return static_cast<int>(r.items.empty() ? Exit::negative : Exit::ok);
}

}  // namespace

Action setup_recommend(CLI::App& app) {
  auto o = std::make_shared<Options>();
  app.add_option("--kernel,--kernel-type", o->kernel, "kind of kernel: softmax, gemm, ...")
      ->type_name("TYPE");
  app.add_option("--backend", o->backend, "cuda, triton, cutile, cutedsl, hip")->type_name("B");
  app.add_option("--arch,--chip", o->arch, "sm_90, or a card: H100; a profile knows it")->type_name("A");
  app.add_option("--ncu", o->ncu,
                 "profile of the kernel (CSV of Nsight Compute): its bottleneck, metrics and headroom")
      ->type_name("FILE");
  app.add_option("--kernel-name", o->kernel_name, "which kernel of the profile")->type_name("RE");
  app.add_option("--bench", o->bench, "a record to go on from: its kernel, arch, shape and profile")
      ->type_name("ID");
  app.add_option("--bottleneck", o->bottleneck,
                 "memory, compute, latency, occupancy, balanced, unknown; without it the profile's")
      ->type_name("X");
  app.add_option("--dtype", o->dtype, "element type: f32, bf16")->type_name("D");
  app.add_option("--shape", o->shape, "problem size: N=4096,D=1024")
      ->type_name("NAME=N,...")
      ->take_all()
      ->expected(1);
  app.add_option("--state", o->state, "facts of the kernel: block_x=128,registers_per_thread=64")
      ->type_name("NAME=N,...")
      ->take_all()
      ->expected(1);
  app.add_option("--metrics", o->metrics, "Nsight Compute metrics: NAME=VALUE,...")
      ->type_name("NAME=N,...")
      ->take_all()
      ->expected(1);
  app.add_option("--source", o->source, "the kernel's source; its patterns speak for strategies")
      ->type_name("FILE");
  app.add_option("-n,--limit", o->limit, "at most this many, 0 for all")
      ->type_name("N")
      ->check(zero_or_more())
      ->capture_default_str();
  app.add_option("--by", o->by, "order by chance of success or by expected gain")
      ->type_name("success|gain")
      ->check(CLI::IsMember({"success", "gain"}))
      ->capture_default_str();
  app.add_flag("--explore", o->explore,
               "give the last place shown to what was hardly tried and may help (no chance involved)");
  app.add_flag("--explain", o->explain, "show how each rate came about, level by level");
  return [o](Context& context) { return run_recommend(*o, context); };
}

}  // namespace explog::cli
