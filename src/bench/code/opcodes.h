// One instruction by its name, of SASS and of PTX -> its kind.
#pragma once
#include <cstdint>
#include <string_view>

#include "bench/code/instructions.h"

namespace explog::bench {

struct Opcode {
  Op op = Op::other;
  std::int64_t bytes = 0;  // that a thread moves from or to global memory
};

Opcode of_sass(std::string_view opcode);  // "LDG.E.128"
Opcode of_ptx(std::string_view opcode);   // "ld.global.v4.f32"

}  // namespace explog::bench
