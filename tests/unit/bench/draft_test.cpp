#include "bench/draft.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/judge/hidden_shapes.h"
#include "model/json.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

Draft draft(const std::string& parameters, const std::string& dims, const std::string& file = "kernel.cu") {
  return draft_task({file, "extern \"C\" void solve(" + parameters + ") {}\n", "", parse_dims({dims})});
}

std::string refusal(const std::string& parameters, const std::string& dims,
                    const std::string& file = "kernel.cu") {
  try {
    draft(parameters, dims, file);
  } catch (const Error& e) {
    CHECK(e.exit == Exit::usage);
    return e.what();
  }
  return "";
}

std::string dims_refusal(const std::string& text) {
  try {
    parse_dims({text});
  } catch (const Error& e) {
    CHECK(e.exit == Exit::usage);
    return e.what();
  }
  return "";
}

bool mentions(const Draft& d, const std::string& text) {
  return std::any_of(d.to_finish.begin(), d.to_finish.end(),
                     [&](const std::string& what) { return what.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("shapes that are drawn stand nowhere and keep what sizes have in common") {
  std::vector<Dims> free_both = {{{"M", 1}, {"N", 1}},
                                 {{"M", 257}, {"N", 3}},
                                 {{"M", 31}, {"N", 127}},
                                 {{"M", 127}, {"N", 33}},
                                 {{"M", 64}, {"N", 1009}}};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    std::vector<Dims> drawn = draw_shapes(free_both, seed, 2);
    REQUIRE(drawn.size() == 2);
    CHECK(drawn == draw_shapes(free_both, seed, 2));
    CHECK(drawn[0] != drawn[1]);
    for (const Dims& shape : drawn) {
      CHECK(std::find(free_both.begin(), free_both.end(), shape) == free_both.end());
      CHECK((shape[0].second >= 2 && shape[0].second <= 257));
      CHECK((shape[1].second >= 2 && shape[1].second <= 1009));
      CHECK(volume(shape) <= 64 * 1009);
    }
  }
  CHECK(draw_shapes(free_both, 1, 2) != draw_shapes(free_both, 2, 2));
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<Dims> drawn = draw_shapes(free_both, seed, 3);
    REQUIRE(drawn.size() == 3);
    CHECK((drawn[0][0].second % 2 == 1 && drawn[0][1].second % 2 == 1));
    CHECK((drawn[1][0].second <= 24 && drawn[1][1].second <= 24));
  }
  // Heads of 64 and 128: nobody said that there are others.
  std::vector<Dims> heads = {
      {{"N", 1}, {"D", 64}}, {{"N", 33}, {"D", 128}}, {{"N", 100}, {"D", 64}}, {{"N", 257}, {"D", 64}}};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    for (const Dims& shape : draw_shapes(heads, seed, 2))
      CHECK((shape[1].second == 64 || shape[1].second == 128));
  }
  CHECK(draw_shapes({{{"N", 64}}, {{"N", 128}}, {{"N", 192}}, {{"N", 1024}}}, 1, 2).empty());
  CHECK(draw_shapes({}, 1, 2).empty());
}

TEST_CASE("shapes are drawn with every remainder of each free dimension") {
  std::vector<Dims> free_both = {{{"M", 1}, {"N", 1}},
                                 {{"M", 257}, {"N", 3}},
                                 {{"M", 31}, {"N", 127}},
                                 {{"M", 127}, {"N", 33}},
                                 {{"M", 64}, {"N", 1009}}};
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::set<std::int64_t> of_m, of_n;
    for (const Dims& shape : draw_remainders(free_both, seed)) {
      of_m.insert(shape[0].second % 16), of_n.insert(shape[1].second % 16);
      CHECK((shape[0].second >= 2 && shape[0].second <= 257));
      CHECK((shape[1].second >= 2 && shape[1].second <= 1009));
      CHECK(volume(shape) <= 64 * 1009);
    }
    CHECK(of_m.size() == 16);
    CHECK(of_n.size() == 16);
  }
  CHECK(draw_remainders({{{"N", 64}}, {{"N", 128}}, {{"N", 192}}, {{"N", 1024}}}, 1).empty());
  CHECK(draw_remainders({}, 1).empty());
}

TEST_CASE("roles, types and scalars follow from the signature") {
  Draft d = draft("const float* x, __half* y, const long long* i, int n, int D, float eps", "N=4096,D=64");
  const Task& t = d.task;
  REQUIRE(t.arguments.size() == 6);
  CHECK(t.argument("x")->role == Role::in);
  CHECK(t.argument("y")->role == Role::out);
  CHECK(t.argument("y")->dtype == Dtype::f16);
  CHECK(t.argument("i")->dtype == Dtype::i64);
  CHECK(t.argument("n")->value == "N");  // named like the dimension but for the case
  CHECK(t.argument("D")->value == "D");
  CHECK(t.argument("eps")->value == "1");
  CHECK(mentions(d, "eps: the scalar's value is set to 1"));
  CHECK_FALSE(mentions(d, "n: the scalar"));
  CHECK(t.argument("x")->shape == std::vector<std::string>{"N", "D"});
  CHECK(mentions(d, "x: the shape [N, D] is a guess"));
  CHECK(t.bytes == "4*N*D + 2*N*D + 8*N*D");
}

