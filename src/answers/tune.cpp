#include "answers/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "answers/answer.h"
#include "answers/bars.h"
#include "base/text.h"

namespace explog::answers {
namespace {

using app::StoredTuned;
using app::TuneAnswer;
using app::TuneLookup;
using app::TuneTemplate;

std::string pruned_text(const std::vector<PrunedCount>& pruned) {
  std::string text;
  for (const PrunedCount& p : pruned) {
    if (p.n > 0) text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", p.n, p.rule);
  }
  return text;
}

// Why the original stays.
std::string stays_text(const Tuned& t) {
  if (t.reason == "nothing_faster") return "no configuration was faster";
  if (t.reason == "nothing_runs") return "no configuration is right";
  if (t.reason == "cut_short") return "nothing was timed in this time";
  if (t.reason == "shard") return "a shard only measures; the run without --shard judges";
  return "the fastest was not kept: " + t.reason;
}

std::string where_text(const TuningKey& key) {
  return key.kernel + " for " + key.task + ", " + dims_text(key.shape);
}

std::string best_line(const Tuned& t) {
  if (t.original_wins) return fmt::format("  the original stays: {}", stays_text(t));
  if (t.original_ms == 0)
    return fmt::format("  best      {:.6f} ms  {}; the original does not run", t.best_ms,
                       settings_text(t.best));
  return fmt::format("  best      {:.6f} ms  {}, {:.3f}x faster (99% interval {:.3f}x to {:.3f}x)", t.best_ms,
                     settings_text(t.best), t.faster, t.lo, t.hi);
}

std::string estimate_line(const TuningEstimate& e) {
  std::string got = e.ms > 0 ? fmt::format("{:.6f} ms", e.ms) : "not timed";
  return fmt::format("  expected  {:.6f} ms by {}, {}: {}", e.estimate_ms, printable(e.from), got,
                     settings_text(e.params));
}

std::string quiet_line(const Tuned& t) {
  std::string kept = t.original_wins ? "ORIGINAL " + settings_text(t.original) + " of " + where_text(t.key) +
                                           ": " + stays_text(t)
                                     : "BEST " + settings_text(t.best) + " of " + where_text(t.key);
  const std::string open = left_open(t);
  return open.empty() ? kept : kept + "; " + open;
}

Json settings_json(const Settings& settings) {
  Json object = Json::object();
  for (const auto& [name, value] : settings) object[name] = json_value(value);
  return object;
}

Json answer_json(const TuneAnswer& a) {
  Json object = Json::parse(to_json(a.tuned));
  object.erase("rows");
  object["wall_s"] = rounded(a.wall_s);
  object["search_s"] = rounded(a.search_s);
  object["prepare_s"] = rounded(a.prepare_s);
  object["compile_s"] = rounded(a.compile_s);
  object["measured"] = a.measured;
  object["from_store"] = a.from_store;
  object["record"] = a.record;
  if (!a.fastest.empty()) object["fastest"] = fastest_json(a);
  if (!a.shares.empty()) object["knobs"] = shares_json(a);
  for (const app::TuneCandidate& c : a.candidates) {
    object["candidates"].push_back({{"params", settings_json(c.settings)},
                                    {"from", c.from},
                                    {"no_counterpart", settings_json(c.no_counterpart)}});
    if (c.estimate_ms > 0) object["candidates"].back()["estimate_ms"] = c.estimate_ms;
  }
  return object;
}

}  // namespace

void print_tune_begin(const Terminal& terminal, const Dims& shape, std::size_t rows,
                      const std::vector<PrunedCount>& pruned,
                      const std::vector<app::TuneCandidate>& candidates) {
  std::string left_out = pruned_text(pruned);
  Lines lines = {fmt::format("{}: {} configurations{}", dims_text(shape), rows,
                             left_out.empty() ? "" : "; left out: " + left_out)};
  for (const app::TuneCandidate& c : candidates) {
    lines.emplace_back(
        fmt::format("  first: {}, from {}{}", settings_text(c.settings), printable(c.from),
                    c.estimate_ms > 0 ? fmt::format(", which expects {:.4g} ms", c.estimate_ms) : ""));
    if (!c.moved.empty()) lines.emplace_back("    it means: " + printable(settings_text(c.moved)));
    if (!c.no_counterpart.empty())
      lines.emplace_back("    no counterpart here: " + printable(settings_text(c.no_counterpart)));
  }
  terminal.print(lines);
  terminal.out << std::flush;
}

void print_tuned(const Terminal& terminal, const TuneAnswer& a, bool quiet) {
  const Tuned& t = a.tuned;
  if (quiet) return terminal.print({quiet_line(t)});
  Lines lines = {
      {{where_text(t.key), Style::bold}, {", " + t.key.gpu}},
      fmt::format("  {} of {} configurations right, {} failed; {}", t.successes, t.configurations, t.failed,
                  a.from_store ? "from the store, nothing was measured"
                               : fmt::format("{} measured in {:.0f} s", a.measured, a.wall_s)),
      best_line(t)};
  if (t.original_ms > 0)
    lines.push_back(fmt::format("  original  {:.6f} ms  {}", t.original_ms, settings_text(t.original)));
  if (int room = std::min(terminal.width - 14, 60);
      terminal.interactive && room >= 16 && t.original_ms > 0 && !t.original_wins) {
    double most = std::max(t.best_ms, t.original_ms);
    lines.push_back("  best      " + bar(t.best_ms / most, room));
    lines.push_back("  original  " + bar(t.original_ms / most, room));
  }
  for (const TuningEstimate& e : t.estimates) lines.push_back(estimate_line(e));
  for (const auto& [name, number] : t.controls)
    lines.push_back(fmt::format("  controls  {:.0f} is {}", number, printable(name)));
  for (const Settings& tie : t.ties) lines.push_back("  tie       " + settings_text(tie));
  if (std::string left_out = pruned_text(t.pruned); !left_out.empty())
    lines.push_back("  left out: " + left_out);
  for (const TuningFailure& f : t.failures)
    lines.push_back("  failed: " + settings_text(f.params) + ": " + f.cause + ", " + f.line);
  if (const std::string open = left_open(t); !open.empty())
    lines.emplace_back("  " + open + ": the same command goes on; --max-time gives finalists longer");
  terminal.print(lines);
  print_tune_table(terminal, a);
}

std::string tuned_json(const TuneAnswer& answer) { return printable_json(answer_json(answer).dump()); }

std::string tuned_json(const std::vector<TuneAnswer>& answers) {
  Json list = Json::array();
  for (const TuneAnswer& answer : answers) list.push_back(answer_json(answer));
  return printable_json(Json{{"format", answer_format}, {"results", list}}.dump());
}

void print_lookup(const Terminal& terminal, const TuneLookup& lookup) {
  std::string what = settings_text(lookup.params);
  if (lookup.source == "none") {
    terminal.print({"none: " + where_text(lookup.key) + " on " + lookup.key.gpu +
                    (lookup.other_task    ? " was tuned for another version of the task alone"
                     : lookup.other_shape ? " was never tuned; " + dims_text(*lookup.other_shape) + " was"
                                          : " was never tuned")});
  } else if (lookup.source == "disabled") {
    terminal.print({"disabled: " + (what.empty() ? "the original" : what)});
  } else {
    const Tuned& t = lookup.found->tuned;
    std::string of = lookup.source == "bucket" ? " (tuned at " + dims_text(t.key.shape) + ")" : "";
    const std::string open = left_open(t);
    terminal.print({lookup.source + ": " + what + of + (open.empty() ? "" : "; " + open)});
  }
}

std::string lookup_json(const TuneLookup& lookup) {
  Json key =
      Json::object({{"task", lookup.key.task}, {"kernel", lookup.key.kernel}, {"source", lookup.key.source}});
  key["shape"] = Json::object();
  for (const auto& [name, value] : lookup.key.shape) key["shape"][name] = value;
  key.update({{"dtype", lookup.key.dtype},
              {"backend", lookup.key.backend},
              {"gpu", lookup.key.gpu},
              {"flags", lookup.key.flags},
              {"toolkit", lookup.key.toolkit},
              {"task_hash", lookup.key.task_hash}});
  Json object = {{"format", answer_format},
                 {"params", settings_json(lookup.params)},
                 {"source", lookup.source},
                 {"key", key}};
  if (lookup.source == "none" && lookup.other_task) object["other_task"] = true;
  if (lookup.source == "none" && lookup.other_shape) {
    for (const auto& [name, value] : *lookup.other_shape) object["other_shape"][name] = value;
  }
  if (lookup.of_unknown_task()) object["unknown_task"] = true;
  if (lookup.found) {
    object["complete"] = lookup.found->tuned.complete;
    object["record"] = lookup.found->id;
    object["tuned_shape"] = Json::object();
    for (const auto& [name, value] : lookup.found->tuned.key.shape) object["tuned_shape"][name] = value;
  }
  return printable_json(object.dump());
}

void print_results(RowPrinter& printer, const std::vector<StoredTuned>& results) {
  printer.header({"id", "at", "kernel", "shape", "gpu", "best", "faster", "complete"});
  for (const StoredTuned& stored : results) {
    const Tuned& t = stored.tuned;
    printer.row({stored.id.substr(0, 13), stored.at, t.key.task + "/" + t.key.kernel, dims_text(t.key.shape),
                 t.key.gpu, settings_text(t.best), t.original_wins ? 1.0 : rounded(t.faster),
                 std::string(t.complete ? "yes" : "no")});
  }
  printer.finish();
}

void print_templates(const Terminal& terminal, const std::vector<TuneTemplate>& templates,
                     const std::string& sign) {
  for (const TuneTemplate& t : templates) {
    terminal.print({sign + t.name + ": " + t.title});
    for (const std::string& line : t.lines) terminal.print({sign + line});
    for (const auto& [settings, ms] : t.estimates)
      terminal.print({fmt::format("{}  {:.4g} ms: {}", sign, ms, settings_text(settings))});
  }
}

void print_knobs(const Terminal& terminal, const app::KnobsInFile& found, const std::string& sign) {
  for (const app::TuneKnob& knob : found.knobs) {
    std::string line = sign + "tune: " + knob.name;
    for (double value : knob.values) line += " " + number_text(value);
    std::string how = knob.declared ? "declared in " : "found in ";
    terminal.print({line, "    " + sign + "now " + scalar_text(knob.original) + "; " + how +
                              printable(knob.place) +
                              (knob.needs.empty() ? "" : "; it needs " + printable(knob.needs))});
  }
  for (const std::string& rule : found.rules) terminal.print({sign + "tune " + printable(rule)});
}

std::string knobs_json(const app::KnobsInFile& found) {
  Json list = Json::array();
  for (const app::TuneKnob& knob : found.knobs) {
    list.push_back({{"name", knob.name},
                    {"values", knob.values},
                    {"original", json_value(knob.original)},
                    {"place", knob.place},
                    {"declared", knob.declared}});
    if (!knob.needs.empty()) list.back()["needs"] = knob.needs;
    for (Json& value : list.back()["values"]) value = json_value(value.get<double>());
  }
  Json answer = {{"format", answer_format}, {"knobs", list}};
  if (!found.rules.empty()) answer["rules"] = found.rules;
  return printable_json(answer.dump());
}

std::string templates_json(const std::vector<TuneTemplate>& templates) {
  Json list = Json::array();
  for (const TuneTemplate& t : templates) {
    list.push_back({{"name", t.name}, {"title", t.title}, {"lines", t.lines}});
    for (const auto& [settings, ms] : t.estimates)
      list.back()["estimates"].push_back({{"params", settings_json(settings)}, {"estimate_ms", ms}});
  }
  return Json{{"format", answer_format}, {"templates", list}}.dump();
}

}  // namespace explog::answers
