#include "app/calibrate/family_run.h"

#include <doctest/doctest.h>

#include <atomic>

using namespace explog;
using namespace explog::app;

TEST_CASE("a baseline is judged before where it is the candidate of an earlier step") {
  Family family = {{"softmax", "a.cu", "one", "naive.cu", ""},
                   {"softmax", "b.cu", "two", "a.cu", ""},
                   {"softmax", "c.cu", "three", "d.cu", ""},
                   {"softmax", "d.cu", "four", "naive.cu", ""}};
  FamilyRun run;
  CHECK_FALSE(is_judged_before(run, family[1]));  // on the host nothing is
  run.family = &family;
  CHECK_FALSE(is_judged_before(run, family[0]));
  CHECK(is_judged_before(run, family[1]));
  CHECK_FALSE(is_judged_before(run, family[2]));  // its turn comes first
}

TEST_CASE("a file's capture is made once, whoever asks, with the same inputs") {
  bench::SharedCaptures captures;
  std::atomic<int> made = 0;
  auto capture = [&](const std::string& library) {
    return captures.of(library, [&made, library] {
      ++made;
      std::vector<bench::Captured> one(1);
      one.front().error = library;
      return one;
    });
  };
  std::vector<bench::SharedCaptures::Made> asked = {capture("a.so"), capture("b.so"), capture("a.so")};
  CHECK(asked[0].get().front().error == "a.so");
  CHECK(asked[1].get().front().error == "b.so");
  CHECK(&asked[0].get() == &asked[2].get());
  CHECK(made == 2);
  CHECK(captures.inputs().seed != bench::SharedCaptures().inputs().seed);
}
