// The views that SQL is written over: `query --schema`.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "answers/terminal.h"

namespace explog::answers {

using Views = std::vector<std::pair<std::string, std::string>>;  // name and text

std::string views_json(const Views& views);
void print_views(const Terminal& terminal, const Views& views);

}  // namespace explog::answers
