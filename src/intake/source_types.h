// Which type of kernel a source is, by clues that each speak for one.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::intake {

struct TypeGuess {
  std::string type;    // empty: too little speaks for any
  std::string reason;  // the clue that weighed most
};
// `code` has no comments; `kernels` are the names of its kernels and `comments` what was said around them; `path` names the file,
// whose own name and folder's are clues too, and is empty where there is none.
TypeGuess guess_type(const std::string& code, const std::vector<std::string>& kernels,
                     const std::string& comments, const std::string& path);

}  // namespace explog::intake
