#include "bench/code/ir.h"

#include <doctest/doctest.h>

#include <map>

#include "base/file.h"
#include "bench/code/device_code.h"

using namespace explog;
using namespace explog::bench;

namespace {

std::string ttgir(const std::string& name) {
  return read_file(std::string(EXPLOG_SOURCE_DIR) + "/tests/data/code/" + name);
}

std::map<std::string, std::int64_t> counts(const Ir& ir) {
  return {ir.operations.begin(), ir.operations.end()};
}

}  // namespace

TEST_CASE("operations are counted, attributes and types are not") {
  auto count = counts(read_ir(ttgir("staged.ttgir")));
  CHECK(count["arith.constant"] == 3);
  CHECK(count["scf.for"] == 1);
  CHECK(count["ttg.async_wait"] == 1);
  CHECK(count["tt.func"] == 1);
  CHECK(count["ttg.local_alloc"] == 1);
  CHECK_FALSE(count.contains("ttg.memdesc"));
  CHECK_FALSE(count.contains("module"));
}

TEST_CASE("what the compiler says of a kernel comes back from its heading; without one the module says it") {
  IrKernel kernel{"scale", 4, 3, 1040};
  Ir ir = read_ir(ir_heading(kernel) + "tt.func public @scale() {\n");
  REQUIRE(ir.kernels.size() == 1);
  CHECK(ir.kernels[0].name == "scale");
  CHECK(ir.kernels[0].num_warps == 4);
  CHECK(ir.kernels[0].num_stages == 3);
  CHECK(ir.kernels[0].shared == 1040);
  std::string text = ttgir("staged.ttgir");
  Ir alone = read_ir(text.substr(text.find('\n')));
  REQUIRE(alone.kernels.size() == 1);
  CHECK(alone.kernels[0].num_warps == 8);
  CHECK_FALSE(alone.kernels[0].num_stages.has_value());
}

TEST_CASE("Tile IR names no dialects") {
  Ir ir = read_ir(
      "entry @scale(%a: tile<ptr<f32>>) {\n  %cst = constant <f32: 2.0> : tile<f32>\n"
      "  %result, %token = load_ptr_tko weak %13, %10 token=%0 : tile<128xptr<f32>>, tile<128xi1> -> "
      "tile<128xf32>, token\n"
      "  %reduce = reduce %result dim=0 identities=[0.0 : f32] : tile<128xf32> -> tile<f32> \n"
      "  (%lhs: tile<f32>, %rhs: tile<f32>) {\n    %30 = addf %lhs, %rhs : tile<f32>\n    yield %30 : "
      "tile<f32>\n  }\n"
      "  return\n}\n");
  auto count = counts(ir);
  CHECK(count["load_ptr_tko"] == 1);
  CHECK(count["reduce"] == 1);
  CHECK(count["yield"] == 1);
  CHECK(count["addf"] == 1);
  CHECK(count.size() == 7);  // constant, entry and return as well
  REQUIRE(ir.kernels.size() == 1);
  CHECK(ir.kernels[0].name == "scale");
}

TEST_CASE("two codes of one IR differ by their operations and by what a launch takes") {
  CodeTexts plain, staged;
  plain.ttgir = ttgir("plain.ttgir"), staged.ttgir = ttgir("staged.ttgir");
  DeviceCode a = read_code(plain), b = read_code(staged);
  CHECK(fact(state_of(b), "num_warps") == 8);
  CHECK(fact(state_of(b), "num_stages") == 4);
  CHECK(fact(state_of(b), "block_shared_bytes") == 4096);
  std::map<std::string, CodeRow> rows;
  for (const CodeRow& row : operation_rows(a, b)) rows[row.what] = row;
  CHECK(rows["tt.load"].before == 1);
  CHECK(rows["tt.load"].after == 0);
  CHECK(rows["ttg.async_wait"].before == 0);
  CHECK_FALSE(rows["tt.store"].changed());
}
