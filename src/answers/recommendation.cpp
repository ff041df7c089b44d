#include "answers/recommendation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "answers/answer.h"
#include "answers/rows.h"
#include "answers/wrap.h"
#include "base/text.h"
#include "model/json.h"
#include "model/recipe.h"

namespace explog::answers {
namespace {

// Four digits: more would only look exact.
double short_value(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  double scale = std::pow(10.0, 3 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

std::vector<std::string> first_of(const std::vector<std::string>& list) {
  return list.empty() ? list : std::vector{list.front()};
}

std::string how_to_read_on(const recommend::Item& item) {
  return item.title == "(not in the playbook)" ? "explog search strategy:" + item.strategy
                                               : "explog strategies show " + item.strategy;
}

void write_ledger(JsonWriter& json, const std::vector<recommend::LedgerLine>& ledger) {
  json.key("ledger");
  json.begin_array();
  for (const recommend::LedgerLine& level : ledger) {
    json.begin_object();
    json.field("level", level.name);
    json.field("success", short_value(level.success));
    json.field("n", short_value(level.n));
    json.field("p", short_value(level.p));
    json.end_object();
  }
  json.end_array();
}

void write_evidence(JsonWriter& json, const recommend::Counts& counts) {
  json.key("evidence");
  json.begin_object();
  json.field("n", counts.n);
  json.field("success", counts.success);
  json.field("neutral", counts.neutral);
  json.field("failure", counts.failure);
  if (counts.reversed > 0) json.field("reversed", counts.reversed);
  if (counts.in_process > 0) json.field("in_process", counts.in_process);
  if (counts.other_backends > 0) json.field("other_backends", counts.other_backends);
  json.end_object();
}

// Without `explain` the first reasons only: an answer of ten items is to be read, or paid for by the word.
std::vector<std::string> reasons_shown(const recommend::Item& item, bool explain) {
  constexpr std::size_t most = 1, longest = 46;
  if (explain) return item.reasons;
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(most, item.reasons.size()); ++i)
    shown.push_back(shortened(item.reasons[i], longest));
  return shown;
}

void write_item(JsonWriter& json, const recommend::Item& item, size_t rank, bool explain) {
  constexpr std::size_t longest_step = 58, longest_test = 62;
  json.begin_object();
  json.field("rank", rank);
  json.field("strategy", item.strategy);
  json.field("title", item.title);
  json.field("p_success", short_value(item.p));
  auto [lo, hi] = recommend::interval(item);
  json.field("p_lo", short_value(lo));
  json.field("p_hi", short_value(hi));
  json.field("expected_speedup", short_value(item.gain));
  json.field("score", short_value(item.avoid ? 0 : item.score));
  json.field("confidence", item.confidence);
  write_evidence(json, item.counts);
  if (!item.conflict.empty()) json.field("conflicts_with", item.conflict);
  json.field("do", explain ? item.first_step : shortened(item.first_step, longest_step));
  json.field("falsify", explain ? item.falsifier : shortened(item.falsifier, longest_test));
  json.field("how", how_to_read_on(item));
  json.field("reasons", reasons_shown(item, explain));
  json.field("ids", explain ? item.ids : first_of(item.ids));
  if (explain) {
    json.field("p_failure", short_value(item.p_failure));
    json.field("expected_log2_gain", short_value(item.expected));
    write_ledger(json, item.ledger);
  }
  json.end_object();
}

void write_context(JsonWriter& json, const Question& c) {
  json.key("context");
  json.begin_object();
  for (auto [key, value] : {std::pair("kernel_type", &c.kernel_type),
                            {"family", &c.family},
                            {"backend", &c.backend},
                            {"arch", &c.arch},
                            {"bottleneck", &c.bottleneck},
                            {"dtype", &c.dtype}}) {
    if (!value->empty()) json.field(key, *value);
  }
  for (auto [key, facts] : {std::pair("shape", &c.shape), {"state", &c.state}, {"metrics", &c.metrics}}) {
    if (facts->empty()) continue;
    json.key(key);
    json.begin_object();
    for (const auto& [name, value] : *facts) json.field(name, value);
    json.end_object();
  }
  json.end_object();
}

void write_diagnosis_summary(JsonWriter& json, const app::Advice& advice) {
  const diagnose::Diagnosis& diagnosis = advice.start.diagnosis;
  double reached = advice.question.reached;
  json.key("diagnosis");
  json.begin_object();
  json.field("label", diagnosis.label.word);
  json.field("why", diagnosis.label.why);
  json.field("confidence", diagnosis.confidence);
  json.field("stall", diagnosis.stall);
  json.field("reached", short_value(reached));
  json.field("at_the_roof", reached >= diagnose::at_the_roof);
  json.end_object();
}

std::string heading(const Question& c) {
  std::string text = c.kernel_type + (c.family != c.kernel_type ? " (" + c.family + ")" : "") + ", " +
                     c.backend + ", " + c.arch;
  if (c.bottleneck != "unknown") text += ", " + c.bottleneck + "-bound";
  if (!c.dtype.empty()) text += ", " + c.dtype;
  return text;
}

std::string status_text(const Question& c, const recommend::Recommendation& r) {
  if (r.status == "filtered")
    return fmt::format("none of the playbook's {} strategies applies to it{}", r.filtered.size(),
                       r.filtered.empty() ? "" : ": " + r.filtered[0].strategy + " " + r.filtered[0].reason);
  if (r.status == "unknown_kernel")
    return "not a known kind of kernel, and no records of it: this is the playbook's order, with wide "
           "intervals";
  if (r.status == "prior_only")
    return "no records of " + c.family + " yet: this is the playbook's order, with wide intervals";
  std::int64_t others = r.records - r.backend_records;
  if (r.status == "prior")
    return fmt::format("no records of {} with {}: this is the playbook's order; {} with other backends ({})",
                       c.family, c.backend, others, r.backends);
  std::string text = fmt::format("from {} {} of {} with {}", r.backend_records,
                                 r.backend_records == 1 ? "record" : "records", c.family, c.backend);
  return others > 0 ? text + fmt::format("; {} with other backends weigh less", others) : text;
}

// What the profile says, in two lines.
void print_known(const Terminal& terminal, const app::Advice& advice) {
  const diagnose::Diagnosis& d = advice.start.diagnosis;
  double reached = advice.question.reached;
  terminal.out << fmt::format("profile: {} ({} confidence): {}\n", d.label.word, d.confidence,
                              printable(d.label.why));
  if (!d.stall.empty()) terminal.out << "profile: warps wait most for " << d.stall << '\n';
  if (reached >= diagnose::at_the_roof) {
    terminal.out << "profile: within 5% of the roof: only less traffic or less arithmetic makes it faster\n";
  } else if (reached > 0) {
    terminal.out << fmt::format("profile: {}% of the roof is reached, at most {}x is left\n",
                                short_number(100 * reached), short_number(1 / reached));
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
    if (s.decided) out << fmt::format("{} weighs {:.2f}, as you decided\n", name, s.trust);
    if (s.records < 30) continue;
    if (!s.decided && s.trust < 0.5)
      out << fmt::format("{} weighs {:.2f}: the other sources do not predict it\n", name, s.trust);
    if (s.odds_ratio > 2)
      out << fmt::format(
          "{} succeeds {:.1f} times as often as the other sources predict: are its failures recorded?\n",
          name, s.odds_ratio);
  }
}

// "good evidence", "no evidence": how much is known, not how good it is.
std::string evidence_text(const recommend::Item& item) {
  return (item.prior_only() ? "no" : item.confidence) + " evidence";
}

// `text` behind `lead`; on a terminal in lines that fit it, below each other.
void print_entry(const Terminal& terminal, const std::string& lead, const std::string& text,
                 Style style = Style::plain) {
  const std::size_t indent = display_width(lead), room = static_cast<std::size_t>(terminal.width);
  const bool as_it_is = !terminal.interactive || room < indent + 24;  // too narrow for anything to be gained
  std::string before = lead;
  for (const std::string& line : as_it_is ? std::vector{text} : wrapped(text, room - indent)) {
    terminal.print({Line(before + line, style)});
    before.assign(indent, ' ');
  }
}

void print_recipe(const Terminal& terminal, const recommend::Item& item) {
  if (!item.first_step.empty()) print_entry(terminal, "    do:      ", item.first_step);
  if (!item.falsifier.empty()) print_entry(terminal, "    falsify: ", item.falsifier);
  print_entry(terminal, "    how:     ", how_to_read_on(item));
}

void print_already_there(const Terminal& terminal, const recommend::Recommendation& r) {
  if (!r.already_there.empty()) terminal.out << "\nAlready there:\n";
  for (const recommend::Filtered& f : r.already_there)
    print_entry(terminal, "  - ", f.strategy + ": " + f.reason);
}

void write_filtered(JsonWriter& json, const char* key, const std::vector<recommend::Filtered>& list) {
  json.key(key);
  json.begin_array();
  for (const recommend::Filtered& f : list) {
    json.begin_object();
    json.field("strategy", f.strategy);
    json.field("reason", f.reason);
    json.end_object();
  }
  json.end_array();
}

}  // namespace

void print_advice(const Terminal& terminal, const app::Advice& advice, bool explain) {
  const recommend::Recommendation& r = advice.ranking;
  std::ostream& out = terminal.out;
  if (advice.start.launch) print_known(terminal, advice);
  out << terminal.bold(printable(heading(advice.question))) << ": "
      << printable(status_text(advice.question, r)) << "\n";
  for (const recommend::Relaxation& relaxation : r.relaxations) {
    out << fmt::format("  with {} {}: {} strategies of the playbook\n", relaxation.option, relaxation.value,
                       relaxation.strategies);
  }
  for (size_t i = 0; i < advice.shown; ++i) {
    const recommend::Item& item = r.items[i];
    auto [lo, hi] = recommend::interval(item);
    out << fmt::format("\n{:>2}. {}  {}\n", i + 1, terminal.bold(printable(item.strategy)),
                       printable(item.title));
    out << fmt::format("    helps with P = {:.2f} ({:.2f} to {:.2f}), then about {:.2f}x; {}{}\n", item.p, lo,
                       hi, item.gain, evidence_text(item), item.avoid ? "; KNOWN TO FAIL HERE" : "");
    if (!item.conflict.empty()) print_entry(terminal, "    - ", "conflicts with " + item.conflict + " above");
    print_recipe(terminal, item);
    for (const std::string& reason : item.reasons) print_entry(terminal, "    - ", reason);
    if (!item.rids.empty()) print_entry(terminal, "    - ", "records " + join(item.ids, ", "), Style::dim);
    if (!explain) continue;
    if (item.failures_to_fall > 0)
      out << fmt::format("    - {} more {} here would put it behind the next\n", item.failures_to_fall,
                         item.failures_to_fall == 1 ? "failure" : "failures");
    for (const recommend::LedgerLine& level : item.ledger) {
      out << fmt::format("      {:<44} {:>8} of {:<8} -> {:.3f}\n", printable(level.name),
                         short_number(level.success), short_number(level.n), level.p);
    }
  }
  if (advice.shown < r.items.size())
    out << fmt::format("\n{} more with --limit {}\n", r.items.size() - advice.shown, r.items.size());
  print_already_there(terminal, r);
  if (explain) print_left_out(out, r);
  if (!r.avoid.empty()) out << "\nKnown failures:\n";
  for (const recommend::Avoid& avoid : r.avoid) {
    print_entry(terminal, "  - ", avoid.strategy + ": " + avoid.reason + " [" + join(avoid.ids, ", ") + "]");
  }
}

std::string advice_json(const app::Advice& advice, bool explain) {
  const recommend::Recommendation& r = advice.ranking;
  JsonWriter json;
  begin_answer(json, 2);
  write_context(json, advice.question);
  if (advice.start.launch) write_diagnosis_summary(json, advice);
  json.field("status", r.status);
  json.field("records", r.records);
  json.field("backend_records", r.backend_records);
  json.key("relaxations");
  json.begin_array();
  for (const recommend::Relaxation& relaxation : r.relaxations) {
    json.begin_object();
    json.field("option", relaxation.option);
    json.field("value", relaxation.value);
    json.field("strategies", relaxation.strategies);
    json.end_object();
  }
  json.end_array();
  json.key("recommendations");
  json.begin_array();
  for (size_t i = 0; i < advice.shown; ++i) write_item(json, r.items[i], i + 1, explain);
  json.end_array();
  write_filtered(json, "already_there", r.already_there);
  write_filtered(json, "filtered", explain ? r.filtered : std::vector<recommend::Filtered>{});
  json.key("avoid");
  json.begin_array();
  for (const recommend::Avoid& avoid : r.avoid) {
    json.begin_object();
    json.field("strategy", avoid.strategy);
    json.field("reason", explain ? avoid.reason : shortened(avoid.reason, 40));
    json.field("ids", explain ? avoid.ids : first_of(avoid.ids));
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return json.take();
}

}  // namespace explog::answers
