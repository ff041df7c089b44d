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

// A profile or a record answers what flags leave open.
struct Known {
  Experience e;  // of a record
  std::optional<Launch> launch;
  diagnose::Diagnosis diagnosis;
};

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

std::vector<std::string> ids_of(sql::Db& db, const std::vector<std::int64_t>& rids) {
  std::vector<std::string> ids;
  for (std::int64_t rid : rids) ids.push_back(store::id_of(db, rid));
  return ids;
}

double rounded(double x) { return std::round(x * 1e6) / 1e6; }

void write_ledger(JsonWriter& json, const std::vector<recommend::Level>& ledger) {
  json.key("ledger");
  json.begin_array();
  for (const recommend::Level& level : ledger) {
    json.begin_object();
    json.key("level"), json.text(level.name);
    json.key("success"), json.number(rounded(level.success));
    json.key("n"), json.number(rounded(level.n));
    json.key("p"), json.number(rounded(level.p));
    json.end_object();
  }
  json.end_array();
}

void write_item(JsonWriter& json, sql::Db& db, const recommend::Item& item, size_t rank, bool explain) {
  json.begin_object();
  json.key("rank"), json.number(static_cast<double>(rank));
  json.key("strategy"), json.text(item.strategy);
  json.key("title"), json.text(item.title);
  json.key("p_success"), json.number(rounded(item.p));
  auto [lo, hi] = recommend::interval(item);
  json.key("p_lo"), json.number(rounded(lo));
  json.key("p_hi"), json.number(rounded(hi));
  json.key("p_failure"), json.number(rounded(item.p_failure));
  json.key("expected_speedup"), json.number(rounded(item.gain));
  json.key("score"), json.number(rounded(item.avoid ? 0 : item.p));
  json.key("expected_log2_gain"), json.number(rounded(item.expected));
  json.key("confidence"), json.text(item.confidence);
  json.key("evidence");
  json.begin_object();
  json.key("n"), json.number(static_cast<double>(item.counts.n));
  json.key("success"), json.number(static_cast<double>(item.counts.success));
  json.key("neutral"), json.number(static_cast<double>(item.counts.neutral));
  json.key("failure"), json.number(static_cast<double>(item.counts.failure));
  json.end_object();
  json.key("reasons"), json.texts(item.reasons);
  json.key("ids"), json.texts(ids_of(db, item.rids));
  if (explain) write_ledger(json, item.ledger);
  json.end_object();
}

void write_context(JsonWriter& json, const explog::Context& c) {
  json.key("context");
  json.begin_object();
  for (auto [key, value] : {std::pair("kernel_type", &c.kernel_type),
                            {"family", &c.family},
                            {"backend", &c.backend},
                            {"arch", &c.arch},
                            {"bottleneck", &c.bottleneck},
                            {"dtype", &c.dtype}}) {
    if (!value->empty()) json.key(key), json.text(*value);
  }
  for (auto [key, facts] : {std::pair("shape", &c.shape), {"state", &c.state}, {"metrics", &c.metrics}}) {
    if (facts->empty()) continue;
    json.key(key);
    json.begin_object();
    for (const auto& [name, value] : *facts) json.key(name), json.number(value);
    json.end_object();
  }
  json.end_object();
}

void write_diagnosis_summary(JsonWriter& json, const Known& known, const explog::Context& c) {
  json.key("diagnosis");
  json.begin_object();
  json.key("label"), json.text(known.diagnosis.label.word);
  json.key("why"), json.text(known.diagnosis.label.why);
  json.key("confidence"), json.text(known.diagnosis.confidence);
  json.key("stall"), json.text(known.diagnosis.stall);
  json.key("reached"), json.number(rounded(c.reached));
  json.key("at_the_roof"), json.boolean(c.reached >= diagnose::at_the_roof);
  json.end_object();
}

