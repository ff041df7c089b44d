#include "bench/ladder.h"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "base/embedded.h"
#include "model/playbook.h"

using namespace explog;
using namespace explog::bench;

TEST_CASE("the head of a variant: strategy, what it changes, what it predicts") {
  Step step = parse_step(
      "softmax", "x.cu",
      "// strategy: online_softmax\n// after: y.cu\n// predicts: 2x, because: of it\n//\n// strategy: no\n",
      "naive.cu");
  CHECK(step.strategy == "online_softmax");  // an empty comment line ends the head
  CHECK(step.after == "y.cu");
  CHECK(step.predicts == "2x, because: of it");
  CHECK(parse_step("softmax", "x.cu", "#include <a>\n// strategy: late\n", "naive.cu").strategy.empty());
  CHECK(parse_step("softmax", "x.cu", "// strategy: s\n", "naive.cu").after == "naive.cu");
  CHECK(parse_step("softmax", "x.cu", "", "naive.cu").strategy.empty());
}

TEST_CASE(
    "every step names a strategy of the playbook, changes a file that is there, and predicts something") {
  Playbook playbook = Playbook::load("");
  for (const char* backend : {"cuda", "host"}) {
    std::set<std::string> seen;
    for (const Step& step : ladder_steps(backend)) {
      CAPTURE(step.task + "/" + step.file);
      CHECK(playbook.find(step.strategy) != nullptr);
      CHECK(embedded_file("kernels/" + step.task + "/" + step.after).has_value());
      CHECK_FALSE(step.predicts.empty());
      // A step comes behind the one it changes: no rings.
      bool from_baseline = step.after.starts_with("naive.");
      CHECK((from_baseline || seen.contains(step.task + "/" + step.after)));
      seen.insert(step.task + "/" + step.file);
    }
    CHECK(seen.size() > 5);
  }
}

TEST_CASE("each family has a ladder of at least four steps for CUDA") {
  std::map<std::string, int> steps;
  for (const Step& step : ladder_steps("cuda")) ++steps[step.task];
  CHECK(steps.size() >= 18);
  for (const auto& [task, count] : steps) {
    CAPTURE(task);
    CHECK(count >= 4);
  }
}
