#include "base/text.h"
#include "intake/kernel_tuner_cache.h"

namespace explog::intake {
namespace {

// Follows the brackets of a JSON text, right or wrong.
struct Brackets {
  std::string open;  // those not closed yet
  bool in_string = false;
  size_t last_entry_end = 0;  // behind the last complete entry of the cache

  void follow(std::string_view text) {
    for (size_t i = 0; i < text.size(); ++i) {
      if (in_string) {
        if (text[i] == '\\')
          ++i;
        else if (text[i] == '"')
          in_string = false;
      } else {
        take(text[i], i);
      }
    }
  }

 private:
  void take(char c, size_t at) {
    if (c == '"') in_string = true;
    if (c == '{' || c == '[') open += c;
    if ((c == '}' || c == ']') && !open.empty()) open.pop_back();
    if (c == '}' && open == "{{") last_entry_end = at + 1;
  }
};

// NaN and Infinity, which Python writes bare, as null. Only called when one of the words is in the text at
// all.
std::string without_nan(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 64);
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    std::string_view rest = text.substr(i);
    size_t word = in_string                       ? 0
                  : rest.starts_with("NaN")       ? 3
                  : rest.starts_with("Infinity")  ? 8
                  : rest.starts_with("-Infinity") ? 9
                                                  : 0;
    if (word > 0) {
      out += "null";
      i += word - 1;
      continue;
    }
    if (in_string && text[i] == '\\' && i + 1 < text.size())
      out += text[i++];
    else if (text[i] == '"')
      in_string = !in_string;
    out += text[i];
  }
  return out;
}

void close(Mended& mended) {
  Brackets brackets;
  brackets.follow(mended.text);
  if (!brackets.in_string && brackets.open == "{") {  // only the last one is missing
    mended.text += '}';
    mended.closed = true;
  } else if (!brackets.open.empty() && brackets.last_entry_end > 0) {
    std::string_view rest = trim(std::string_view(mended.text).substr(brackets.last_entry_end));
    mended.cut = !rest.empty() && rest != ",";
    mended.closed = true;
    mended.text.resize(brackets.last_entry_end);
    mended.text += "}}";
  }
}

}  // namespace

Mended mend_tuner_cache(std::string text) {
  Mended mended;
  bool words = text.find("NaN") != std::string::npos || text.find("Infinity") != std::string::npos;
  mended.text = words ? without_nan(text) : std::move(text);
  close(mended);
  return mended;
}

}  // namespace explog::intake
