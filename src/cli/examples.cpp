#include "cli/examples.h"

#include <array>
#include <utility>

namespace explog::cli {
namespace {

constexpr std::pair<std::string_view, std::string_view> examples[] = {
    {"recommend", "explog recommend --kernel softmax --backend cuda --arch H100"},
    {"recommend", "explog recommend --kernel gemm --backend triton --arch H100 --dtype bf16"},
    {"recommend", "explog recommend --kernel rope --backend cuda --arch H100 --bottleneck memory"},
    {"advise", "explog advise kernels/softmax/online.cu --arch H200"},
    {"diagnose", "explog diagnose --ncu tests/data/ncu/softmax.naive.raw.csv.gz"},
    {"diagnose", "explog diagnose --flops 1e11 --bytes 2e8 --latency-ms 3.1 --arch H200"},
    {"diagnose", "explog diagnose --task softmax --source kernels/softmax/online.cu"},
    {"check", "explog check softmax kernels/softmax/online.cu"},
    {"check", "explog check softmax --self"},
    {"bench", "explog bench rope kernels/rope/vectorized.cu"},
    {"bench", "explog bench rope MINE.cu --record --strategy vectorized_access"},
    {"campaign", "explog campaign start rope kernels/rope/naive.cu --out runs/rope"},
    {"campaign", "explog campaign next --limit 3"},
    {"campaign", "explog campaign judge V1.cu --strategy split_k --expect dram__bytes.sum:-30%"},
    {"code", "explog code kernels/softmax/vectorized.cu --arch sm_90"},
    {"code", "explog code --diff V0.cu V1.cu --arch sm_90"},
    {"bench", "explog bench --from tests/data/judge/h200_rope.json"},
    {"calibrate", "explog calibrate --families softmax,gemm_f32 --budget 20"},
    {"calibrate", "explog calibrate --sweep --dry-run"},
    {"tune", "explog tune transpose MINE.cu --space kernels/transpose/sweep.json"},
    {"tune", "explog tune transpose MINE.cu --space 'X=16,32;Y=8,16' --where 'X * Y <= 256'"},
    {"tune", "explog tune lookup transpose MINE.cu"},
    {"tune", "explog tune --templates gemm --backend cutile"},
    {"launch", "explog launch local --shards 2 -- campaign start --plan PLAN.json --out plan"},
    {"launch", "explog launch slurm --shards 8 --dry-run -- campaign resume --out plan"},
    {"gate", "explog gate --base HEAD --tasks 'TASKS/*.json' --markdown gate.md"},
    {"task", "explog task list"},
    {"task", "explog task init kernels/softmax/vectorized.cu --dims N=4096,D=1024"},
    {"add", "explog add --kernel gemm --backend cuda --arch H100 -o split_k --speedup 1.6"},
    {"add", "explog add --jsonl ATTEMPTS.jsonl"},
    {"mcp", "explog mcp --allow judge"},
    {"skill", "explog skill install --client claude"},
    {"skill", "explog skill print triton"},
    {"list", "explog list --kernel gemm --outcome failure"},
    {"show", "explog show ID"},
    {"search", "explog search bank conflict arch:sm_90"},
    {"search", "explog search 'speedup>=1.5' 'strategy~smem.*' sort:-speedup"},
    {"query", "explog query strategies --param family=gemm"},
    {"query", "explog query --sql 'SELECT arch, count(*) FROM experience GROUP BY 1'"},
    {"query", "explog query --schema"},
    {"stats", "explog stats"},
    {"stats", "explog stats --calibration"},
    {"report", "explog report softmax --out softmax.html"},
    {"report", "explog report RUN --out rope.html"},
    {"report", "explog report --site site"},
    {"strategies", "explog strategies list --backend triton --family softmax"},
    {"strategies", "explog strategies show smem_tiling"},
    {"import", "explog import CACHE.json RESULTS.jsonl"},
    {"import", "explog import --backend triton --arch sm_90 PERF_RESULTS.md"},
    {"export", "explog export arch:sm_90"},
    {"export", "explog export --markdown kernel_type:gemm"},
    {"export", "explog export --to flashinfer-bench --out traces"},
    {"merge", "explog merge COLLEAGUE.db --trust team"},
    {"merge", "explog merge --duplicates"},
    {"retract", "explog retract ID --reason 'wrong baseline'"},
    {"redact", "explog redact ID --reason 'names a customer'"},
    {"remote", "explog remote add team dir:/SHARED/explog"},
    {"remote", "explog remote list"},
    {"sync", "explog sync"},
    {"sync", "explog sync team --status"},
    {"trust", "explog trust review"},
    {"trust", "explog trust set ORIGIN team --label anna"},
    {"trust", "explog trust label self anna@buildbox"},
    {"trust", "explog trust set shipped blocked"},
    {"doctor", "explog doctor"},
    {"doctor", "explog doctor --salvage rescued.db"},
    {"backtest", "explog backtest --split family"},
    {"completion", "explog completion bash"},
    {"man", "explog man"},
};

}  // namespace

std::vector<std::string_view> examples_of(std::string_view command) {
  std::vector<std::string_view> lines;
  for (const auto& [name, line] : examples) {
    if (name == command) lines.push_back(line);
  }
  return lines;
}

}  // namespace explog::cli
