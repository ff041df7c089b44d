#include "model/space.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <set>

#include "base/error.h"
#include "base/sqlite.h"
#include "base/text.h"
#include "model/parameter_names.h"

namespace explog {
namespace {

constexpr int deadline_ms = 5000;
constexpr std::size_t most_variants = 64;  // more alternatives are no variants but labels

// What tells values apart: true is 1, as in Python, and the text "1" is not.
std::string identity(const Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? "\"" + *text : scalar_text(value);
}

Parameter::Kind kind_of(const Parameter& p) {
  using Kind = Parameter::Kind;
  if (p.kind == Kind::context) return Kind::context;
  if (p.values.size() < 2) return Kind::fixed;
  bool numbers = true, bits = true;
  for (const Scalar& value : p.values) {
    auto number = as_number(value);
    numbers &= number.has_value();
    bits &= number && (*number == 0 || *number == 1);
  }
  if (bits) return Kind::flag;
  if (numbers && !is_variant_number(p.shared)) return Kind::size;
  return p.values.size() <= most_variants ? Kind::variant : Kind::fixed;
}

std::string quoted(const std::string& name) { return "\"" + replace_all(name, "\"", "\"\"") + "\""; }

std::string sql_literal(const Scalar& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? "'" + replace_all(*text, "'", "''") + "'" : scalar_text(value);
}

// One row a combination: the number of each value. Conditions see the values under the parameters' names; "#"
// is the name of none. CROSS JOIN: SQLite keeps the tables in this order, so rows come in the order of the
// lists.
std::string all_combinations(const Space& space) {
  std::string with, numbers, tables;
  for (std::size_t i = 0; i < space.parameters.size(); ++i) {
    const Parameter& p = space.parameters[i];
    std::string table = "t" + std::to_string(i), rows;
    for (std::size_t number = 0; number < p.values.size(); ++number)
      rows += (number > 0 ? ",(" : "(") + sql_literal(p.values[number]) + "," + std::to_string(number) + ")";
    with += (i > 0 ? ", " : "WITH ") + table + "(" + quoted(p.name) + ",\"#\") AS (VALUES " + rows + ")";
    numbers += (i > 0 ? "," : "") + table + ".\"#\"";
    tables += (i > 0 ? " CROSS JOIN " : "") + table;
  }
  return with + " SELECT " + numbers + " FROM " + tables;
}

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw Error(Exit::usage, name + ": " + why,
              "\"where\" holds SQL expressions over the parameters: BLOCK_X * BLOCK_Y <= 1024");
}

void check_condition(const sql::Db& db, const Space& space, const std::string& condition,
                     const std::string& name) {
  bool usable = false;
  try {
    usable = sql::Stmt(db, all_combinations(space) + " WHERE (" + condition + "\n)").read_only();
  } catch (const Error&) {
  }
  if (!usable) refuse(name, "cannot evaluate '" + printable(condition) + "'");
}

// An expression may close its own bracket and say more; only listed values count.
std::uint32_t listed(const Parameter& parameter, std::int64_t number, const std::string& name) {
  if (number < 0 || number >= static_cast<std::int64_t>(parameter.values.size()))
    refuse(name, "the conditions give " + parameter.name + " a value that is not listed");
  return static_cast<std::uint32_t>(number);
}

std::vector<Configuration> rows_of(sql::Stmt& rows, const Space& space, const std::string& name) {
  std::vector<Configuration> all;
  while (rows.step()) {
    Configuration& configuration = all.emplace_back();
    for (std::size_t i = 0; i < space.parameters.size(); ++i)
      configuration.push_back(listed(space.parameters[i], rows.integer(static_cast<int>(i)), name));
  }
  return all;
}

}  // namespace

std::uint32_t Parameter::number_of(const Scalar& value) {
  auto [it, added] = numbers_.try_emplace(identity(value), static_cast<std::uint32_t>(values.size()));
  if (added) values.push_back(value);
  return it->second;
}

void Space::settle() {
  std::set<std::string> taken;
  for (Parameter& p : parameters) {
    for (const std::string& name : {shared_parameter_name(p.name), lower(p.name), p.name}) {
      p.shared = name;
      if (taken.insert(name).second) break;
    }
    p.kind = kind_of(p);
  }
}

std::vector<Configuration> configurations(const Space& space, const std::string& name) {
  sql::Db db(":memory:", sql::Mode::read_write);
  sql::Deadline deadline(db, deadline_ms);
  std::string query = all_combinations(space);
  for (std::size_t i = 0; i < space.where.size(); ++i) {
    check_condition(db, space, space.where[i], name);
    query += (i > 0 ? " AND (" : " WHERE (") + space.where[i] + "\n)";
  }
  std::vector<Configuration> all;
  try {
    sql::Stmt rows(db, query);
    all = rows_of(rows, space, name);
  } catch (const Error& e) {
    if (e.exit == Exit::usage) throw;
    refuse(name, "its conditions cannot be evaluated together: " + join(space.where, " AND "));
  }
  if (all.empty()) refuse(name, "its conditions leave no configuration");
  return all;
}

Settings settings_of(const Space& space, const Configuration& configuration) {
  Settings settings;
  for (std::size_t i = 0; i < configuration.size(); ++i)
    settings.emplace_back(space.parameters[i].name, space.parameters[i].values[configuration[i]]);
  return settings;
}

std::string settings_text(const Settings& settings) {
  std::string text;
  for (const auto& [name, value] : settings)
    text += (text.empty() ? "" : ",") + name + "=" + scalar_text(value);
  return text;
}

std::optional<double> as_number(const Scalar& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? 1 : 0;
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? std::optional<double>(*number) : std::nullopt;
}

std::string scalar_text(const Scalar& value) {
  auto number = as_number(value);
  return number ? number_text(*number) : std::get<std::string>(value);
}

Json json_value(const Scalar& value) {
  const auto* number = std::get_if<double>(&value);
  if (number != nullptr && std::abs(*number) < 1e15 && *number == std::trunc(*number))
    return static_cast<std::int64_t>(*number);
  return std::visit([](const auto& v) { return Json(v); }, value);
}

}  // namespace explog
