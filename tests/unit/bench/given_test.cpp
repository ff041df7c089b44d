#include "bench/given.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "bench/cases.h"
#include "bench/find_task.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

const std::string folder = std::string(EXPLOG_SOURCE_DIR) + "/tests/data/given";

Task twice() { return parse_task(read_file(folder + "/task.json")); }

// What is said of an entry that names another tensor for x.
std::string given_refusal(const std::string& file, const std::string& tensor,
                          const Dims& dims = {{"N", 4}, {"D", 4}}) {
  Task task = twice();
  Case c = make_case(task, dims, "normal");
  try {
    GivenData(folder).put_into(c, {dims, {{"x", file, tensor}}});
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

std::vector<float> inputs_of(const Case& c, std::uint64_t seed) {
  std::vector<float> values(c.input_bytes() / sizeof(float));
  generate_inputs(c, seed, reinterpret_cast<char*>(values.data()));
  return values;
}

}  // namespace

TEST_CASE("given inputs are the file's, and stirred ones the same in other places") {
  Task task = twice();
  Case c = make_case(task, task.given[0].dims, "normal");
  GivenData data(folder);
  data.put_into(c, task.given[0]);
  CHECK(c.has_given());
  std::vector<float> exact = inputs_of(c, 1);
  CHECK(exact[0] == 1e6F);
  CHECK(exact[12] == 5e8F);
  CHECK(exact == inputs_of(c, 2));
  c.stirred = true;
  std::vector<float> stirred = inputs_of(c, 1);
  CHECK(stirred != exact);
  CHECK(stirred == inputs_of(c, 1));
  CHECK(stirred != inputs_of(c, 2));
  CHECK(std::multiset<float>(stirred.begin(), stirred.end()) ==
        std::multiset<float>(exact.begin(), exact.end()));
}

TEST_CASE("a file that does not fit the task is one line") {
  CHECK(given_refusal("inputs/rows.safetensors", "x").empty());
  CHECK(given_refusal("inputs/rows.safetensors", "half") ==
        "inputs/rows.safetensors: tensor 'half' is BF16 [4, 4]; the task wants f32 [4, 4]");
  CHECK(given_refusal("inputs/rows.safetensors", "x", {{"N", 2}, {"D", 8}}) ==
        "inputs/rows.safetensors: tensor 'x' is F32 [4, 4]; the task wants f32 [2, 8]");
  CHECK(given_refusal("inputs/rows.safetensors", "y").starts_with("inputs/rows.safetensors: no tensor 'y'"));
  CHECK(given_refusal("task.json", "x").find("task.json: no safetensors file: its header would have") !=
        std::string::npos);
  CHECK(given_refusal("missing.safetensors", "x").find("missing.safetensors: No such file") !=
        std::string::npos);
}

TEST_CASE("a shape with a file is timed with it, and the file is part of the task's hash") {
  Task task = twice();
  PlannedCase planned = timed_case(task, {{"N", 4}, {"D", 4}});
  CHECK(planned.given == &task.given[0]);
  CHECK(planned.stirred);
  CHECK(timed_case(task, {{"N", 4}, {"D", 5}}).given == nullptr);
  Scratch scratch;
  std::filesystem::copy(folder, scratch / "given", std::filesystem::copy_options::recursive);
  std::string before = find_task(scratch / "given", "").hash;
  CHECK(before == find_task(folder, "").hash);
  write_file(scratch / "given/inputs/rows.safetensors", "something else");
  CHECK(before != find_task(scratch / "given", "").hash);
}
