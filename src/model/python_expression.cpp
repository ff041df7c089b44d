#include "model/python_expression.h"

#include <array>
#include <cctype>

#include "base/text.h"
#include "model/json.h"

namespace explog {
namespace {

using Kind = PythonNode::Kind;

constexpr std::size_t longest_expression = 4096;
constexpr int deepest = 48;

PythonNode node(Kind kind, std::vector<PythonNode> parts, std::string text = "") {
  PythonNode made;
  made.kind = kind;
  made.parts = std::move(parts);
  made.text = std::move(text);
  return made;
}

// By recursive descent, a function for each level of Python's grammar ("6. Expressions" of its reference).
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {
    if (text.size() > longest_expression)
      bad("an expression has more than " + std::to_string(longest_expression) + " bytes");
  }

  PythonNode whole() {
    PythonNode result = disjunction();
    skip_blanks();
    if (at_ < text_.size()) fail("cannot be read from here on");
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    bad("'" + std::string(text_) + "' " + what + " (byte " + std::to_string(at_ + 1) + ")");
  }
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }
  static bool word_character(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

  bool take(std::string_view sign) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(sign)) return false;
    std::size_t end = at_ + sign.size();
    bool word = word_character(sign.front());
    if (word && end < text_.size() && word_character(text_[end])) return false;
    at_ = end;
    return true;
  }
  // The first of them that stands here; longer ones come before those that they begin with.
  template <std::size_t N>
  std::string take_one_of(const std::array<std::string_view, N>& signs) {
    for (std::string_view sign : signs) {
      if (take(sign)) return std::string(sign);
    }
    return "";
  }
  void need(std::string_view sign) {
    if (!take(sign)) fail("lacks " + std::string(sign));
  }
  std::string name() {
    skip_blanks();
    std::size_t begin = at_;
    while (at_ < text_.size() && word_character(text_[at_])) ++at_;
    if (begin == at_ || std::isdigit(static_cast<unsigned char>(text_[begin])) != 0) {
      at_ = begin;
      fail("is no expression that can be read here");
    }
    return std::string(text_.substr(begin, at_ - begin));
  }

  PythonNode disjunction() {
    return joined(Kind::any, "or", [this] { return conjunction(); });
  }
  PythonNode conjunction() {
    return joined(Kind::all, "and", [this] { return negation(); });
  }

  template <class Level>
  PythonNode joined(Kind kind, std::string_view word, const Level& level) {
    PythonNode first = level();
    if (!take(word)) return first;
    PythonNode all = node(kind, {std::move(first)});
    do all.parts.push_back(level());
    while (take(word));
    return all;
  }

  PythonNode negation() {
    Deeper deeper(*this);
    if (take("not")) return node(Kind::no, {negation()});
    return comparison();
  }

  PythonNode comparison() {
    PythonNode first = sum();
    PythonNode all = node(Kind::compare, {std::move(first)});
    for (;;) {
      std::string sign = take("not") ? "not in" : take_one_of(comparisons);
      if (sign.empty()) break;
      if (sign == "not in") need("in");
      all.operators.push_back(sign);
      all.parts.push_back(sum());
    }
    if (!all.operators.empty()) return all;
    PythonNode alone = std::move(all.parts.front());
    return alone;
  }

  PythonNode sum() {
    return chain(sums, [this] { return product(); });
  }
  PythonNode product() {
    return chain(products, [this] { return signed_one(); });
  }

  template <std::size_t N, class Level>
  PythonNode chain(const std::array<std::string_view, N>& signs, const Level& level) {
    PythonNode left = level();
    for (std::string sign = take_one_of(signs); !sign.empty(); sign = take_one_of(signs)) {
      PythonNode right = level();
      left = node(Kind::binary, {std::move(left), std::move(right)}, sign);
      if (++links_ > most_links) fail("is too long a chain");
    }
    return left;
  }

  PythonNode signed_one() {
    Deeper deeper(*this);
    if (take("-")) return node(Kind::negative, {signed_one()});
    if (take("+")) return signed_one();
    PythonNode base = atom();
    if (!take("**")) return base;
    return node(Kind::binary, {std::move(base), signed_one()}, "**");
  }

  PythonNode atom() {
    if (take("(")) {
      PythonNode inside = disjunction();
      need(")");
      return inside;
    }
    if (take("[")) return list();
    skip_blanks();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return number();
    if (take("True")) return constant(1);
    if (take("False")) return constant(0);
    std::string called = name();
    if (!take("(")) return node(Kind::name, {}, called);
    return node(Kind::call, elements(")"), called);
  }

  PythonNode list() {
    if (take("]")) return node(Kind::list, {});
    PythonNode first = disjunction();
    if (!take("for")) {
      PythonNode all = node(Kind::list, {std::move(first)});
      if (take(",")) {
        for (PythonNode& part : elements("]")) all.parts.push_back(std::move(part));
      } else {
        need("]");
      }
      return all;
    }
    std::string variable = name();
    need("in");
    PythonNode from = disjunction();
    need("]");
    return node(Kind::comprehension, {std::move(first), std::move(from)}, variable);
  }

  // "a, b, c)", where a last comma may stand.
  std::vector<PythonNode> elements(std::string_view end) {
    std::vector<PythonNode> parts;
    while (!take(end)) {
      if (!parts.empty()) fail("lacks a comma or " + std::string(end));
      do {
        if (take(end)) return parts;
        parts.push_back(disjunction());
      } while (take(","));
    }
    return parts;
  }

  PythonNode number() {
    std::size_t begin = at_;
    while (at_ < text_.size() && (word_character(text_[at_]) || text_[at_] == '.')) ++at_;
    auto value = parse_number(text_.substr(begin, at_ - begin));
    if (!value) {
      at_ = begin;
      fail("has no number here");
    }
    return constant(*value);
  }

  static PythonNode constant(double value) {
    PythonNode made;
    made.number = value;
    return made;
  }

  struct Deeper {
    explicit Deeper(Parser& p) : parser(p) {
      if (++parser.depth_ > deepest) parser.fail("is nested too deeply");
    }
    ~Deeper() { --parser.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    Parser& parser;
  };

  static constexpr std::array<std::string_view, 7> comparisons = {"==", "!=", "<=", ">=", "<", ">", "in"};
  static constexpr std::array<std::string_view, 2> sums = {"+", "-"};
  static constexpr std::array<std::string_view, 4> products = {"//", "*", "/", "%"};
  static constexpr int most_links = 256;

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0, links_ = 0;
};

}  // namespace

PythonNode parse_python(std::string_view expression) { return Parser(expression).whole(); }

}  // namespace explog
