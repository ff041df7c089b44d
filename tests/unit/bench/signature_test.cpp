#include "bench/judge/signature.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace explog;
using namespace explog::bench;

namespace {

std::string in_c(const std::string& parameters) { return "extern \"C\" void solve(" + parameters + ") {}\n"; }

bench::Parameter first(const std::string& parameters) {
  return find_signature(in_c(parameters), "a.cu").parameters.at(0);
}

Argument argument(const std::string& name, Dtype dtype, Role role) {
  Argument a;
  a.name = name;
  a.dtype = dtype;
  a.role = role;
  return a;
}

Task task_with(std::vector<Argument> arguments) {
  Task task;
  task.name = "sample";
  task.arguments = std::move(arguments);
  return task;
}

// What check_signature says, or "".
std::string refusal(const std::string& source, const Task& task) {
  try {
    check_signature(source, "a.cu", task);
  } catch (const Error& e) {
    CHECK(e.exit == Exit::usage);
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("solve is found before and inside an extern \"C\" block, with its line") {
  CHECK(find_signature(in_c("float* y, int N"), "a.cu").line == 1);
  Signature s =
      find_signature("// solve\n\nextern \"C\" {\nvoid\nsolve(const float* x,\n  float* y)\n{}\n}\n", "a.cu");
  CHECK(s.line == 5);
  CHECK(s.parameters.size() == 2);
  CHECK(find_signature("extern \"C\" __attribute__((visibility(\"default\"))) void solve(int n);", "a.cu")
            .line == 1);
  CHECK(
      find_signature("extern \"C\" void __attribute__((noinline)) solve(int n);", "a.cu").parameters.size() ==
      1);
}

TEST_CASE("no parameters, also spelt void") {
  CHECK(find_signature(in_c(""), "a.cu").parameters.empty());
  CHECK(find_signature(in_c(" void "), "a.cu").parameters.empty());
}

TEST_CASE("a solve in a comment or a text, or without extern \"C\", is none") {
  for (const char* source :
       {"", "// extern \"C\" void solve(int n) {}\n", "/* extern \"C\" void solve(int n) {} */",
        "const char* s = \"extern C void solve(int n)\"; extern \"C\" int x;", "void solve(int n) {}",
        "extern \"C\" void solver(int n) {}", "extern \"C\" int solve(int n) {}"}) {
    CAPTURE(source);
    CHECK_THROWS_WITH_AS(find_signature(source, "a.cu"),
                         "a.cu: no `extern \"C\" void solve(...)` outside comments", Error);
  }
}

TEST_CASE("decoys in comments before the real solve do not hide it") {
  Signature s = find_signature(
      "// extern \"C\" void solve(int wrong)\n/* void solve(int* no) */\n" + in_c("float* y"), "a.cu");
  CHECK(s.line == 3);
  REQUIRE(s.parameters.size() == 1);
  CHECK(s.parameters[0].name == "y");
}

TEST_CASE("parameters are read in every spelling") {
  for (const char* text :
       {"const float* x", "const float *x", "float const* x", "const float * __restrict__ x",
        "const float*__restrict x", "const float x[]", "const float x[16]", "const float* const x"}) {
    CAPTURE(text);
    bench::Parameter p = first(text);
    CHECK(p.type == "float");
    CHECK(p.name == "x");
    CHECK(p.pointer);
    CHECK(p.is_const);
  }
  bench::Parameter y = first("float* const y");
  CHECK(y.pointer);
  CHECK_FALSE(y.is_const);
  bench::Parameter n = first("unsigned long long   n /* many */");
  CHECK(n.type == "unsigned long long");
  CHECK(n.name == "n");
  CHECK_FALSE(n.pointer);
}

TEST_CASE("a parameter without a name has only a type") {
  for (const char* type : {"float", "int", "long long", "unsigned int", "unsigned char"}) {
    CAPTURE(type);
    CHECK(first(type).type == type);
    CHECK(first(type).name.empty());
    CHECK(first(std::string("const ") + type + "*").pointer);
  }
}

TEST_CASE("element types of C++ type names; what is no element type has none") {
  CHECK(dtype_of_c_type("float") == Dtype::f32);
  CHECK(dtype_of_c_type("double") == Dtype::f64);
  CHECK(dtype_of_c_type("__half") == Dtype::f16);
  CHECK(dtype_of_c_type("__nv_bfloat16") == Dtype::bf16);
  CHECK(dtype_of_c_type("std::int32_t") == Dtype::i32);
  CHECK(dtype_of_c_type("size_t") == Dtype::i64);
  CHECK(dtype_of_c_type("unsigned char") == Dtype::u8);
  for (const char* type : {"", "bool", "char", "void", "unsigned short", "float4", "Float"})
    CHECK(!dtype_of_c_type(type));
}

TEST_CASE("a candidate whose parameters fit the task is accepted in every spelling") {
  Task task = task_with({argument("x", Dtype::f16, Role::in), argument("y", Dtype::f32, Role::out),
                         argument("n", Dtype::i32, Role::scalar), argument("a", Dtype::f32, Role::scalar)});
  for (const char* parameters : {"const __half* x, float* y, int n, float a",
                                 "__half* in, float* __restrict__ out, const int n, float a",
                                 "const unsigned short* x, float y[], int32_t n, float alpha",
                                 "const void* x, void* y, int N, const float a"}) {
    CAPTURE(parameters);
    CHECK(refusal(in_c(parameters), task).empty());
  }
}

TEST_CASE("number, kind and type of the parameters must be the task's; the refusal tells line and position") {
  Task task = task_with({argument("x", Dtype::f32, Role::in), argument("y", Dtype::f32, Role::out),
                         argument("n", Dtype::i32, Role::scalar)});
  CHECK(refusal(in_c("const float* x, float* y"), task) ==
        "a.cu:1: solve has 2 parameters, the task sample has 3");
  CHECK(refusal("\n\n" + in_c("const double* x, float* y, int n"), task) ==
        "a.cu:3: parameter 1 of solve (const double*) must be a pointer to const f32 (x)");
  CHECK(refusal(in_c("const float* x, const float* y, int n"), task) ==
        "a.cu:1: parameter 2 of solve (const float*) must be a pointer to f32 (y)");
  CHECK(refusal(in_c("const float* x, float* y, long long n"), task) ==
        "a.cu:1: parameter 3 of solve (long long) must be the scalar n of type i32");
  CHECK(refusal(in_c("const float* x, int count, float* y"), task) ==
        "a.cu:1: parameter 2 of solve (int) must be a pointer to f32 (y)");
  CHECK(refusal(in_c("const unsigned short* x, float* y, int n"), task) ==
        "a.cu:1: parameter 1 of solve (const unsigned short*) must be a pointer to const f32 (x)");
  CHECK(refusal(in_c("const float* x, float* y, int* n"), task) ==
        "a.cu:1: parameter 3 of solve (int*) must be the scalar n of type i32");
}

TEST_CASE("parameters are matched by name where the names are the task's, else by place") {
  Task task = task_with({argument("x", Dtype::f32, Role::in), argument("y", Dtype::f32, Role::out),
                         argument("M", Dtype::i32, Role::scalar), argument("N", Dtype::i32, Role::scalar)});
  auto order = [&](const std::string& parameters) { return argument_order(in_c(parameters), "a.cu", task); };
  using Order = std::vector<std::size_t>;
  CHECK(order("const float* x, float* y, int M, int N") == Order{0, 1, 2, 3});
  CHECK(order("const float* x, float* y, int N, int M") == Order{0, 1, 3, 2});
  CHECK(order("int N, float* y, const float* x, int M") == Order{3, 1, 0, 2});
  CHECK(order("const float* x, float* y, int n, int M") == Order{0, 1, 2, 3});
  CHECK(order("const float* x, float* y, int N, int N") == Order{0, 1, 2, 3});
  CHECK(order("const float*, float*, int, int") == Order{0, 1, 2, 3});
  CHECK(refusal(in_c("int N, float* y, const float* x, int M"), task).empty());
  CHECK(refusal(in_c("long long N, float* y, const float* x, int M"), task) ==
        "a.cu:1: parameter 1 of solve (long long) must be the scalar N of type i32");
}

TEST_CASE("a return type behind the parameters, and C, which exports all") {
  CHECK(find_signature("extern \"C\" auto solve(int n) -> void {}", "a.cu").parameters.size() == 1);
  CHECK(find_signature("extern \"C\" auto solve(int n) noexcept -> void {}", "a.cu").parameters.size() == 1);
  CHECK_THROWS_AS(find_signature("extern \"C\" auto solve(int n) -> int {}", "a.cu"), Error);
  CHECK(find_signature("void solve(float* y, int n) {}", "a.c").parameters.size() == 2);
}
