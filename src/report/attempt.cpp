#include "report/attempt.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/date.h"
#include "base/hash.h"
#include "base/text.h"
#include "report/site.h"

namespace explog::report {

std::string kernel_of(const Attempt& a) {
  if (a.kernel.empty()) return a.kernel_type;
  return a.kernel.substr(0, a.kernel.find('/'));
}

std::string machine_of(const Attempt& a) {
  if (!a.gpu.empty()) return a.gpu;
  return a.arch.empty() ? "unknown" : a.arch;
}

bool is_right(const Attempt& a) {
  return a.after_ms > 0 && a.correctness != "fail" && (a.cause.empty() || a.cause == "regression");
}

bool is_kept(const Attempt& a) {
  return is_right(a) && (a.decision.empty() ? a.outcome == "success" : a.decision == "keep");
}

std::string short_id(std::string_view id) { return std::string(id.substr(0, 18)); }
std::string anchor_of(const Attempt& a) { return "r-" + short_id(a.id); }

std::string slug(std::string_view name) {
  std::string out;
  for (char c : name.substr(0, 60)) {
    bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    out += plain ? c : '-';
  }
  if (out == name && !out.empty()) return out;
  return out + "-" + hex(blake2b_128(name)).substr(0, 8);
}

std::string shape_text(std::string_view json) {
  std::string out;
  for (char c : json) {
    if (c == ':') out += '=';
    if (c == ',') out += ", ";
    if (c != '{' && c != '}' && c != '"' && c != ':' && c != ',') out += c;
  }
  return out;
}

std::string ms_words(double ms) { return ms > 0 ? short_number(ms, 4) + " ms" : ""; }

std::string faster_words(double factor, double lo, double hi) {
  if (factor <= 0) return "";
  std::string text = fmt::format("{:.3f}x", factor);
  return lo > 0 && hi > 0 ? text + fmt::format(" ({:.3f} to {:.3f})", lo, hi) : text;
}

std::string rate_text(std::string_view name, double value) {
  return short_number(value / 1e12) + (name.ends_with("bytes_per_s") ? " TB/s" : " TFLOP/s");
}

std::string day_of(std::int64_t at_ms) { return utc_text(at_ms).substr(0, 10); }

Tone tone_of(const Attempt& a) {
  if (a.outcome == "success") return Tone::good;
  return a.outcome == "failure" ? Tone::bad : Tone::dim;
}

namespace {

// What a table has besides the columns that each has.
struct Extra {
  bool versions = false, machines = false;
};

Row attempt_row(const Attempt& a, bool links, const Extra& extra) {
  Cell strategy = links && !a.strategy.empty() ? linked(a.strategy, "strategy/" + slug(a.strategy) + ".html")
                                               : Cell(a.strategy);
  std::string what = a.kernel.empty() ? a.kernel_type : a.kernel;
  std::string came = a.outcome + (a.cause.empty() || a.cause == "regression" ? "" : ": " + a.cause);
  Row row{{links ? linked(short_id(a.id), home_of(a)) : Cell(short_id(a.id))}, anchor_of(a)};
  if (extra.versions) row.cells.emplace_back(a.iteration >= 0 ? fmt::format("v{}", a.iteration) : "");
  row.cells.push_back(links ? linked(what, "kernel/" + slug(kernel_of(a)) + ".html") : Cell(what));
  row.cells.push_back(std::move(strategy));
  row.cells.emplace_back(shape_text(a.shape));
  row.cells.emplace_back(a.before_ms > 0 ? short_number(a.before_ms, 4) : "");
  row.cells.emplace_back(a.after_ms > 0 ? short_number(a.after_ms, 4) : "");
  row.cells.emplace_back(faster_words(a.speedup, a.lo, a.hi));
  row.cells.emplace_back(came, tone_of(a));
  row.cells.emplace_back(a.level, Tone::dim);
  if (extra.machines) row.cells.emplace_back(machine_of(a));
  row.cells.emplace_back(day_of(a.at_ms));
  return row;
}

}  // namespace

// A machine that all records are of is said once.
Table attempts_table(const std::string& caption, const std::vector<const Attempt*>& rows, bool links) {
  Extra extra;
  for (const Attempt* a : rows) {
    extra.versions |= a->iteration >= 0;
    extra.machines |= machine_of(*a) != machine_of(*rows.front());
  }
  bool one = rows.size() > 1 && !extra.machines;
  extra.machines |= rows.size() == 1;
  Table table{caption + (one ? "; all of " + machine_of(*rows.front()) : ""), {{"record"}}, {}};
  if (extra.versions) table.columns.push_back({"version"});
  for (const char* name : {"kernel", "strategy", "shape"}) table.columns.push_back({name});
  for (const char* name : {"before, ms", "after, ms", "faster (99%)"}) table.columns.push_back({name, true});
  for (const char* name : {"outcome", "known as"}) table.columns.push_back({name});
  if (extra.machines) table.columns.push_back({"machine"});
  table.columns.push_back({"day", false, true});
  for (const Attempt* a : rows) table.rows.push_back(attempt_row(*a, links, extra));
  return table;
}

}  // namespace explog::report
