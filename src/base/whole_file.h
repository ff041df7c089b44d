// Files that others see whole or not at all, also on a network file system: a name is given by link() or rename(), which
// the server does in one step. No lock is needed for it.
#pragma once
#include <optional>
#include <string>

namespace explog {

// Makes the file unless one of that name is there. False: somebody else was first. Throws Error(remote) where the folder is
// out of reach, so that it can be tried again.
bool put_once(const std::string& path, const std::string& text);
// Makes or replaces it; throws likewise.
void put_over(const std::string& path, const std::string& text);
// Its text, or nothing where there is none; throws Error(remote) where it cannot be told.
std::optional<std::string> look_into(const std::string& path);

}  // namespace explog
