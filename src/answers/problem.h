// What ends a command, and what its reader should know beside the answer: one line of JSON each.
#pragma once
#include <string>

#include "base/error.h"

namespace explog::answers {

struct Warning {
  std::string code, message, hint = {};  // code: one word for programs
  bool retryable = false;
};

// {"format":1,"error":{"code","exit","message","hint","retryable"}}. Here what it quotes is made harmless.
std::string error_json(const Error& e);
// {"format":1,"warning":{"code","message","hint","retryable"}}
std::string warning_json(const Warning& warning);

}  // namespace explog::answers
