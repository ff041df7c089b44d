// explog's own JSON lines: one experience a line, blank lines skipped.
#pragma once
#include <istream>
#include <string>

#include "intake/source.h"

namespace explog::intake {

// `path` may be "-" (`in`, or descriptor 0 when it is null) or gzip.
Source explog_jsonl(const std::string& path, std::istream* in);

}  // namespace explog::intake
