// What the supervisor's rules say of plans that lie in files: for scripts/gpu/replay, and to look at one by hand.
//
//   plan_probe PLAN OTHER [STEADY]     two calls with other buffers; a third with the buffers of the second
//
// Prints one "key: value" a line; ends with 1 where a plan is faulty.
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "bench/plan/check.h"
#include "bench/plan/compare_plans.h"
#include "bench/plan/rules.h"

using namespace explog;

namespace {

plan::Plan open_plan(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  auto read = bench::read_plan(bytes.str());
  if (auto* p = std::get_if<plan::Plan>(&read)) return *p;
  std::cout << "fault: " << path << ": " << std::get<std::string>(read) << "\n";
  std::exit(1);
}

void print_operations(const plan::Plan& p) {
  std::map<std::string, int> counts;
  for (const plan::Operation& o : p.operations) {
    ++counts[plan::kind_names[static_cast<std::size_t>(o.kind)]];
    for (const plan::Operation& n : o.nodes)
      ++counts[std::string("node-") + plan::kind_names[static_cast<std::size_t>(n.kind)]];
  }
  std::cout << "operations:";
  for (const auto& [kind, count] : counts) std::cout << " " << kind << "=" << count;
  std::size_t fixes = 0, maps = 0;
  for (const plan::Data& d : p.data) {
    for (const plan::Fix& f : d.fixes) ++(f.tensor_map ? maps : fixes);
  }
  std::uint64_t memory = 0;
  for (const plan::Workspace& w : p.workspaces) memory += w.bytes;
  std::cout << "\nsurroundings: addresses=" << fixes << " maps=" << maps
            << " workspaces=" << p.workspaces.size() << "/" << memory << "B symbols=" << p.symbols.size()
            << " streams=" << p.streams.size() << " events=" << p.events << " textures=" << p.textures.size()
            << " late=" << p.late << " left_out=" << p.left_out << "\n";
  for (const plan::Image& i : p.images) std::cout << "image: " << i.sha256 << " " << i.bytes.size() << "\n";
}

}  // namespace

int main(int count, char** words) {
  if (count < 3) {
    std::cerr << "usage: plan_probe PLAN OTHER [STEADY]\n";
    return 2;
  }
  plan::Plan one = open_plan(words[1]), other = open_plan(words[2]);
  bench::PlanDecision d = bench::decide(one, other);
  std::cout << "judged: " << bench::judged_name(d.judged) << "\nreason: " << d.reason << "\n";
  for (const std::string& note : d.notes) std::cout << "note: " << note << "\n";
  for (const std::string& what : other.unknown) std::cout << "unknown: " << what << "\n";
  std::cout << "activities: " << bench::activities_of(other) << "\n";
  print_operations(other);
  if (count > 3) {
    bench::PlanDifferences steady = bench::compare_plans(other, open_plan(words[3]));
    std::cout << "steady: " << (steady.decides.empty() ? "same" : steady.decides) << "\n";
  }
  return 0;
}