void print_json(Context& context, sql::Db& db, const Known& known, const explog::Context& c,
                const recommend::Recommendation& r, size_t shown, bool explain) {
  JsonWriter json;
  json.begin_object();
  write_context(json, c);
  if (known.launch) write_diagnosis_summary(json, known, c);
  json.key("status"), json.text(r.status);
  json.key("records"), json.number(static_cast<double>(r.records));
  json.key("relaxations");
  json.begin_array();
  for (const recommend::Relaxation& relaxation : r.relaxations) {
    json.begin_object();
    json.key("option"), json.text(relaxation.option);
    json.key("value"), json.text(relaxation.value);
    json.key("strategies"), json.number(static_cast<double>(relaxation.strategies));
    json.end_object();
  }
  json.end_array();
  json.key("recommendations");
  json.begin_array();
  for (size_t i = 0; i < shown; ++i) write_item(json, db, r.items[i], i + 1, explain);
  json.end_array();
  json.key("filtered");
  json.begin_array();
  for (const recommend::Filtered& f : explain ? r.filtered : std::vector<recommend::Filtered>{}) {
    json.begin_object();
    json.key("strategy"), json.text(f.strategy);
    json.key("reason"), json.text(f.reason);
    json.end_object();
  }
  json.end_array();
  json.key("avoid");
  json.begin_array();
  for (const recommend::Avoid& avoid : r.avoid) {
    json.begin_object();
    json.key("strategy"), json.text(avoid.strategy);
    json.key("reason"), json.text(avoid.reason);
    json.key("ids"), json.texts(ids_of(db, avoid.rids));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  context.out << json.str() << '\n';
}

std::string heading(const explog::Context& c) {
  std::string text = c.kernel_type + (c.family != c.kernel_type ? " (" + c.family + ")" : "") + ", " +
                     c.backend + ", " + c.arch;
  if (c.bottleneck != "unknown") text += ", " + c.bottleneck + "-bound";
  if (!c.dtype.empty()) text += ", " + c.dtype;
  return text;
}

std::string status_text(const explog::Context& c, const recommend::Recommendation& r) {
  if (r.status == "filtered")
    return fmt::format("none of the playbook's {} strategies applies to it{}", r.filtered.size(),
                       r.filtered.empty() ? "" : ": " + r.filtered[0].strategy + " " + r.filtered[0].reason);
  if (r.status == "unknown_kernel")
    return "not a known kind of kernel, and no records of it: this is the playbook's order, with wide "
           "intervals";
  if (r.status != "evidence")
    return "no records of " + c.family + " yet: this is the playbook's order, with wide intervals";
  return fmt::format("from {} {} of {}", r.records, r.records == 1 ? "record" : "records", c.family);
}

// What the profile says, in two lines.
void print_known(Context& context, const Known& known, const explog::Context& c) {
  const diagnose::Diagnosis& d = known.diagnosis;
  context.out << fmt::format("profile: {} ({} confidence): {}\n", d.label.word, d.confidence,
                             printable(d.label.why));
  if (!d.stall.empty()) context.out << "profile: warps wait most for " << d.stall << '\n';
  if (c.reached >= diagnose::at_the_roof) {
    context.out << "profile: within 5% of the roof: only less traffic or less arithmetic makes it faster\n";
  } else if (c.reached > 0) {
    context.out << fmt::format("profile: {}% of the roof is reached, at most {}x is left\n",
                               short_number(100 * c.reached), short_number(1 / c.reached));
  }
}

// What was not ranked and why, and what the sources of the evidence look like.
void print_left_out(std::ostream& out, const recommend::Recommendation& r) {
  std::map<std::string, std::vector<std::string>> by_reason;
  for (const recommend::Filtered& f : r.filtered) {
    bool meant_elsewhere = f.reason.starts_with("the playbook means it for");
    by_reason[meant_elsewhere ? "meant for other kernels" : f.reason].push_back(f.strategy);
  }
  if (!by_reason.empty()) out << "\nLeft out:\n";
  for (const auto& [reason, names] : by_reason) {
    std::size_t shown = std::min<size_t>(3, names.size());
    std::vector<std::string> some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown));
    std::string more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
    out << fmt::format("  - {}{}: {}\n", join(some, ", "), more, printable(reason));
  }
  for (const recommend::Similarity::Source& s : r.sources) {
    std::string name = s.reviewed ? "Source " + printable(s.name) : "A source of an unreviewed origin";
    if (s.decided) out << fmt::format("{} weighs {:.2f} by your word\n", name, s.trust);
    if (s.records < 30) continue;
    if (!s.decided && s.trust < 0.5)
      out << fmt::format("{} weighs {:.2f}: the others do not foresee it\n", name, s.trust);
    if (s.odds_ratio > 2)
      out << fmt::format(
          "{} succeeds {:.1f} times as often as the others foresee: are its failures recorded?\n", name,
          s.odds_ratio);
  }
}

