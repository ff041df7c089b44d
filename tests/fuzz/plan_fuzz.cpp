#include <variant>

#include "bench/plan/check.h"
#include "bench/plan/compare_plans.h"
#include "bench/plan/rules.h"
#include "broken.h"
#include "entry.h"
#include "harness/plan_reader.h"
#include "harness/plan_writer.h"
#include "harness/sha256.h"
#include "targets.h"

namespace explog::fuzz {
namespace {

// A mutation seldom finds the hash of an image: it is put right, so that the rules behind it are reached.
void name_images(plan::Plan& p) {
  for (plan::Image& i : p.images) i.sha256 = Sha256::hex_of(i.bytes);
}

}  // namespace

// What is read is written again byte for byte; a plan without fault equals itself and gets a decision.
void fuzz_plan(std::string_view data) {
  plan::Plan p;
  try {
    p = plan::read(data);
  } catch (const plan::Fault&) {
    return;
  }
  if (plan::write(p) != data) broken("a plan has other bytes than it was read from", std::string(data));
  name_images(p);
  if (!bench::fault_of(p).empty()) return;
  if (!bench::compare_plans(p, p).decides.empty()) broken("a plan is not like itself", std::string(data));
  if (!(bench::normalised(bench::normalised(p)) == bench::normalised(p)))
    broken("what is normalised is not", std::string(data));
  bench::PlanDecision decision = bench::decide(p, p);
  bool said = decision.judged == bench::Judged::replay || !decision.reason.empty();
  if (!said) broken("a decision without a reason", std::string(data));
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_plan)
