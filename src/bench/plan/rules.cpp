#include "bench/plan/rules.h"

#include <algorithm>
#include <array>

#include "bench/code/starts_work.h"
#include "bench/plan/compare_plans.h"
#include "bench/plan/joins.h"

namespace explog::bench {
namespace {

using namespace plan;

std::uint64_t activities_of(const Operation& o) {
  switch (o.kind) {
    case Kind::launch:
    case Kind::memset:
    case Kind::upload:
    case Kind::copy:
    case Kind::copy2d:
    case Kind::download:
      return 1;
    case Kind::graph: {
      std::uint64_t sum = 0;
      for (const Operation& node : o.nodes) sum += activities_of(node);
      return sum;
    }
    default:
      return 0;
  }
}

// Our own kernels tell a profiler where a call's window begins and ends.
std::string own_name(const std::vector<Operation>& operations) {
  for (const Operation& o : operations) {
    if (o.name.starts_with("explog_")) return o.name;
    if (std::string inside = own_name(o.nodes); !inside.empty()) return inside;
  }
  return "";
}

// No record of a profiler holds what device code starts, and a plan does not either.
bool device_starts_work(const Plan& p) {
  return std::any_of(p.images.begin(), p.images.end(), [](const Image& i) { return starts_work(i.bytes); });
}

// Work that a profiler would see nobody's, or another call's.
std::string refusal(const Plan& p) {
  if (std::string name = own_name(p.operations); !name.empty())
    return "it launches a kernel called " + name + ", a name that is kept for the harness's own";
  if (device_starts_work(p))
    return "its device code starts kernels or graphs itself, whose time is in no record: launch them from "
           "solve()";
  if (p.late > 0)
    return std::to_string(p.late) + " operations begin after solve() has returned: join your threads first";
  if (bench::activities_of(p) == 0) return "the call does no work on the device";
  return unjoined(p);
}

std::string foreign_image(const Plan& p, const std::set<std::string>& build) {
  if (build.empty()) return "";
  for (const Image& i : p.images) {
    if (!build.contains(i.sha256))
      return "it launches kernels of an image that was not made from its source (" + i.sha256.substr(0, 12) +
             ")";
  }
  return "";
}

// Why host code has a part in what is computed.
std::string host_part(const Plan& p) {
  if (!p.unknown.empty()) return "a replay has no word for " + p.unknown.front();
  for (const Operation& o : p.operations) {
    if (o.kind == Kind::download)
      return "solve() reads device memory on the host (" + std::to_string(o.bytes) +
             " bytes): results cannot be separated from host code";
  }
  return "";
}

PlanDecision refuse(const std::string& reason) { return {Judged::refused, reason, {}}; }
PlanDecision in_process(const std::string& reason) { return {Judged::in_process, reason, {}}; }

}  // namespace

std::string_view judged_name(Judged judged) {
  constexpr std::array<std::string_view, 3> names = {"replay", "in_process", "refused"};
  return names[static_cast<std::size_t>(judged)];
}

std::uint64_t activities_of(const Plan& p) {
  std::uint64_t sum = 0;
  for (const Operation& o : p.operations) sum += activities_of(o);
  return sum;
}

PlanDecision decide(const Plan& one, const Plan& other, const std::set<std::string>& build) {
  for (const Plan* p : {&one, &other}) {
    if (std::string why = refusal(*p); !why.empty()) return refuse(why);
  }
  for (const Plan* p : {&one, &other}) {
    if (std::string why = host_part(*p); !why.empty()) return in_process(why);
    if (std::string why = foreign_image(*p, build); !why.empty()) return in_process(why);
  }
  PlanDifferences differences = compare_plans(one, other);
  if (!differences.decides.empty()) return in_process("its calls are not alike: " + differences.decides);
  PlanDecision d;
  for (const std::string& what : differences.may_be_padding)
    d.notes.push_back(what + " differs from call to call");
  if (one.left_out > 0)
    d.notes.push_back(std::to_string(one.left_out) +
                      " bytes of state were too much to keep: a replay begins without them");
  return d;
}

}  // namespace explog::bench
