// What a source takes from its own headers, or from modules of Python beside it.
#pragma once
#include <string>

namespace explog::intake {

// The functions of headers that `code`, the file at `path` without its comments, includes by `#include "x"` and calls,
// itself or through others of them; of Python the functions and classes of modules that it imports. Of a header that is not
// called nothing is taken; what cannot be read is left out.
std::string included_parts(const std::string& path, const std::string& code);

}  // namespace explog::intake