TEST_CASE("M, N and K with two inputs and an output are a matrix product") {
  Draft d = draft("const float* A, const float* B, float* C, int m, int n, int k", "M=64,N=32,K=16");
  CHECK(d.task.argument("A")->shape == std::vector<std::string>{"M", "K"});
  CHECK(d.task.argument("B")->shape == std::vector<std::string>{"K", "N"});
  CHECK(d.task.argument("C")->shape == std::vector<std::string>{"M", "N"});
  CHECK(d.task.reduction == "K");
  CHECK(d.task.flops == "2*M*N*K");
  CHECK(d.task.kernel_type == "gemm");
  Draft other = draft("const float* A, float* C, int M, int N, int K", "M=64,N=32,K=16");
  CHECK(other.task.argument("A")->shape == std::vector<std::string>{"M", "N", "K"});
}

TEST_CASE("name, kernel type, backend and baseline come from the file") {
  Draft d = draft("float* y, int N", "N=8", "layer_norm-v2.cpp");
  CHECK(d.task.name == "layer_norm_v2");
  CHECK(d.task.kernel_type == "layernorm");
  REQUIRE(d.task.backends.size() == 1);
  CHECK(d.task.backends[0].name == "host");
  CHECK(d.task.backends[0].baseline == "layer_norm-v2.cpp");
  CHECK(d.task.backends[0].timed == std::vector<Dims>{{{"N", 8}}});
  CHECK(mentions(draft("float* y, int N", "N=8"), "kernel_type: other"));
  const std::string rows = "const float* x, float* y, int N, int D";
  CHECK(draft(rows, "N=8,D=4", "layer_norm.cpp").task.reduction == "D");
  CHECK(draft(rows, "N=8,D=4", "scale.cpp").task.reduction == "1");
  CHECK(task_name_of("3d.cu") == "_3d");
  CHECK(task_name_of(std::string(99, 'x') + ".cu").size() == 64);
}

TEST_CASE("a draft reads back as the program reads it") {
  for (const char* parameters :
       {"const float* x, float* y, int N, int D", "double* a, int D, unsigned char* b, int N"}) {
    Draft d = draft(parameters, "N=100,D=7");
    CHECK(to_json(parse_task(to_json(d.task))) == to_json(d.task));
  }
}

TEST_CASE("double precision asks for double precision sums") {
  CHECK(draft("const double* x, double* y, int N", "N=8").task.intermediate == "f64");
  CHECK(draft("const float* x, float* y, int N", "N=8").task.intermediate == "f32");
}

TEST_CASE("hidden shapes hold 1, primes, one less and one more, are small, and differ from what is timed") {
  for (const char* text : {"N=4096,D=1024", "N=1", "N=2", "N=16777216", "M=4096,N=4096,K=4096",
                           "N=281474976710656", "A=7,B=9,C=11,D=13", "N=128,D=64", "N=1,D=1"}) {
    CAPTURE(text);
    Dims timed = parse_dims({text});
    std::vector<Dims> hidden = draft_hidden(timed, {});
    CHECK(hidden.size() >= (volume(timed) > 1 ? 1 : 0));
    for (size_t i = 0; i < hidden.size(); ++i) {
      CAPTURE(dims_text(hidden[i]));
      CHECK(volume(hidden[i]) < 0x1p20);
      CHECK(hidden[i] != timed);
      CHECK(std::find(hidden.begin(), hidden.begin() + static_cast<std::ptrdiff_t>(i), hidden[i]) ==
            hidden.begin() + static_cast<std::ptrdiff_t>(i));
      for (const auto& [name, value] : hidden[i]) CHECK(value >= 1);
    }
  }
  std::vector<Dims> hidden = draft_hidden({{"N", 4096}, {"D", 1024}}, {});
  for (auto [name, value] : {std::pair("N", 1),
                             {"N", 4095},
                             {"N", 4097},
                             {"N", 127},
                             {"N", 257},
                             {"D", 1},
                             {"D", 1023},
                             {"D", 1025},
                             {"D", 127},
                             {"D", 257}}) {
    const std::pair<std::string, std::int64_t> wanted(name, value);
    CAPTURE(wanted.first);
    CAPTURE(wanted.second);
    CHECK(std::any_of(hidden.begin(), hidden.end(), [&](const Dims& dims) {
      return std::find(dims.begin(), dims.end(), wanted) != dims.end();
    }));
  }
}

TEST_CASE("a dimension that no parameter carries keeps its value in hidden shapes, and the user is told") {
  Draft d = draft("const float* x, float* y, int n", "n=4096,D=64");
  CHECK(mentions(d, "D: no parameter of solve has this name"));
  CHECK_FALSE(d.task.hidden.empty());
  for (const Dims& dims : d.task.hidden) CHECK(dims[1] == std::pair<std::string, std::int64_t>("D", 64));
  CHECK(draft_hidden({{"N", 8}, {"D", 1 << 21}}, {"D"}).empty());  // too large whatever N is
}

