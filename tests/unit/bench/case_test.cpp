#include "bench/judge/case.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/text.h"

using namespace explog;
using namespace explog::bench;

namespace {

Argument array(const std::string& name, Dtype dtype, Role role, std::vector<std::string> shape,
               const std::string& fill = "") {
  Argument a;
  a.name = name;
  a.dtype = dtype;
  a.role = role;
  a.shape = std::move(shape);
  a.scale = "1";
  a.fill = fill;
  return a;
}

Argument scalar(const std::string& name, Dtype dtype, const std::string& value) {
  Argument a = array(name, dtype, Role::scalar, {});
  a.value = value;
  return a;
}

Task task_of(std::vector<Argument> arguments) {
  Task t;
  t.name = "sample";
  t.dims = {"N", "D"};
  t.arguments = std::move(arguments);
  t.distributions = {"normal"};
  t.reduction = t.rows = "1";
  t.flops = t.bytes = "0";
  return t;
}

Case sample_case(const Task& task, std::int64_t n = 6, std::int64_t d = 7) {
  return make_case(task, {{"N", n}, {"D", d}}, "normal");
}

double value_of(const std::string& expression, std::int64_t n = 6, std::int64_t d = 7) {
  Task task = task_of({scalar("a", Dtype::f64, expression)});
  return sample_case(task, n, d).operands[0].value;
}

std::string refusal(const Argument& argument, std::int64_t n = 6, std::int64_t d = 7) {
  Task task = task_of({argument});
  try {
    sample_case(task, n, d);
  } catch (const Error& e) {
    CHECK(e.exit == Exit::usage);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("expressions know the dimensions, arithmetic and sqrt; whole numbers divide as whole numbers") {
  CHECK(value_of("N") == 6);
  CHECK(value_of("N*D + 2") == 44);
  CHECK(value_of("1.0/sqrt(D)", 6, 4) == 0.5);
  CHECK(value_of("D/2") == 3);
  CHECK(value_of("D/2.0") == 3.5);
  CHECK(value_of("D % 4") == 3);
  CHECK(value_of("max(N, D)") == 7);
  CHECK(value_of("-1e-5") == -1e-5);
}

TEST_CASE("a scalar of type float is what the kernel gets: rounded once") {
  Task task = task_of({scalar("a", Dtype::f32, "0.1"), scalar("b", Dtype::f64, "0.1")});
  Case c = sample_case(task);
  CHECK(c.operands[0].value == static_cast<double>(0.1f));
  CHECK(c.operands[1].value == 0.1);
}

TEST_CASE("sizes of operands follow their shapes") {
  Task task =
      task_of({array("x", Dtype::f32, Role::in, {"N", "D"}), array("w", Dtype::f16, Role::in, {"D"}),
               array("y", Dtype::f64, Role::out, {"N", "2*D", "3"}), scalar("n", Dtype::i32, "N"),
               array("s", Dtype::u8, Role::workspace, {"1024"}), array("z", Dtype::f32, Role::inout, {"1"})});
  task.rows = "N";
  task.reduction = "D";
  task.flops = "2*N*D";
  task.bytes = "8*N*D";
  Case c = sample_case(task);
  CHECK(c.operands[0].count == 42);
  CHECK(c.operands[0].row == 7);
  CHECK(c.operands[2].count == 6 * 14 * 3);
  CHECK(c.operands[2].row == 3);
  CHECK(c.operands[2].bytes() == 6 * 14 * 3 * 8);
  CHECK(c.input_bytes() == 256 + 256 + 256);  // x, w and z, each padded
  CHECK(c.buffer_bytes() == 168 + 14 + 2016 + 1024 + 4);
  CHECK(c.rows == 6);
  CHECK(c.reduction == 7);
  CHECK(c.flops == 84);
  CHECK(c.bytes == 336);
  CHECK(c.name() == "N=6,D=7 normal");
}

TEST_CASE("expressions that cannot be evaluated are refused with their place and the shape") {
  CHECK(refusal(scalar("a", Dtype::f32, "Q")) == "task: a.value: cannot evaluate 'Q' for N=6,D=7");
  CHECK(refusal(scalar("a", Dtype::f32, "1/0")) == "task: a.value: cannot evaluate '1/0' for N=6,D=7");
  CHECK(refusal(scalar("a", Dtype::f32, "1e400")) == "task: a.value: cannot evaluate '1e400' for N=6,D=7");
  CHECK(refusal(scalar("a", Dtype::f32, "")) == "task: a.value: cannot evaluate '' for N=6,D=7");
  CHECK(refusal(scalar("a", Dtype::f32, "N; DELETE")) ==
        "task: a.value: cannot evaluate 'N; DELETE' for N=6,D=7");
  CHECK(refusal(scalar("a", Dtype::f32, "(")) == "task: a.value: cannot evaluate '(' for N=6,D=7");
  CHECK(refusal(array("x", Dtype::f32, Role::in, {"N", "E"})) ==
        "task: x.shape: cannot evaluate 'E' for N=6,D=7");
  Argument scaled = array("x", Dtype::f32, Role::in, {"N"});
  scaled.scale = "sqrt(-N)";
  CHECK(refusal(scaled) == "task: x.scale: cannot evaluate 'sqrt(-N)' for N=6,D=7");
}

TEST_CASE("a shape is a whole number from 1, and no more elements than 2^48 in all") {
  CHECK(refusal(array("x", Dtype::f32, Role::in, {"N - 6"})) ==
        "task: x.shape: 'N - 6' is 0 for N=6,D=7, not a size");
  CHECK(refusal(array("x", Dtype::f32, Role::in, {"D/2.0"})) ==
        "task: x.shape: 'D/2.0' is 3.5 for N=6,D=7, not a size");
  CHECK(refusal(array("x", Dtype::f32, Role::in, {"-N"})).find("not a size") != std::string::npos);
  std::int64_t huge = std::int64_t{1} << 40;  // squared it would be 0 modulo 2^64
  CHECK(refusal(array("x", Dtype::f32, Role::in, {"N", "D"}), huge, huge) ==
        "task: x.shape: more than 2^48 elements");
  CHECK(refusal(array("x", Dtype::f32, Role::in, {"N"}), std::int64_t{1} << 49).find("not a size") !=
        std::string::npos);
  Task task = task_of({});
  task.rows = "0";
  CHECK_THROWS_WITH_AS(sample_case(task), "task: rows: '0' is 0 for N=6,D=7, not a size", Error);
}

TEST_CASE("runner and reference are told the same arguments") {
  Argument x = array("x", Dtype::f16, Role::in, {"N", "D"}, "positive");
  x.scale = "0.5";
  Task task = task_of({x, array("y", Dtype::f32, Role::out, {"N"}), scalar("n", Dtype::i32, "N"),
                       array("w", Dtype::u8, Role::workspace, {"16"})});
  Case c = sample_case(task);
  CHECK(runner_words(c) ==
        " N=6 D=7 in,f16,6x7,0.5,positive out,f32,6,1,normal scalar,i32,6 workspace,u8,16,1,normal");
  CHECK(reference_words(c) == " N=6 D=7 x,in,f16,42,6x7 y,out,f32,6,6 n=6");
}

TEST_CASE(
    "generated inputs are the bits of fill_at, each from a multiple of 256 bytes, and nothing else is "
    "touched") {
  std::vector<Argument> arguments;
  for (const char* name : {"f32", "f64", "f16", "bf16", "i32", "i64", "u8"}) {
    arguments.push_back(scalar(std::string("s_") + name, Dtype::i32, "1"));
    arguments.push_back(
        array(name, *parse_dtype(name), arguments.size() > 6 ? Role::inout : Role::in, {"N", "D"}));
    arguments.push_back(array(std::string("o_") + name, Dtype::f32, Role::out, {"N"}));
  }
  Task task = task_of(arguments);
  for (auto [n, d] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {3, 67}, {1009, 211}}) {
    for (const std::string& distribution : known_distributions()) {
      CAPTURE(distribution);
      Case c = make_case(task, {{"N", n}, {"D", d}}, distribution);
      std::vector<char> got(c.input_bytes(), '\x5a'), want = got;
      generate_inputs(c, 42, got.data());
      char* to = want.data();
      for (std::size_t i = 0; i < c.operands.size(); ++i) {
        if (!c.operands[i].argument->is_input()) continue;
        FillOrder order = fill_order(c, i, 42);
        CHECK(order.seed == mix(42, i));
        for (std::uint64_t k = 0; k < order.count; ++k) fill_at(to, order, k);
        to += padded(c.operands[i].bytes());
      }
      CHECK(got == want);
    }
  }
}

TEST_CASE("another seed and another argument give other inputs") {
  Task task = task_of({array("x", Dtype::f32, Role::in, {"N"}), array("y", Dtype::f32, Role::in, {"N"})});
  Case c = sample_case(task, 64);
  std::vector<char> a(c.input_bytes()), b(c.input_bytes());
  generate_inputs(c, 1, a.data());
  generate_inputs(c, 2, b.data());
  CHECK(std::memcmp(a.data(), b.data(), 256) != 0);
  CHECK(std::memcmp(a.data(), a.data() + 256, 256) != 0);
  generate_inputs(c, 1, b.data());
  CHECK(a == b);
}

TEST_CASE("an argument's own fill wins over the case's distribution") {
  Task task =
      task_of({array("x", Dtype::f32, Role::in, {"N"}, "positive"), array("y", Dtype::f32, Role::in, {"N"})});
  Case c = make_case(task, {{"N", 6}, {"D", 7}}, "integers");
  CHECK(fill_order(c, 0, 1).fill == Fill::positive);
  CHECK(fill_order(c, 1, 1).fill == Fill::integers);
}

TEST_CASE("every known distribution has its place in the generator's list") {
  const auto& names = known_distributions();
  CHECK(names.size() == 10);
  for (auto [name, fill] : {std::pair("normal", Fill::normal),
                            {"positive", Fill::positive},
                            {"mixed", Fill::mixed},
                            {"large", Fill::large},
                            {"offset", Fill::offset},
                            {"sparse", Fill::sparse},
                            {"integers", Fill::integers},
                            {"index", Fill::index},
                            {"unit", Fill::unit},
                            {"equal", Fill::equal}}) {
    CHECK(names.at(static_cast<std::size_t>(fill)) == name);
  }
  for (auto [name, bits] : {std::pair("f32", Bits::f32),
                            {"f64", Bits::f64},
                            {"f16", Bits::f16},
                            {"bf16", Bits::bf16},
                            {"i32", Bits::i32},
                            {"i64", Bits::i64},
                            {"u8", Bits::u8}}) {
    CHECK(static_cast<int>(*parse_dtype(name)) == static_cast<int>(bits));
  }
}
