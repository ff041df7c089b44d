// Which task may climb which ladder of the program.
#include "bench/fitting_ladder.h"

#include <doctest/doctest.h>

#include "bench/find_source.h"

using namespace explog;
using namespace explog::bench;

namespace {

// Somebody's own softmax: other names of the buffers.
FoundTask own_softmax() {
  FoundTask found = embedded_task("softmax");
  found.task.name = "mine", found.folder = "/somewhere", found.hash = "another";
  found.task.arguments[0].name = "input", found.task.arguments[1].name = "output";
  return found;
}

std::string climbed(const FoundTask& found, const std::string& backend) {
  auto ladder = ladder_for(found, backend);
  return ladder ? ladder->task : "";
}

}  // namespace

TEST_CASE("A task of the program climbs its own ladder in each language") {
  for (const char* backend : {"cuda", "host", "triton", "cutile"}) {
    auto ladder = ladder_for(embedded_task("softmax"), backend);
    REQUIRE(ladder);
    CHECK(ladder->task == "softmax");
    for (const Step& step : ladder->steps) CHECK(step.task == "softmax");
    CHECK(embedded_source("softmax", ladder->naive));
  }
  CHECK(climbed(embedded_task("gemm_tf32"), "cuda") == "gemm_tf32");
  CHECK(!ladder_for(embedded_task("vector_add"), "cutedsl"));
}

TEST_CASE("A task of somebody's own climbs the ladder of the task whose kernels it can call") {
  CHECK(climbed(own_softmax(), "cuda") == "softmax");
  CHECK(climbed(own_softmax(), "host") == "softmax");
  CHECK(climbed(own_softmax(), "triton") == "softmax");
}

TEST_CASE("A flat buffer is the same for a compiled kernel, and not for one in Python") {
  FoundTask flat = own_softmax();
  flat.task.arguments[0].shape = flat.task.arguments[1].shape = {"N*D"};
  CHECK(climbed(flat, "cuda") == "softmax");
  CHECK(climbed(flat, "cutile").empty());
}

TEST_CASE("Parameters with the same names are passed by name, others by place") {
  FoundTask gemm = embedded_task("gemm_f32");
  gemm.hash = "another";
  std::swap(gemm.task.arguments[4], gemm.task.arguments[5]);  // A, B, C, M, K, N
  std::swap(gemm.task.dims[1], gemm.task.dims[2]);
  CHECK(climbed(gemm, "cuda") == "gemm_f32");
  gemm.task.arguments[0].name = "left", gemm.task.backends[0].timed = {{{"M", 64}, {"K", 128}, {"N", 32}}};
  CHECK(climbed(gemm, "cuda").empty());  // by place N would be passed as K
}

TEST_CASE("What differs in type, role, size, kernel or precision is climbed by nobody") {
  auto changed = [](auto change) {
    FoundTask found = own_softmax();
    change(found.task);
    return climbed(found, "cuda");
  };
  CHECK(changed([](Task& t) { t.kernel_type = "log_softmax"; }).empty());
  CHECK(changed([](Task& t) { t.intermediate = "bf16"; }).empty());
  CHECK(changed([](Task& t) { t.arguments[0].dtype = Dtype::f16; }).empty());
  CHECK(changed([](Task& t) { t.arguments[1].role = Role::inout; }).empty());
  CHECK(changed([](Task& t) { t.arguments[1].shape = {"N"}; }).empty());
  CHECK(changed([](Task& t) { t.arguments[2].value = "D", t.arguments[3].value = "N"; }).empty());
  CHECK(changed([](Task& t) { t.dims[0] = "rows"; }).empty());
  CHECK(changed([](Task& t) { t.arguments.pop_back(); }).empty());
}

TEST_CASE("A shape that means nothing to the other task fits nothing, and is no error") {
  Task theirs = embedded_task("softmax").task;
  theirs.arguments[0].shape = {"N - 1000000", "D"};
  CHECK(!fits(theirs, own_softmax().task, "cuda"));
}