TEST_CASE("what cannot become a task is refused with the parameter's name") {
  CHECK(refusal("const float* x, int N", "N=8") ==
        "kernel.cu:1: solve has no pointer to non-const, so it has no output");
  CHECK(refusal("", "N=8") == "kernel.cu:1: solve has no pointer to non-const, so it has no output");
  CHECK(refusal("float* y, int N, int K", "N=8") ==
        "kernel.cu:1: parameter K looks like a dimension, and --dims does not give it");
  CHECK(refusal("float* y, int N, int BATCH", "N=8") ==
        "kernel.cu:1: parameter BATCH looks like a dimension, and --dims does not give it");
  CHECK(refusal("float* y, int N, int num_heads", "N=8,h=8") ==
        "kernel.cu:1: parameter num_heads looks like a dimension, and --dims does not give it");
  CHECK(refusal("float* y, int N, int causal", "N=8") == "");
  CHECK(refusal("const bool* mask, float* y", "N=8") ==
        "kernel.cu:1: parameter 1 of solve, mask, has the type bool, which is no element type");
  CHECK(refusal("void* y, int N", "N=8").find("y, has the type void") != std::string::npos);
  CHECK(refusal("float*, int N", "N=8") == "kernel.cu:1: parameter 1 of solve (float) has no name");
  CHECK(refusal("float* y, __half a", "N=8") ==
        "kernel.cu:1: parameter a: a 16-bit float cannot be passed by value");
  CHECK(refusal("float* y, int N", "N=5000000000") ==
        "kernel.cu:1: parameter N: 5000000000 does not fit an int");
  CHECK(refusal("float* y, long long N", "N=5000000000") == "");
  CHECK(refusal("float* y, float* y", "N=8") == "kernel.cu:1: two arguments are named 'y'");
  CHECK(refusal("float* y", "ORDER=8").find("cannot evaluate 'ORDER'") != std::string::npos);
  CHECK(refusal("float* y", "A=281474976710656,B=2").find("more than 2^48 elements") != std::string::npos);
  CHECK(refusal("float* y", "N=8", "kernel.py") == "kernel.py: neither .cu nor .cpp");
  CHECK(refusal("float* y", "N=8", "k\xff.cu") == "k\\xff.cu: task.json cannot hold this name");
  CHECK_THROWS_WITH_AS(draft_task({"a.cu", "// extern \"C\" void solve(float* y)\n", "", {{"N", 1}}}),
                       "a.cu: no `extern \"C\" void solve(...)` outside comments", Error);
  CHECK_THROWS_WITH_AS(draft_task({"a.cu", "extern \"C\" void solve(float* y);", "", {}}),
                       "task init: no dimensions given", Error);
  CHECK_THROWS_WITH_AS(draft_task({"a.cu", "extern \"C\" void solve(float* y);", "a/b", {{"N", 1}}}),
                       "--name: 'a/b' is no name (letters, digits and _)", Error);
}

TEST_CASE("dimensions are names with whole numbers from 1") {
  CHECK(parse_dims({"N=4096, D=64", "K=1e3"}) == Dims{{"N", 4096}, {"D", 64}, {"K", 1000}});
  CHECK(dims_refusal("N") == "--dims: 'N' is not of the form NAME=NUMBER");
  CHECK(dims_refusal("") == "--dims: '' is not of the form NAME=NUMBER");
  CHECK(dims_refusal("=4") == "--dims: '=4' is not of the form NAME=NUMBER");
  CHECK(dims_refusal("a b=4") == "--dims: 'a b=4' is not of the form NAME=NUMBER");
  CHECK(dims_refusal("N=4,n=5") == "--dims: n is given twice");
  for (const char* value : {"0", "-1", "1.5", "x", "", "nan", "1e300", "562949953421312"}) {
    CAPTURE(value);
    CHECK(dims_refusal(std::string("N=") + value) ==
          "--dims: N must be a whole number from 1 to 2^48, not '" + std::string(value) + "'");
  }
}

TEST_CASE("the drafted reference compiles, whatever the parameters are called, and says what to fill in") {
  auto compiler = find_program("c++");
  REQUIRE(compiler);
  Draft d = draft(
      "const float* p, int* begin, float* end, const int* real, int n, long long causal, float eps, float* "
      "p_",
      "N=8");
  CHECK(d.reference.starts_with("// A DRAFT: it refuses to compute"));
  CHECK(
      d.reference.find("throw std::runtime_error(\"reference.cpp is a draft: compute the outputs here\")") !=
      std::string::npos);
  Scratch scratch;
  std::ofstream(scratch / "reference.cpp") << d.reference;
  const std::string headers = "-I" EXPLOG_SOURCE_DIR "/kernels/harness/reference";
  for (const char* real : {"double", "float", "Rounded<11>"}) {
    Finished run = run_program({*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only",
                                "-DEXPLOG_REAL=" + std::string(real), headers, scratch / "reference.cpp"},
                               60000);
    CHECK_MESSAGE(run.status == 0, run.output);
  }
}
