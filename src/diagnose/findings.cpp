#include "diagnose/findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace explog::diagnose {
namespace {

using Maybe = std::optional<double>;

// Rules look at one launch and add to one list.
class Rulebook {
 public:
  explicit Rulebook(const Launch& launch) : launch_(launch) {}
  Findings take() { return std::move(findings_); }

  void short_kernel();
  void issue_slots();
  void theoretical_occupancy();
  void achieved_occupancy();
  void tail();
  void block_size();
  void small_grid();
  void bank_conflicts();
  void coalescing();
  void divergence();
  void local_memory();
  void atomics();
  void fp64();
  void imbalance();
  void l1_hits();

 private:
  Maybe get(std::string_view name) const { return metric(launch_, name); }
  double busier_side() const;
  bool warp_specialised() const;
  std::string busy_text() const;
  void add(Finding finding) { findings_.found.push_back(std::move(finding)); }
  void suppress(Finding finding, const std::string& why);
  void add_occupancy(Finding finding);
  const Launch& launch_;
  Findings findings_;
};

double Rulebook::busier_side() const {
  return std::max(get("sm__throughput.avg.pct_of_peak_sustained_elapsed").value_or(0),
                  get("gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed").value_or(0));
}

// Producer and consumer warps: bulk copies within clusters, or warpgroup products fed by bulk copies.
bool Rulebook::warp_specialised() const {
  bool bulk = get("smsp__inst_executed_op_tma_ld.sum").value_or(0) > 0 ||
              get("smsp__sass_inst_executed_op_tma_ld.sum").value_or(0) > 0;
  bool cluster = get("launch__cluster_size").value_or(0) > 1;
  bool products = get("smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio").value_or(0) > 0;
  return bulk && (cluster || products);
}

std::string Rulebook::busy_text() const {
  return fmt::format("compute or memory is {}% busy", short_number(busier_side()));
}

void Rulebook::suppress(Finding finding, const std::string& why) {
  finding.text += "; not a limit here: " + why;
  findings_.suppressed.push_back(std::move(finding));
}

void Rulebook::add_occupancy(Finding finding) {
  if (busier_side() >= 60) {
    suppress(std::move(finding), busy_text());
  } else if (warp_specialised()) {
    suppress(std::move(finding), "its warps have different tasks and few are meant to be resident");
  } else {
    add(std::move(finding));
  }
}

void Rulebook::short_kernel() {
  auto ns = get("gpu__time_duration.sum");
  if (!ns || *ns <= 0 || *ns >= 10'000) return;
  add({"short_kernel",
       fmt::format("{:.1f} us: launch and ramp-up count, shares of the peak are unreliable", *ns / 1e3),
       "more work a launch: fuse, batch, or a CUDA graph",
       "high",
       {{"gpu__time_duration.sum", *ns, "<", 10'000}}});
}

void Rulebook::issue_slots() {
  constexpr const char *active = "smsp__issue_active.avg.per_cycle_active",
                       *eligible = "smsp__warps_eligible.avg.per_cycle_active";
  auto issued = get(active), ready = get(eligible);
  if (!issued || *issued >= 0.6 || (ready && *ready >= 1)) return;
  if (*issued <= 0 && get("sm__warps_active.avg.pct_of_peak_sustained_active").value_or(1) <= 0) return;
  Finding f{"issue_slots",
            *issued >= 1e-3 ? fmt::format("a scheduler issues every {:.1f} cycles", 1 / *issued)
                            : "a scheduler issues in less than 1 of 100 cycles",
            "see the stalls",
            "high",
            {{active, *issued, "<", 0.6}}};
  if (ready) f.evidence.push_back({eligible, *ready, "<", 1});
  // A kernel at the memory's roof issues little because it may.
  busier_side() >= 80 ? suppress(std::move(f), busy_text()) : add(std::move(f));
}

void Rulebook::theoretical_occupancy() {
  constexpr const char* name = "sm__maximum_warps_per_active_cycle_pct";
  auto share = get(name);
  if (!share || *share <= 0 || *share >= 80) return;
  std::string limiter = occupancy_limiter(launch_);
  add_occupancy({"theoretical_occupancy",
                 fmt::format("{}% of the warps can be resident{}", short_number(*share),
                             limiter.empty() ? "" : ", limited by " + limiter),
                 limiter.empty() ? "other block size" : "use less of it: " + limiter,
                 "medium",
                 {{name, *share, "<", 80}}});
}

void Rulebook::achieved_occupancy() {
  constexpr const char* name = "sm__warps_active.avg.pct_of_peak_sustained_active";
  auto achieved = get(name), theoretical = get("sm__maximum_warps_per_active_cycle_pct");
  if (!achieved || !theoretical || *theoretical - *achieved <= 10) return;
  add_occupancy({"achieved_occupancy",
                 fmt::format("{}% of the warps are resident, {}% would fit", short_number(*achieved),
                             short_number(*theoretical)),
                 "more or smaller blocks, work of equal length",
                 "medium",
                 {{name, *achieved, "<", *theoretical - 10}}});
}

void Rulebook::tail() {
  constexpr const char* name = "launch__waves_per_multiprocessor";
  auto waves = get(name);
  if (!waves || *waves <= 1) return;
  double whole = std::floor(*waves), fraction = *waves - whole, share = 1 / (whole + 1);
  // The last wave takes as long as a full one, if all blocks take the same time.
  double lost = share * (1 - fraction);
  if (fraction <= 0.01 || share < 0.2 || lost < 0.05) return;
  add({"tail_effect",
       fmt::format("{} waves: the last one is {:.0f}% full, which wastes about {:.0f}% of the time",
                   short_number(*waves), 100 * fraction, 100 * lost),
       "a block size or a persistent grid that fills whole waves",
       "medium",
       {{name, *waves, "<", 5}}});
}

void Rulebook::block_size() {
  auto size = get("launch__block_size");
  if (!size || *size < 1 || std::fmod(*size, 32) == 0) return;
  add({"block_size",
       fmt::format("blocks of {} threads leave lanes of the last warp idle", number_text(*size)),
       "a multiple of 32",
       "high",
       {{"launch__block_size % 32", std::fmod(*size, 32), ">=", 1}}});
}

void Rulebook::small_grid() {
  auto grid = get("launch__grid_size"), count = get("launch__sm_count");
  if (!grid || !count || *grid >= *count) return;
  add({"small_grid",
       fmt::format("{} blocks for {} multiprocessors", number_text(*grid), number_text(*count)),
       "split the work over more blocks",
       "high",
       {{"launch__grid_size", *grid, "<", *count}}});
}

void Rulebook::bank_conflicts() {
  constexpr const char* name = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum";
  auto conflicts = get(name), wavefronts = get("l1tex__data_pipe_lsu_wavefronts_mem_shared.sum");
  if (!conflicts || !wavefronts || *wavefronts <= 0 || *conflicts < 0.1 * *wavefronts) return;
  add({"bank_conflicts",
       fmt::format("{:.0f}% of the shared memory wavefronts are conflicts", 100 * *conflicts / *wavefronts),
       "pad or swizzle the shared array",
       "high",
       {{name, *conflicts, ">=", 0.1 * *wavefronts}}});
}

void Rulebook::coalescing() {
  for (auto [operation, word] : {std::pair("ld", "loads"), {"st", "stores"}}) {
    std::string name = std::string("smsp__sass_average_data_bytes_per_sector_mem_global_op_") + operation;
    double full = 32;
    auto used = get(name + ".ratio");
    std::string shown = name + ".ratio";
    if (!used) {
      used = get(name + ".pct"), full = 100;
      shown = name + ".pct";
    }
    if (!used || *used <= 0 || *used >= 0.8 * full) continue;
    Finding f{
        std::string("uncoalesced_") + word,
        fmt::format("global {} use {:.0f}% of each 32-byte sector", word, 100 * *used / full),
        "neighbouring threads on neighbouring addresses; through shared memory where the layout forbids it",
        "high",
        {{shown, *used, "<", 0.8 * full}}};
    auto loads = get("smsp__sass_inst_executed_op_global_ld.sum"),
         stores = get("smsp__sass_inst_executed_op_global_st.sum");
    if (loads) *loads += get("smsp__inst_executed_op_ldgsts.sum").value_or(0);
    double these = operation[0] == 'l' ? loads.value_or(0) : stores.value_or(0);
    bool few = loads && stores && these < 0.05 * (*loads + *stores);
    few ? suppress(std::move(f), fmt::format("they are few ({} instructions)", short_number(these)))
        : add(std::move(f));
  }
}

void Rulebook::divergence() {
  constexpr const char* name = "smsp__thread_inst_executed_per_inst_executed.ratio";
  auto threads = get(name);
  if (!threads || *threads <= 0 || *threads >= 24) return;
  add({"divergence",
       fmt::format("{} of 32 threads of a warp are active", short_number(*threads)),
       "let whole warps take one branch",
       "high",
       {{name, *threads, "<", 24}}});
}

void Rulebook::local_memory() {
  auto loads = get("smsp__sass_inst_executed_op_local_ld.sum"),
       stores = get("smsp__sass_inst_executed_op_local_st.sum");
  auto all = get("smsp__inst_executed.sum");
  if (!loads || !stores || !all || *all <= 0) return;
  double share = (*loads + *stores) / *all;
  if (share < 0.1) return;
  add({"local_memory",
       fmt::format("{:.0f}% of the instructions access local memory: spills or indexed arrays", 100 * share),
       "fewer live values, constant indices, a smaller tile or another launch bound",
       "high",
       {{"local instructions / all", share, ">=", 0.1}}});
}

void Rulebook::atomics() {
  constexpr const char* name = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
  auto reds = get(name), atoms = get("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum");
  auto loads = get("smsp__sass_inst_executed_op_global_ld.sum"),
       stores = get("smsp__sass_inst_executed_op_global_st.sum");
  if (!loads || !stores) return;
  double all = reds.value_or(0) + atoms.value_or(0), share = all / std::max(1.0, all + *loads + *stores);
  if (share < 0.1) return;
  add({"atomics",
       fmt::format("{} global atomic requests, {:.0f}% of the global accesses", short_number(all),
                   100 * share),
       "add up within a warp, a block or shared memory first",
       "high",
       {{"atomic requests / global accesses", share, ">=", 0.1}}});
}

void Rulebook::fp64() {
  constexpr const char* name = "sm__inst_executed_pipe_fp64.avg.pct_of_peak_sustained_active";
  auto share = get(name);
  bool few_units = !launch_.arch.empty() && launch_.arch != "sm_60" && launch_.arch != "sm_70" &&
                   launch_.arch != "sm_80" && launch_.arch != "sm_90" && launch_.arch != "sm_100";
  if (!share || *share < 15 || !few_units) return;
  add({"fp64",
       fmt::format("the fp64 pipe is {}% busy on a GPU with few fp64 units", short_number(*share)),
       "a literal like 1.0 makes fp64 of fp32: write 1.0f",
       "medium",
       {{name, *share, ">=", 15}}});
}

void Rulebook::imbalance() {
  auto mean = get("sm__cycles_active.avg"), most = get("sm__cycles_active.max");
  if (!mean || !most || *most <= 0) return;
  double gap = 1 - *mean / *most;
  if (gap <= 0.05) return;
  add({"imbalance",
       fmt::format("multiprocessors work {:.0f}% less than the busiest one", 100 * gap),
       "equal work a block, a persistent grid",
       "medium",
       {{"1 - sm__cycles_active.avg / sm__cycles_active.max", gap, ">", 0.05}}});
}

void Rulebook::l1_hits() {
  constexpr const char* name = "l1tex__t_sector_hit_rate.pct";
  auto hits = get(name), local = get("smsp__sass_inst_executed_op_local_ld.sum");
  if (!hits || !local || *local <= 0 || *hits >= 80) return;
  Finding f{"local_misses",
            fmt::format("it reads local memory and {}% of the L1 accesses hit", short_number(*hits)),
            "fewer spills",
            "low",
            {{name, *hits, "<", 80}}};
  bool bulk = get("smsp__inst_executed_op_tma_ld.sum").value_or(0) > 0;
  bulk ? suppress(std::move(f), "bulk copies bypass L1") : add(std::move(f));
}

}  // namespace

Findings findings_of(const Launch& launch) {
  Rulebook rules(launch);
  for (auto rule :
       {&Rulebook::short_kernel, &Rulebook::small_grid, &Rulebook::tail, &Rulebook::imbalance,
        &Rulebook::coalescing, &Rulebook::atomics, &Rulebook::bank_conflicts, &Rulebook::local_memory,
        &Rulebook::l1_hits, &Rulebook::divergence, &Rulebook::theoretical_occupancy,
        &Rulebook::achieved_occupancy, &Rulebook::issue_slots, &Rulebook::block_size, &Rulebook::fp64}) {
    (rules.*rule)();
  }
  return rules.take();
}

}  // namespace explog::diagnose
