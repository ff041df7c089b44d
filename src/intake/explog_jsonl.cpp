#include "intake/explog_jsonl.h"

#include <memory>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "intake/common.h"
#include "model/json.h"

namespace explog::intake {

Source explog_jsonl(const std::string& path, std::istream* in) {
  auto lines = std::make_shared<LineReader>(path, in);
  return [lines, path]() -> std::optional<Parsed> {
    for (;;) {
      auto line = lines->next();
      if (!line) return std::nullopt;
      std::optional<Parsed> parsed(std::in_place);  // made where it is handed on: it is large
      parsed->where = (path == "-" ? "stdin" : path) + ":" + std::to_string(lines->number());
      parsed->bytes = line->size() + 1;
      if (lines->too_long()) {
        parsed->fault = "longer than 256 KiB";
        return parsed;
      }
      if (lines->number() == 1 && line->substr(0, 3) == "\xEF\xBB\xBF") line->remove_prefix(3);
      if (trim(*line).empty()) continue;
      try {
        parse_experience(*line, parsed->experience.emplace());
      } catch (const JsonError& e) {
        parsed->experience.reset();
        parsed->fault = fault_of_line(e);
      }
      return parsed;
    }
  };
}

}  // namespace explog::intake
