// Which reader takes a file: one table, by what the file's first bytes say.
#pragma once
#include <istream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "intake/source.h"

namespace explog::intake {

struct Format {
  std::string_view name;  // for --format
  std::string_view what;  // one line of help
  // Opens the input; `head` guesses are made elsewhere.
  Source (*open)(const std::string& path, std::istream* in);
  // Whether the first bytes of a file look like this format.
  bool (*looks_like)(std::string_view head);
};

std::span<const Format> formats();
const Format* find_format(std::string_view name);
// The format of the file by its first 64 KiB, or nothing. Not for standard input.
const Format* guess_format(const std::string& path);

}  // namespace explog::intake
