#include "cli/print_recommendation.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "cli/print.h"
#include "model/json.h"
#include "store/read.h"

namespace explog::cli {
namespace {

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
  json.key("ids"), json.texts(store::ids_of(db, item.rids));
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

}  // namespace

void print_recommendation(Context& context, sql::Db& db, const Known& known, const explog::Context& c,
                          const recommend::Recommendation& r, const Shown& shown) {
  std::ostream& out = context.out;
  if (known.launch) print_known(context, known, c);
  out << context.bold(printable(heading(c))) << ": " << printable(status_text(c, r)) << "\n";
  for (const recommend::Relaxation& relaxation : r.relaxations) {
    out << fmt::format("  with {} {}: {} strategies of the playbook\n", relaxation.option, relaxation.value,
                       relaxation.strategies);
  }
  for (size_t i = 0; i < shown.items; ++i) {
    const recommend::Item& item = r.items[i];
    auto [lo, hi] = recommend::interval(item);
    out << fmt::format("\n{:>2}. {}  {}\n", i + 1, context.bold(printable(item.strategy)),
                       printable(item.title));
    out << fmt::format("    helps with P = {:.2f} ({:.2f} to {:.2f}), then about {:.2f}x; {}{}\n", item.p, lo,
                       hi, item.gain, item.confidence, item.avoid ? "; KNOWN TO FAIL HERE" : "");
    for (const std::string& reason : item.reasons) out << "    - " << printable(reason) << '\n';
    if (!item.rids.empty())
      out << context.dim("    - records " + join(store::ids_of(db, item.rids), ", ")) << '\n';
    if (!shown.explain) continue;
    if (item.failures_to_fall > 0)
      out << fmt::format("    - {} more {} here would put it behind the next\n", item.failures_to_fall,
                         item.failures_to_fall == 1 ? "failure" : "failures");
    for (const recommend::Level& level : item.ledger) {
      out << fmt::format("      {:<44} {:>8} of {:<8} -> {:.3f}\n", printable(level.name),
                         short_number(level.success), short_number(level.n), level.p);
    }
  }
  if (shown.items < r.items.size())
    out << fmt::format("\n{} more with --limit {}\n", r.items.size() - shown.items, r.items.size());
  if (shown.explain) print_left_out(out, r);
  if (!r.avoid.empty()) out << "\nKnown failures:\n";
  for (const recommend::Avoid& avoid : r.avoid) {
    out << "  - " << printable(avoid.strategy) << ": " << printable(avoid.reason) << " ["
        << join(store::ids_of(db, avoid.rids), ", ") << "]\n";
  }
}

void print_recommendation_json(Context& context, sql::Db& db, const Known& known, const explog::Context& c,
                               const recommend::Recommendation& r, const Shown& shown) {
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
  for (size_t i = 0; i < shown.items; ++i) write_item(json, db, r.items[i], i + 1, shown.explain);
  json.end_array();
  json.key("filtered");
  json.begin_array();
  for (const recommend::Filtered& f : shown.explain ? r.filtered : std::vector<recommend::Filtered>{}) {
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
    json.key("ids"), json.texts(store::ids_of(db, avoid.rids));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  context.out << json.str() << '\n';
}

}  // namespace explog::cli
