// A version of a campaign, handed to the user's own files.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/session/session.h"

namespace explog::app {

// What becomes of a file of the user's. beside: it was changed since the campaign began and stays as it is, and what would
// have been written lies beside it with the ending .explog.
enum class Fate { same, written, beside };
std::string_view word(Fate fate);

struct FileToApply {
  std::string path, before, text;  // before: what it holds now
  std::string included_as;         // empty for the kernel itself
  Fate fate = Fate::same;
};

// What apply_version would do, the kernel first.
std::vector<FileToApply> files_to_apply(const std::string& folder, int version, const std::string& to,
                                        const Session& session);

// Writes a version over the file that version 0 was read from (or over `to`), and what it includes beside it, when these
// still hold what some version of this campaign holds; returns its path. Throws Error(negative) when one was changed
// otherwise: then all stay, and the version lies beside them under names that end in .explog.
std::string apply_version(const std::string& folder, int version, const std::string& to,
                          const Session& session);

}  // namespace explog::app
