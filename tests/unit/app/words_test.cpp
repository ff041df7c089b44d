// From words to ids on the way into the store, and from a source to an answer.
#include <doctest/doctest.h>

#include "answers/inferred.h"
#include "app/records/read_strategy.h"
#include "model/json.h"

#include <nlohmann/json.hpp>

using namespace explog;

TEST_CASE("words give way to an id; what was written, and the values of a change, stay") {
  Playbook playbook = Playbook::load("");
  app::StrategyWords words(playbook);
  Experience e;
  e.backend = "OpenAI-Triton";
  e.strategy = "num_warps 4->8";
  CHECK(words.put_id(e) == "strategy 'num_warps 4->8' taken as num_warps:up");
  CHECK(e.strategy == "num_warps:up");
  CHECK(e.strategy_text == "num_warps 4->8");
  CHECK(e.params == Params{{"from", 4.0}, {"to", 8.0}});
  CHECK(e.state == Facts{{"num_warps", 4}});
  Experience again;
  again.backend = "triton";
  again.strategy = "num_warps 4->8";
  again.params = {{"num_warps", 8.0}};
  again.state = {{"num_warps", 2}};
  CHECK(words.put_id(again).empty());  // said once
  CHECK(again.strategy == "num_warps:up");
  CHECK(again.params == Params{{"num_warps", 8.0}});
  CHECK(again.state == Facts{{"num_warps", 2}});
}

TEST_CASE("an id, an alias, an unknown name and a record that was read before stay as they are") {
  Playbook playbook = Playbook::load("");
  app::StrategyWords words(playbook);
  for (const char* name : {"wgmma", "float4_loads", "coarsen_z:up", "my own trick", ""}) {
    CAPTURE(name);
    Experience e;
    e.backend = "cuda";
    e.strategy = name;
    CHECK(words.put_id(e).empty());
    CHECK(e.strategy == name);
    CHECK(e.strategy_text.empty());
  }
  Experience tuner;
  tuner.strategy = "blocksize:up";
  tuner.state = {{"blocksize", 64}};
  CHECK(words.put_id(tuner).empty());
  CHECK(tuner.strategy == "blocksize:up");
  Experience e;
  e.strategy = "unroll 4->2";
  e.strategy_text = "half the unrolling";
  CHECK(words.put_id(e).empty());
  CHECK(e.strategy == "unroll 4->2");
}

TEST_CASE("an answer in JSON begins with what was inferred, and stays JSON") {
  app::Inferred inferred;
  inferred.file = "a \"b\".cu";
  inferred.facts = intake::read_source(
      "#define TILE 16\n__global__ void sgemm(const float* A) { __shared__ float a[9]; }\n");
  inferred.overruled = {"--dtype f64, the source looks like f32"};
  Json json = parse_json(answers::with_inferred(R"({"status":"prior"})", inferred));
  CHECK(json["status"] == "prior");
  CHECK(json["inferred"]["file"] == "a \"b\".cu");
  CHECK(json["inferred"]["kernel_type"] == "gemm");
  CHECK(json["inferred"]["backend"] == "cuda");
  CHECK(json["inferred"]["dtype"] == "f32");
  CHECK(json["inferred"]["knobs"]["TILE"][0] == 16);
  CHECK(json["inferred"]["already_there"][0] == "shared memory");
  CHECK(json["inferred"]["overruled"].size() == 1);
}
