#include "store/functions.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/sqlite_function.h"
#include "model/arch.h"
#include "model/cards.h"
#include "model/json.h"
#include "model/kernel_type.h"
#include "store/cell_rows.h"

namespace explog::store {
namespace {

constexpr std::array<FunctionDoc, 7> docs = {{
    {"text REGEXP pattern",
     "1 when the RE2 pattern matches somewhere in text; regexp(pattern, text) is the same"},
    {"median(x)", "middle value, the mean of the two middle ones for an even count; NULL left out"},
    {"percentile(x, p)", "p-th percentile (0 to 100), linear between neighbours"},
    {"geomean(x)", "geometric mean of the values above 0; the right mean for speed-ups"},
    {"arch_distance(a, b)",
     "generations between two architectures: 0 same, 0.5 same generation, NULL unknown"},
    {"family(kernel_type)", "family of a kernel type: layernorm -> normalization"},
    {"log2, exp, sqrt, ...", "SQLite's own mathematical, JSON and date functions"},
}};

class Re2Matcher : public sql::Matcher {
 public:
  explicit Re2Matcher(std::string_view pattern) : re_(std::string(pattern), options()) {
    if (!re_.ok()) throw Error(Exit::usage, "bad regular expression: " + re_.error());
  }
  bool matches(std::string_view text) const override {
    return RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), re_);
  }

 private:
  static RE2::Options options() {
    RE2::Options o;
    o.set_log_errors(false);
    o.set_max_mem(8 << 20);
    return o;
  }
  RE2 re_;
};

std::unique_ptr<sql::Matcher> compile(std::string_view pattern) {
  return std::make_unique<Re2Matcher>(pattern);
}

std::optional<double> percentile(std::vector<double>& x, const std::vector<double>& rest) {
  double p = rest.empty() ? 50 : rest[0];
  if (!(p >= 0 && p <= 100)) return std::nullopt;
  std::sort(x.begin(), x.end());
  double at = p / 100 * static_cast<double>(x.size() - 1);
  auto i = static_cast<size_t>(at);
  double next = x[std::min(i + 1, x.size() - 1)];
  return x[i] + (at - static_cast<double>(i)) * (next - x[i]);
}

std::optional<double> geomean(std::vector<double>& x, const std::vector<double>&) {
  double sum = 0;
  size_t n = 0;
  for (double value : x) {
    if (value <= 0) continue;
    sum += std::log(value);
    ++n;
  }
  return n == 0 ? std::nullopt : std::optional<double>(std::exp(sum / static_cast<double>(n)));
}

sql::Value distance(const std::vector<sql::Argument>& a) {
  auto d = arch_distance(a[0].text(), a[1].text());
  return d ? sql::Value(*d) : sql::Value();
}

sql::Value family(const std::vector<sql::Argument>& a) {
  return family_of(canonical_kernel_type(a[0].text()));
}

// The program's own table of cards as JSON, for the view `card`.
sql::Value card_list(const std::vector<sql::Argument>&) {
  JsonWriter json;
  json.begin_array();
  for (const Card& card : cards()) {
    json.begin_object();
    json.field("name", card.name), json.field("arch", card.arch), json.field("source", card.source);
    json.field("multiprocessors", card.multiprocessors);
    const std::pair<const char*, double> figures[] = {{"memory_gb", card.memory_gb},
                                                      {"dram_gb_s", card.dram_gb_s},
                                                      {"fp64", card.fp64},
                                                      {"fp32", card.fp32},
                                                      {"tf32", card.tf32},
                                                      {"f16", card.f16},
                                                      {"fp8", card.fp8},
                                                      {"int8", card.int8}};
    for (const auto& [name, value] : figures) {
      if (value > 0) json.field(name, value);
    }
    json.end_object();
  }
  json.end_array();
  return json.take();
}

}  // namespace

std::span<const FunctionDoc> function_docs() { return docs; }

void register_functions(sql::Db& db) {
  sql::add_regexp(db, compile);
  sql::add_aggregate(db, "median", 1, percentile);
  sql::add_aggregate(db, "percentile", 2, percentile);
  sql::add_aggregate(db, "geomean", 1, geomean);
  sql::add_scalar(db, "arch_distance", 2, distance);
  sql::add_scalar(db, "family", 1, family);
  sql::add_scalar(db, "card_list", 0, card_list);
  sql::add_table(db, "cell_row", cell_row());
}

}  // namespace explog::store
