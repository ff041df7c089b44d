#include <sstream>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "broken.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {

// Whatever the bytes are packed in and encoded as: the same text comes whole and line by line, or an error.
void fuzz_input(std::string_view data) {
  std::istringstream whole{std::string(data)}, by_line{std::string(data)};
  try {
    std::string text = read_file("-", &whole, size_t{1} << 24);
    LineReader lines("-", &by_line);
    size_t bytes = 0;
    while (auto line = lines.next()) bytes += lines.too_long() ? 0 : line->size() + 1;
    if (bytes > text.size() + 1) broken("more in lines than in the whole", text);
  } catch (const Error&) {
  }
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_input)
