// Expressions of Python over whole numbers and their lists, as files of other tuners write values and conditions.
// Nothing is run: they are read, and worked out here or written as SQL.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog {

struct PythonNode {
  // list: its elements. comprehension: element, the list; `text` is its variable. call: its arguments; `text` is its name.
  // compare: operands, one more than `operators`, as in 32 <= x <= 1024. all and any: `and` and `or`.
  enum class Kind { number, name, list, comprehension, call, negative, no, binary, compare, all, any };
  Kind kind = Kind::number;
  double number = 0;
  std::string text;  // of a name; "**", "*", "/", "//", "%", "+", "-" of binary
  std::vector<PythonNode> parts;
  std::vector<std::string> operators;  // of compare: "==", "!=", "<", "<=", ">", ">=", "in", "not in"
};

// Numbers, True and False, names, lists and comprehensions with one `for`, calls, arithmetic, comparisons, `and or not`.
// Throws JsonError for anything else, saying at which byte.
PythonNode parse_python(std::string_view expression);

// The numbers of a list without free names: literals, range(), list(), comprehensions, `+`. At most 4,096 of them. Throws
// JsonError.
std::vector<double> python_list(const PythonNode& list);

// The same condition in SQL, where names are columns of whole numbers of 0 and above. `/` is a fraction, as in Python.
// Throws JsonError for what SQL lacks, and for a name that is not among `known`.
std::string python_as_sql(const PythonNode& condition, const std::vector<std::string>& known);

}  // namespace explog
