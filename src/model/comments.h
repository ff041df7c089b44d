// Source text without its comments.
#pragma once
#include <string>
#include <string_view>

namespace explog {

// What is blanked beside the comments of C and C++.
struct Blanking {
  bool python_comments = false;
  bool python = false;    // it is Python: # begins a comment, // divides, """ encloses a remark
  bool literals = false;  // contents of "..." and '...', but not of "C": extern "C" is looked for
};

// `code` with comments replaced by blanks; lines and columns stay where they are.
std::string without_comments(std::string_view code, Blanking blanking);

}  // namespace explog
