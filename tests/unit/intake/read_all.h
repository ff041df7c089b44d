// For the importers' tests: a text or a sample file, read to its end.
#pragma once
#include <sstream>
#include <string>
#include <vector>

#include "intake/source.h"

namespace explog::test {

using Open = Source (*)(const std::string& path, std::istream* in);

inline std::vector<Parsed> drain(const Source& source) {
  std::vector<Parsed> list;
  while (auto parsed = source()) list.push_back(std::move(*parsed));
  return list;
}

inline std::vector<Parsed> read_all(Open open, const std::string& text) {
  std::istringstream in(text);
  return drain(open("-", &in));
}

inline std::string sample(const std::string& name) {
  return std::string(EXPLOG_SOURCE_DIR) + "/tests/data/intake/" + name;
}

// How many remarks of the list contain `words`.
inline int remarks_with(const std::vector<Parsed>& list, const std::string& words) {
  int count = 0;
  for (const Parsed& parsed : list) {
    for (const std::string& remark : parsed.remarks) count += remark.find(words) != std::string::npos ? 1 : 0;
  }
  return count;
}

// Why reading fails as a whole, or "".
template <class Read>
std::string error_of(Read read) {
  try {
    read();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "";
}

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace explog::test
