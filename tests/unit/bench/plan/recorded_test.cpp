// Plans that the capture wrote on an H200 (scripts/gpu/replay --keep), of kernels/vector_add and of fixtures of
// tests/adversarial: two calls of each, with other buffers.
#include <doctest/doctest.h>

#include "base/file.h"
#include "bench/plan/check.h"
#include "bench/plan/rules.h"
#include "harness/plan_reader.h"
#include "harness/plan_writer.h"

using namespace explog;
using namespace explog::bench;

namespace {

std::string recorded(const std::string& name, int call) {
  return read_file(EXPLOG_SOURCE_DIR "/tests/data/plans/" + name + "." + std::to_string(call) + ".plan");
}

plan::Plan plan_in(const std::string& bytes) {
  auto read = read_plan(bytes);
  if (auto* fault = std::get_if<std::string>(&read)) FAIL(*fault);
  return std::get<plan::Plan>(read);
}

struct Recorded {
  const char* name;
  Judged judged;
  const char* reason;
  std::uint64_t activities;
};

}  // namespace

TEST_CASE("plans of an H200 are whole, and the rules give them the runner that they had there") {
  const std::vector<Recorded> all = {
      {"vector_add-naive", Judged::replay, "", 1},
      {"ok_T01_graph", Judged::replay, "", 1},
      {"ok_T01_joined_stream", Judged::replay, "", 1},
      {"ok_R15_atomic_sum", Judged::replay, "", 2},
      {"ok_T17_early_trigger", Judged::replay, "", 1},
      {"ok_T20_parameters_in_a_buffer", Judged::replay, "", 1},
      {"ok_T20_addresses_in_padding", Judged::replay, "", 1},
      {"ok_T20_decides_on_host", Judged::in_process,
       "solve() reads device memory on the host (1024 bytes): results cannot be separated from host code", 3},
      {"T01_other_stream", Judged::refused, "work on stream 2 does not wait for the default stream", 1},
      {"T01_graph_elsewhere", Judged::refused, "work on stream 2 does not wait for the default stream", 1},
      {"T01_split_streams", Judged::refused, "work on stream 2 does not wait for the default stream", 2},
      {"T02_thread_launches", Judged::refused,
       "1 operations begin after solve() has returned: join your threads first", 0},
      {"T08_seen_pointers", Judged::refused, "the call does no work on the device", 0},
      {"T09_stale_graph", Judged::in_process,
       "a replay has no word for an address in another call's argument", 1},
      {"T09_cache_by_pointer", Judged::replay, "",
       1},  // a copy of what is wrong by then: the check's to find
  };
  for (const Recorded& r : all) {
    CAPTURE(std::string(r.name));
    plan::Plan one = plan_in(recorded(r.name, 0)), other = plan_in(recorded(r.name, 1));
    PlanDecision d = decide(one, other);
    CHECK(d.judged == r.judged);
    CHECK(d.reason == r.reason);
    CHECK(activities_of(other) == r.activities);
  }
}

TEST_CASE("a plan of an H200 is written as it was read, and refused when one byte of its image is another") {
  std::string bytes = recorded("vector_add-naive", 0);
  CHECK(plan::write(plan_in(bytes)) == bytes);
  bytes[bytes.size() - 500] ^= 1;
  auto read = read_plan(bytes);
  REQUIRE(std::holds_alternative<std::string>(read));
  CHECK(std::get<std::string>(read).find("image") != std::string::npos);
}
