// Conditions, written in SQL.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "model/json.h"
#include "model/python_expression.h"

namespace explog {
namespace {

using Kind = PythonNode::Kind;

// What of a condition may have a part behind the point, which SQL's % would cut off.
bool fractional(const PythonNode& n) {
  if (n.kind == Kind::number) return std::trunc(n.number) != n.number;
  if (n.kind == Kind::compare || n.kind == Kind::all || n.kind == Kind::any || n.kind == Kind::no)
    return false;
  if (n.kind == Kind::binary && n.text == "/") return true;
  return std::any_of(n.parts.begin(), n.parts.end(), fractional);
}

class SqlWriter {
 public:
  explicit SqlWriter(const std::vector<std::string>& known) : known_(known) {}

  std::string text(const PythonNode& n) const {
    switch (n.kind) {
      case Kind::number:
        return number_text(n.number);
      case Kind::name:
        return name(n.text);
      case Kind::negative:
        return "(-" + text(n.parts[0]) + ")";
      case Kind::no:
        return "(NOT " + text(n.parts[0]) + ")";
      case Kind::all:
        return "(" + joined(n, " AND ") + ")";
      case Kind::any:
        return "(" + joined(n, " OR ") + ")";
      case Kind::binary:
        return binary(n);
      case Kind::compare:
        return compare(n);
      case Kind::call:
        return call(n);
      default:
        bad("a list stands in a condition elsewhere than behind `in`");
    }
  }

 private:
  std::string name(const std::string& word) const {
    if (std::find(known_.begin(), known_.end(), word) == known_.end())
      bad("a condition names " + word + ", which is no parameter");
    return word;
  }

  std::string joined(const PythonNode& n, const std::string& between) const {
    std::string all;
    for (const PythonNode& part : n.parts) all += (all.empty() ? "" : between) + text(part);
    return all;
  }

  std::string binary(const PythonNode& n) const {
    std::string a = text(n.parts[0]), b = text(n.parts[1]);
    bool parts = fractional(n.parts[0]) || fractional(n.parts[1]);
    if (n.text == "**") {
      if (n.parts[0].kind != Kind::number || n.parts[0].number != 2 || parts)
        bad("** is read in a condition as a power of 2 alone");
      return "(1 << " + b + ")";
    }
    if (n.text == "/") return "(1.0 * " + a + " / " + b + ")";
    if (n.text == "//") return parts ? "CAST(" + a + " / " + b + " AS INTEGER)" : "(" + a + " / " + b + ")";
    if (n.text == "%" && parts) return "(" + a + " - " + b + " * CAST(" + a + " / " + b + " AS INTEGER))";
    return "(" + a + " " + n.text + " " + b + ")";
  }

  std::string compare(const PythonNode& n) const {
    std::string all;
    for (std::size_t i = 0; i < n.operators.size(); ++i) {
      const PythonNode& right = n.parts[i + 1];
      std::string sign = n.operators[i], one = text(n.parts[i]) + " ";
      if (sign == "in" || sign == "not in") {
        if (right.kind != Kind::list) bad("`in` needs a list that is written out");
        one += (sign == "in" ? "IN (" : "NOT IN (") + joined(right, ", ") + ")";
      } else {
        one += sign + " " + text(right);
      }
      all += (i > 0 ? " AND " : "") + one;
    }
    return "(" + all + ")";
  }

  std::string call(const PythonNode& n) const {
    bool known = (n.text == "min" || n.text == "max") && n.parts.size() >= 2;
    if (!known && !(n.text == "abs" && n.parts.size() == 1))
      bad(n.text + "() is not read in a condition; min, max and abs are");
    return n.text + "(" + joined(n, ", ") + ")";
  }

  const std::vector<std::string>& known_;
};

}  // namespace

std::string python_as_sql(const PythonNode& condition, const std::vector<std::string>& known) {
  return SqlWriter(known).text(condition);
}

}  // namespace explog
