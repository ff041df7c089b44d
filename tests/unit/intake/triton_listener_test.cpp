// The listener that ships for Triton's programs, on a stand-in of a release with settings that it has never heard of, and
// its line as explog reads it.
#include <doctest/doctest.h>

#include <algorithm>

#include "base/process.h"
#include "base/text.h"
#include "intake/triton.h"
#include "unit/intake/read_all.h"

using namespace explog;
using namespace explog::test;

namespace {

std::string line_of_listener() {
  const std::string program = R"PY(
import sys
sys.path.insert(0, sys.argv[1])
from explog_cli.triton_listener import line_of

class Config:
    def __init__(self, **settings):
        self.__dict__.update(settings)

def kernel():
    pass

def config(groups, flatten):
    return Config(kwargs={"BLOCK": 64, "FLATTEN": flatten}, num_warps=4, maxnreg=None, pre_hook=print, num_consumer_groups=groups)

timings = {config(1, None): [4.0, 4.0, 4.0], config(2, None): [2.0, 2.0, 2.0], config(2, False): [1.0, 1.0, 1.0]}
print(line_of(kernel, (1024, "torch.bfloat16"), next(iter(timings)), timings, 0.5, False, "sm_90", "NVIDIA H200", "triton 9"))
)PY";
  const std::string folder = std::string(EXPLOG_SOURCE_DIR) + "/scripts/package/python";
  return run_program({"/usr/bin/env", "python3", "-B", "-c", program, folder}, 60'000).output;
}

}  // namespace

TEST_CASE("triton listener: every plain setting of a Config is in its line, and what is no value is not") {
  std::string line = line_of_listener();
  CHECK(has(line, R"("maxnreg": null)"));
  CHECK_FALSE(has(line, "pre_hook"));
  auto list = read_all(intake::triton_log, line);
  std::vector<std::string> changes;
  for (const Parsed& parsed : list) {
    REQUIRE(parsed.experience);
    changes.push_back(parsed.experience->strategy);
  }
  std::sort(changes.begin(), changes.end());
  CHECK(changes == std::vector<std::string>{"flatten:tofalse", "flatten:tonone", "num_consumer_groups:down",
                                            "num_consumer_groups:up"});
}
