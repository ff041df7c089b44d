#include "model/device_ceilings.h"

#include <doctest/doctest.h>

#include "model/json.h"

using namespace explog;

namespace {

std::string refusal(const std::string& text) {
  try {
    parse_device_ceilings(text);
  } catch (const JsonError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("measured ceilings read back as they were written") {
  DeviceCeilings c;
  c.gpu = "NVIDIA \"H200\"";
  c.arch = "sm_90";
  c.driver = "13.0";
  c.toolkit = "13.1";
  c.multiprocessors = 132;
  c.sm_mhz = 1972.5;
  c.rates = {{"dram_bytes_per_s", 4.3e12}, {"f16_tensor_flops", 7.98e14}};
  c.how = {{"dram_bytes_per_s", "copy of 4 GiB"}};
  std::string line = to_json(c);
  CHECK(line.find('\n') == std::string::npos);
  DeviceCeilings again = parse_device_ceilings(line);
  CHECK(to_json(again) == line);
  CHECK(again.gpu == c.gpu);
  CHECK(again.arch == "sm_90");
  CHECK(again.driver == "13.0");
  CHECK(again.toolkit == "13.1");
  CHECK(again.multiprocessors == 132);
  CHECK(again.sm_mhz == 1972.5);
  CHECK(again.rates == c.rates);
  CHECK(again.how == c.how);
  CHECK(again.rate("f16_tensor_flops") == 7.98e14);
  CHECK(again.rate("fp8_tensor_flops") == 0);
}

TEST_CASE("only the ceilings are required") {
  DeviceCeilings c = parse_device_ceilings(R"({"ceilings":{"fp32_flops":1}})");
  CHECK(c.gpu.empty());
  CHECK(c.multiprocessors == 0);
  CHECK(c.rate("fp32_flops") == 1);
  CHECK(parse_device_ceilings(R"({"ceilings":{},"how":[1],"new":2})").rates.empty());
}

TEST_CASE("a field that is wrong is named") {
  CHECK(refusal("[]") == "expected an object");
  CHECK(refusal("{}") == "ceilings: expected an object");
  CHECK(refusal(R"({"ceilings":[]})") == "ceilings: expected an object");
  CHECK(refusal(R"({"ceilings":{},"gpu":7})") == "gpu: expected text");
  CHECK(refusal(R"({"ceilings":{},"sm_mhz":"fast"})") == "sm_mhz: expected a number");
  CHECK(refusal(R"({"ceilings":{"x":0}})") == "ceilings.x: expected a number above 0");
  CHECK(refusal(R"({"ceilings":{"x":-1}})") == "ceilings.x: expected a number above 0");
  CHECK(refusal(R"({"ceilings":{"x":"1"}})") == "ceilings.x: expected a number above 0");
  CHECK_FALSE(refusal("{").empty());
}

TEST_CASE("a number of multiprocessors that cannot be is refused") {
  for (const char* count : {"1e300", "-1", "3000000000"}) {
    CAPTURE(count);
    CHECK(refusal(std::string(R"({"ceilings":{},"multiprocessors":)") + count + "}")
              .starts_with("multiprocessors: "));
  }
}
