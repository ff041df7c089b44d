#include "store/search.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"
#include "base/text.h"
#include "model/arch.h"
#include "model/experience.h"
#include "model/kernel_type.h"
#include "model/vocabulary.h"

namespace explog::store {
namespace {

constexpr size_t most_conditions = 50;  // SQLite's limit on the depth of an expression is 100

// Splits at blanks; double quotes hold a phrase together and stay in the token.
std::vector<std::string> tokens(const std::string& text) {
  std::vector<std::string> list;
  std::string token;
  bool quoted = false;
  for (char c : text) {
    if (c == '"') quoted = !quoted;
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (blank && !quoted) {
      if (!token.empty()) list.push_back(std::move(token));
      token.clear();
    } else if (c != '\0') {
      token += c;
    }
  }
  if (!token.empty()) list.push_back(std::move(token));
  return list;
}

std::string unquoted(std::string s) {
  s.erase(std::remove(s.begin(), s.end(), '"'), s.end());
  return s;
}

std::vector<std::string> searchable_fields() {
  std::vector<std::string> names = {"id", "at", "family", "commit"};
  for (const Field& field : experience_fields()) names.emplace_back(field.name);
  return names;
}

// SQL for a field, or for one entry of an object field ("shape.N"); the entry's name is bound, never pasted.
struct Column {
  std::string sql;
  std::vector<sql::Value> values;
  bool number = false;
  bool entry = false;
};

Column column_of(const std::string& name) {
  size_t dot = name.find('.');
  std::string field = name.substr(0, dot);
  auto known = searchable_fields();
  if (std::find(known.begin(), known.end(), field) == known.end()) {
    throw Error(Exit::usage, "no field '" + printable(field) + "'" + did_you_mean(field, known),
                "`explog completion --values fields` lists them; a phrase stands in double quotes");
  }
  const Field* f = find_field(field);
  bool object = f != nullptr && (type_of(*f) == FieldType::facts || type_of(*f) == FieldType::params);
  bool number = f != nullptr && type_of(*f) == FieldType::number;
  if (dot == std::string::npos) return {"\"" + field + "\"", {}, number, false};
  if (!object)
    throw Error(Exit::usage, "'" + printable(field) + "' has no entries: use " + printable(field) + ":value");
  return {"(SELECT value FROM json_each(" + field + ") WHERE key = ?)", {name.substr(dot + 1)}, false, true};
}

std::string normalised(const std::string& field, const std::string& value) {
  if (field == "arch") return canonical_arch(value).value_or(value);
  if (field == "kernel_type") return canonical_kernel_type(value);
  if (field == "strategy") return canonical_strategy(value);
  if (auto vocabulary = vocabulary_of(field)) return canonical(*vocabulary, value).value_or(value);
  return value;
}

double number_or_fail(const std::string& token, const std::string& value) {
  auto number = parse_number(value);
  if (!number)
    throw Error(Exit::usage, "'" + printable(token) + "': '" + printable(value) + "' is not a number");
  return *number;
}

// As records show it, or the beginning of it.
void check_date(const std::string& token, const std::string& value) {
  static const RE2 form(
      R"(\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T([01]\d|2[0-3])(:[0-5]\d(:[0-5]\d)?)?Z?)?)?)?)");
  if (!RE2::FullMatch(value, form))
    throw Error(Exit::usage, "'" + printable(token) + "': '" + printable(value) + "' is not a date",
                "as at:2025, at>=2025-06, at<2025-06-30T12:00");
}

void check_pattern(const std::string& pattern) {
  RE2::Options quiet;
  quiet.set_log_errors(false);
  RE2 re(pattern, quiet);
  if (!re.ok())
    throw Error(Exit::usage, "bad regular expression '" + printable(pattern) + "': " + re.error());
}

// What LIKE takes literally, with ESCAPE '\\'.
std::string literal(const std::string& text) {
  return replace_all(replace_all(replace_all(text, "\\", "\\\\"), "_", "\\_"), "%", "\\%");
}

Condition equals(const std::string& token, const std::string& field, Column column,
                 const std::string& value) {
  if (field == "id") {
    column.values.emplace_back(literal(replace_all(lower(value), "-", "")) + "%");
    return {token, "replace(id, '-', '') LIKE ? ESCAPE '\\'", column.values};
  }
  if (field == "commit" || field == "at") {  // as much of it as is known
    column.values.emplace_back(literal(lower(value)) + "%");
    return {token, column.sql + " LIKE ? ESCAPE '\\'", column.values};
  }
  if (field == "tags") {
    column.values.emplace_back(value);
    return {token, "EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ?)", column.values};
  }
  auto number = parse_number(value);
  bool numeric = column.number || (column.entry && number);
  if (numeric) {
    column.values.emplace_back(number_or_fail(token, value));
    return {token, column.sql + " = ?", column.values};
  }
  column.values.emplace_back(normalised(field, value));
  return {token, column.sql + " = ? COLLATE NOCASE", column.values};
}

// In notes and hypothesis. Their index knows words alone: other signs are looked for in what it finds.
Condition in_prose(const std::string& text) {
  const std::string bare = unquoted(text);
  auto is_of_word = [](unsigned char c) { return c >= 0x80 || std::isalnum(c) != 0; };
  const bool words = std::any_of(bare.begin(), bare.end(), is_of_word);
  Condition found;
  if (words) {
    found.sql = "rid IN (SELECT rowid FROM note WHERE note MATCH ?)";
    found.values.emplace_back("\"" + bare + "\"" + (text.back() == '"' ? "" : "*"));
  }
  if (words && bare.find('%') == std::string::npos) return found;
  found.sql += std::string(words ? " AND " : "") +
               "coalesce(notes, '') || ' ' || coalesce(hypothesis, '') LIKE ? ESCAPE '\\'";
  found.values.emplace_back("%" + literal(bare) + "%");
  return found;
}

// A word is looked for in the prose and, as part of a name, in the few names that records carry.
Condition word(const std::string& token, const std::string& text) {
  Condition found = in_prose(text);
  found.text = token;
  found.sql = "(" + found.sql +
              " OR strategy IN (SELECT r.strategy FROM cell c, cell_row(c.first, c.cells) r"
              " WHERE c.grain IN (0, 3) AND r.strategy LIKE ? ESCAPE '\\')"
              " OR kernel_type LIKE ? ESCAPE '\\' OR kernel LIKE ? ESCAPE '\\' OR gpu LIKE ? ESCAPE '\\')";
  for (int names = 0; names < 4; ++names)
    found.values.emplace_back("%" + literal(lower(unquoted(text))) + "%");
  return found;
}

std::string order_by(const std::string& token, std::string key) {
  bool down = !key.empty() && key[0] == '-';
  if (down) key.erase(0, 1);
  if (key.find('.') != std::string::npos)
    throw Error(Exit::usage, "'" + printable(token) + "': sort by a field, not an entry");
  Column column = column_of(key);
  return column.sql + (down ? " DESC" : " ASC") + " NULLS LAST, at_ms DESC, rid DESC";
}

// Other words for the time of a record, which lists head with `date`: after:2026-11 is at>=2026-11.
std::string in_words_of_fields(const std::string& body) {
  for (auto [said, meant] :
       {std::pair("date", "at"), {"after:", "at>="}, {"before:", "at<"}, {"since:", "at>="}}) {
    const std::size_t size = std::string_view(said).size();
    bool whole =
        said[size - 1] == ':' ||
        (body.size() > size && std::string_view(":=<>~!").find(body[size]) != std::string_view::npos);
    if (body.starts_with(said) && whole) return meant + body.substr(size);
  }
  return body;
}

Condition filter(const std::string& token, const std::string& body, size_t at) {
  std::string field = body.substr(0, at);
  char op = body[at];
  size_t length =
      (op == '>' || op == '<' || op == '!') && at + 1 < body.size() && body[at + 1] == '=' ? 2 : 1;
  std::string value = unquoted(body.substr(at + length));
  if (value.empty()) throw Error(Exit::usage, "'" + printable(token) + "' lacks a value");
  Column column = column_of(field);
  if (field == "at" && op != '~') check_date(token, value);
  if (op == ':' || (op == '=' && length == 1)) return equals(token, field, column, value);
  if (op == '!') {
    Condition same = equals(token, field, column, value);
    return {token, "NOT coalesce(" + same.sql + ", 0)", same.values};
  }
  if (op == '~') {
    check_pattern(value);
    column.values.emplace_back(value);
    return {token, column.sql + " REGEXP ?", column.values};
  }
  const std::string comparison = " " + body.substr(at, length) + " ?";
  if (field == "at") {  // as exact as the date is: at<=2026-11-01 holds that whole day
    std::string date = value.ends_with('Z') ? value.substr(0, value.size() - 1) : value;
    return {token, fmt::format("substr(at, 1, {})", date.size()) + comparison, {date}};
  }
  column.values.emplace_back(number_or_fail(token, value));
  return {token, column.sql + comparison, column.values};
}

}  // namespace

Search parse_search(const std::string& text) {
  if (text.size() > 8192) throw Error(Exit::usage, "a search may be at most 8192 bytes long");
  if (!valid_utf8(text)) throw Error(Exit::usage, "the search is not valid UTF-8");
  Search search;
  for (const std::string& token : tokens(text)) {
    bool negative = token.size() > 1 && token[0] == '-';
    std::string body = in_words_of_fields(negative ? token.substr(1) : token);
    if (body.starts_with("sort:")) {
      const std::string key = body.substr(5);
      search.order = order_by(token, key == "date" ? "at" : key == "-date" ? "-at" : key);
      continue;
    }
    size_t at = body.find_first_of(":=<>~!\"");
    bool is_filter = at != std::string::npos && at > 0 && body[at] != '"';
    // `smem_tiling:on` is a strategy, not a filter on a field named smem_tiling.
    if (is_filter && body[at] == ':') {
      std::string value = body.substr(at + 1);
      auto fields = searchable_fields();
      std::string field = body.substr(0, std::min(at, body.find('.')));
      bool known = std::find(fields.begin(), fields.end(), field) != fields.end();
      if (!known &&
          (value == "up" || value == "down" || value == "on" || value == "off" || value.rfind("to", 0) == 0))
        is_filter = false;
    }
    if (unquoted(body).empty()) continue;
    Condition condition = is_filter ? filter(token, body, at) : word(token, body);
    if (negative) condition.sql = "NOT coalesce(" + condition.sql + ", 0)";
    search.conditions.push_back(std::move(condition));
    if (search.conditions.size() > most_conditions)
      throw Error(Exit::usage,
                  fmt::format("a search may have at most {} words and filters", most_conditions));
  }
  return search;
}

std::string search_sql(const Search& search, const std::string& columns, int limit, int skip) {
  std::string which;
  for (size_t i = 0; i < search.conditions.size(); ++i) {
    if (static_cast<int>(i) == skip) continue;
    which += (which.empty() ? " WHERE " : " AND ") + search.conditions[i].sql;
  }
  const std::string select = "SELECT " + columns + " FROM experience";
  if (columns.starts_with("count")) return select + which;
  const std::string order = " ORDER BY " + search.order;
  if (limit == 0) return select + which + order;
  // Sorting would take the columns out of every record that fits: they are wanted of a few.
  return fmt::format("{} JOIN (SELECT rid AS found FROM experience{}{} LIMIT {}) ON rid = found{}", select,
                     which, order, limit, order);
}

void bind_search(sql::Stmt& stmt, const Search& search, int skip) {
  int at = 0;
  for (size_t i = 0; i < search.conditions.size(); ++i) {
    if (static_cast<int>(i) == skip) continue;
    for (const sql::Value& value : search.conditions[i].values) stmt.bind(++at, value);
  }
}

namespace {

// For a name that no record has: the nearest that there is. Names that only unreviewed origins use are strangers' text,
// which is no part of what agents are told.
std::string near_name(sql::Db& db, const std::string& condition) {
  size_t at = condition.find_first_of(":=");
  std::string field = condition.substr(0, at),
              value = at == std::string::npos ? "" : unquoted(condition.substr(at + 1));
  if (field == "kernel_type") return did_you_mean(value, known_kernel_types());
  if (field == "kernel" && is_known_kernel_type(canonical_kernel_type(value)))
    return " (a kernel's own name; its kind is kernel_type:" + printable(value) + ")";
  if (field == "arch" && !canonical_arch(value)) return arch_hint(value);
  if (auto vocabulary = vocabulary_of(field); vocabulary && !canonical(*vocabulary, value))
    return did_you_mean(value, words(*vocabulary));
  if (field != "strategy") return "";
  std::vector<std::string> names;
  for (sql::Stmt read(
           db,
           "SELECT DISTINCT r.strategy FROM cell c, cell_row(c.first, c.cells) r WHERE r.origin IN "
           "(SELECT no FROM origin WHERE trust >= 2)");
       read.step();)
    names.emplace_back(read.text(0));
  return did_you_mean(value, names);
}

}  // namespace

std::vector<std::string> explain_empty(sql::Db& db, const Search& search) {
  auto count = [&](const Search& s, int skip) {
    sql::Stmt stmt(db, search_sql(s, "count(*)", 0, skip));
    bind_search(stmt, s, skip);
    return stmt.step() ? stmt.integer(0) : 0;
  };
  std::int64_t total = count(Search{}, -1);
  if (total == 0) return {"the database has no records"};
  std::vector<std::string> lines;
  for (const Condition& condition : search.conditions) {
    if (search.conditions.size() == 1 || count(Search{{condition}, ""}, -1) == 0) {
      lines.push_back(fmt::format("'{}' fits none of the {} records{}", printable(condition.text), total,
                                  near_name(db, condition.text)));
    }
  }
  if (lines.empty())
    lines.push_back(fmt::format("each filter fits some of the {} records, but none fits them all", total));
  if (search.conditions.size() < 2) return lines;
  std::string best;
  std::int64_t most = 0;
  for (size_t i = 0; i < search.conditions.size(); ++i) {
    std::int64_t n = count(search, static_cast<int>(i));
    if (n > most) {
      most = n;
      best = search.conditions[i].text;
    }
  }
  if (most > 0) lines.push_back(fmt::format("without '{}' there are {}", printable(best), most));
  return lines;
}

}  // namespace explog::store
