// SQL functions written in C++: one table, printed by `explog query --functions`.
#pragma once
#include <span>
#include <string_view>

#include "base/sqlite.h"

namespace explog::store {

struct FunctionDoc {
  std::string_view call;  // regexp(pattern, text)
  std::string_view help;
};

std::span<const FunctionDoc> function_docs();
void register_functions(sql::Db& db);

}  // namespace explog::store
