// Text in lines of a width.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace explog::answers {

// `text` in lines of at most `width` columns, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);

}  // namespace explog::answers
