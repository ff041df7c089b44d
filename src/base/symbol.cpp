#include "base/symbol.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace explog {

std::string function_name(const std::string& symbol) {
  int status = 0;
  std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || text == nullptr) return symbol;
  std::string name = text.get();
  if (name.ends_with(')')) {  // the parameters: what the last bracket closes
    std::size_t at = name.size();
    for (int open = 0; at > 0;) {
      char c = name[--at];
      open += c == ')' ? 1 : c == '(' ? -1 : 0;
      if (open == 0) break;
    }
    name.resize(at);
  }
  if (name.starts_with("void ")) name.erase(0, 5);  // of templates alone the result is part of the name
  return name;
}

}  // namespace explog
