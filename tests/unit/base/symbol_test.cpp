#include "base/symbol.h"

#include <doctest/doctest.h>

using explog::function_name;

TEST_CASE("kernels are called what their authors called them") {
  CHECK(function_name("_Z17softmax_registersILi32ELb0EEvPKfPfi") == "softmax_registers<32, false>");
  CHECK(function_name("_Z3addPKfPfi") == "add");
  CHECK(function_name("_ZN2at6native7softmaxEPFvvE") == "at::native::softmax");
  CHECK(function_name("softmax_kernel") == "softmax_kernel");
  CHECK(function_name("") == "");
}