void print_text(Context& context, sql::Db& db, const Known& known, const explog::Context& c,
                const recommend::Recommendation& r, size_t shown, const Options& o) {
  bool explain = o.explain;
  std::ostream& out = context.out;
  if (known.launch) print_known(context, known, c);
  out << context.bold(printable(heading(c))) << ": " << printable(status_text(c, r)) << "\n";
  for (const recommend::Relaxation& relaxation : r.relaxations) {
    out << fmt::format("  with {} {}: {} strategies of the playbook\n", relaxation.option, relaxation.value,
                       relaxation.strategies);
  }
  for (size_t i = 0; i < shown; ++i) {
    const recommend::Item& item = r.items[i];
    auto [lo, hi] = recommend::interval(item);
    out << fmt::format("\n{:>2}. {}  {}\n", i + 1, context.bold(printable(item.strategy)),
                       printable(item.title));
    out << fmt::format("    helps with P = {:.2f} ({:.2f} to {:.2f}), then about {:.2f}x; {}{}\n", item.p, lo,
                       hi, item.gain, item.confidence, item.avoid ? "; KNOWN TO FAIL HERE" : "");
    for (const std::string& reason : item.reasons) out << "    - " << printable(reason) << '\n';
    if (!item.rids.empty()) out << context.dim("    - records " + join(ids_of(db, item.rids), ", ")) << '\n';
    if (!explain) continue;
    if (item.failures_to_fall > 0)
      out << fmt::format("    - {} more {} here would put it behind the next\n", item.failures_to_fall,
                         item.failures_to_fall == 1 ? "failure" : "failures");
    for (const recommend::Level& level : item.ledger) {
      out << fmt::format("      {:<44} {:>8} of {:<8} -> {:.3f}\n", printable(level.name),
                         short_number(level.success), short_number(level.n), level.p);
    }
  }
  if (shown < r.items.size())
    out << fmt::format("\n{} more with --limit {}\n", r.items.size() - shown, r.items.size());
  if (o.explain) print_left_out(out, r);
  if (!r.avoid.empty()) out << "\nKnown failures:\n";
  for (const recommend::Avoid& avoid : r.avoid) {
    out << "  - " << printable(avoid.strategy) << ": " << printable(avoid.reason) << " ["
        << join(ids_of(db, avoid.rids), ", ") << "]\n";
  }
}

// Names that only unreviewed origins use are a stranger's text: they are counted, not shown.
std::vector<Cell> shown_evidence(sql::Db& db, const std::string& family, const Playbook& playbook) {
  std::vector<Cell> cells = store::evidence(db, family);
  std::set<std::string> reviewed;
  for (const Cell& cell : cells) {
    if (cell.reviewed) reviewed.insert(cell.strategy);
  }
  std::erase_if(cells, [&](const Cell& cell) {
    return playbook.find(cell.strategy) == nullptr && !reviewed.contains(cell.strategy);
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
    print_json(context, db, known, c, r, shown, o.explain);
  } else {
    print_text(context, db, known, c, r, shown, o);
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
