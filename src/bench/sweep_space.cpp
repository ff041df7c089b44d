#include "bench/sweep_space.h"

#include <algorithm>

#include "base/embedded.h"
#include "base/error.h"
#include "base/sqlite.h"
#include "base/text.h"
#include "model/json.h"

namespace explog::bench {
namespace {

constexpr int deadline_ms = 5000;

std::string quoted(const std::string& name) { return "\"" + name + "\""; }

// CROSS JOIN: SQLite keeps the tables in this order, so rows come in the order of the lists.
std::string all_combinations(const Sweep& sweep) {
  std::string with, names, tables;
  for (std::size_t i = 0; i < sweep.parameters.size(); ++i) {
    const SweepParameter& p = sweep.parameters[i];
    std::string table = "t" + std::to_string(i), values;
    for (std::int64_t v : p.values) values += (values.empty() ? "(" : ",(") + std::to_string(v) + ")";
    with += (i > 0 ? ", " : "WITH ") + table + "(" + quoted(p.name) + ") AS (VALUES " + values + ")";
    names += (i > 0 ? "," : "") + quoted(p.name);
    tables += (i > 0 ? " CROSS JOIN " : "") + table;
  }
  return with + " SELECT " + names + " FROM " + tables;
}

[[noreturn]] void refuse(const Sweep& sweep, const std::string& why) {
  throw Error(Exit::usage, "sweep of " + printable(sweep.file) + ": " + why,
              "\"where\" holds SQL expressions over the parameters: BLOCK_X * BLOCK_Y <= 1024");
}

void check_condition(const sql::Db& db, const Sweep& sweep, const std::string& condition) {
  bool usable = false;
  try {
    usable = sql::Stmt(db, all_combinations(sweep) + " WHERE (" + condition + "\n)").read_only();
  } catch (const Error&) {
  }
  if (!usable) refuse(sweep, "cannot evaluate '" + printable(condition) + "'");
}

// An expression may close its own bracket and say more; only listed values count.
void check_listed(const Sweep& sweep, const Settings& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto& listed = sweep.parameters[i].values;
    if (std::find(listed.begin(), listed.end(), settings[i].second) == listed.end())
      refuse(sweep, "the conditions give " + settings[i].first + " a value that is not listed");
  }
}

std::vector<Settings> rows_of(sql::Stmt& rows, const Sweep& sweep) {
  std::vector<Settings> all;
  while (rows.step()) {
    Settings& settings = all.emplace_back();
    for (std::size_t i = 0; i < sweep.parameters.size(); ++i)
      settings.emplace_back(sweep.parameters[i].name, rows.integer(static_cast<int>(i)));
    check_listed(sweep, settings);
  }
  return all;
}

bool is_sweep(std::string_view path) {
  std::size_t name = path.rfind('/') + 1;
  return path.starts_with("kernels/") && path.substr(name).starts_with("sweep") && path.ends_with(".json");
}

}  // namespace

std::vector<Settings> configurations(const Sweep& sweep) {
  sql::Db db(":memory:", sql::Mode::read_write);
  sql::Deadline deadline(db, deadline_ms);
  std::string query = all_combinations(sweep);
  for (std::size_t i = 0; i < sweep.where.size(); ++i) {
    check_condition(db, sweep, sweep.where[i]);
    query += (i > 0 ? " AND (" : " WHERE (") + sweep.where[i] + "\n)";
  }
  std::vector<Settings> all;
  try {
    sql::Stmt rows(db, query);
    all = rows_of(rows, sweep);
  } catch (const Error& e) {
    if (e.exit == Exit::usage) throw;
    refuse(sweep, "its conditions cannot be evaluated together: " + join(sweep.where, " AND "));
  }
  if (all.empty()) refuse(sweep, "its conditions leave no configuration");
  return all;
}

std::string settings_text(const Settings& settings) { return dims_text(settings); }

SourceFile configured(const SourceFile& source, const Settings& settings) {
  SourceFile result = source;
  result.text.clear();
  for (const auto& [name, value] : settings)
    result.text += "#define " + name + " " + std::to_string(value) + "\n";
  result.text += "#line 1 \"" + source.name + "\"\n" + source.text;
  return result;
}

std::string configuration_name(const Sweep& sweep, const Settings& settings) {
  return sweep.file + " " + settings_text(settings);
}

std::vector<FoundSweep> embedded_sweeps(const std::string& backend) {
  std::vector<FoundSweep> found;
  for (const EmbeddedFile& file : embedded_files()) {
    if (!is_sweep(file.path)) continue;
    Sweep sweep = parse_sweep(file.text);
    if (backend_of_file(sweep.file) != backend) continue;
    std::string_view folder = file.path.substr(8, file.path.rfind('/') - 8);
    found.push_back({std::string(folder), std::move(sweep)});
  }
  return found;
}

}  // namespace explog::bench
