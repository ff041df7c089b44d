// Where text for people goes: two streams and what the terminal can do.
#pragma once
#include <initializer_list>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "answers/problem.h"

namespace explog::answers {

// prose: of several lines, so that its newlines and tabs stay.
enum class Style { plain, bold, dim, prose };

struct Span {
  std::string text;
  Style style = Style::plain;
};

// A line of an answer, as it is meant: whose text it holds does not matter until it is printed.
struct Line {
  Line(std::string text, Style style = Style::plain) : spans{{std::move(text), style}} {}
  Line(std::initializer_list<Span> parts) : spans(parts) {}
  std::vector<Span> spans;
};
using Lines = std::vector<Line>;

struct Terminal {
  std::ostream& out;
  std::ostream& err;
  bool interactive = false;  // output goes to a terminal
  int width = 100;           // its columns
  bool color = false;
  bool watched = false;  // standard error goes to a terminal: progress has a reader
  int watched_width = 100;
  bool json = false;  // a program reads: what is said on standard error is a line of JSON

  std::string bold(const std::string& s) const { return color ? "\033[1m" + s + "\033[0m" : s; }
  std::string dim(const std::string& s) const { return color ? "\033[2m" + s + "\033[0m" : s; }

  // Here text that came from records, files and compilers is made harmless, all of it.
  void print(const Lines& lines) const { print(lines, out); }
  void print(const Lines& lines, std::ostream& to) const;

  // On standard error: a line and its hint, or one line of JSON.
  void warn(const Warning& warning) const;
};

}  // namespace explog::answers
