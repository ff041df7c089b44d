// Sources by name: files, and steps of a ladder.json (model/ladder.h), on disk and in the program.
#pragma once
#include <optional>
#include <string>

#include "bench/find_task.h"
#include "bench/harness/source_file.h"

namespace explog::bench {

// A file or a step of kernels/TASK in the program, ready to compile; nothing when there is none of that name.
std::optional<SourceFile> embedded_source(const std::string& task, const std::string& name);
// A file on disk, or a step of the ladder.json in its folder. Throws Error(usage) when it is neither.
SourceFile find_source(const std::string& path);
// A file beside task.json, or one of the program's own when the task is. Throws Error(usage).
SourceFile source_of(const FoundTask& found, const std::string& name);

}  // namespace explog::bench
