#include "intake/formats.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "intake/cutlass.h"
#include "intake/experiences.h"
#include "intake/explog_jsonl.h"
#include "intake/helion.h"
#include "intake/kernel_tuner.h"
#include "intake/kernel_tuner_t4.h"
#include "intake/loop_pages.h"
#include "intake/loop_version.h"
#include "intake/nvbench.h"
#include "intake/perf_results.h"
#include "intake/print_record.h"
#include "intake/triton.h"

namespace explog::intake {
namespace {

bool contains(std::string_view head, std::string_view what) {
  return head.find(what) != std::string_view::npos;
}

constexpr std::array<Format, 12> table = {{
    {"jsonl", "explog JSON lines", explog_jsonl,
     [](std::string_view head) { return contains(head, "\"kernel_type\"") && head[0] == '{'; }},
    {"kernel_tuner", "Kernel Tuner cache file", kernel_tuner, looks_like_kernel_tuner},
    {"kernel_tuner_t4", "autotuning results in the T4 schema", kernel_tuner_t4, looks_like_t4},
    {"triton_cache", "cache file of Triton's autotuner, NAME.autotune.json", triton_cache,
     looks_like_triton_cache},
    {"triton_log", "log of explog's listener for Triton's autotuner", triton_log, looks_like_triton_log},
    {"helion", "log of Helion's autotuner, BASE.csv", helion, looks_like_helion},
    {"cutlass", "CSV of cutlass_profiler", cutlass, looks_like_cutlass},
    {"nvbench", "nvbench results, JSON or CSV", nvbench, looks_like_nvbench},
    {"experiences", "experiences.json of kernel-opt-skill", experiences, looks_like_experiences},
    {"perf_results", "perf_results.md table of TileGym", perf_results, looks_like_perf_results},
    {"loop_version", "ncu_summary.md of a version of kernel-opt-skill", loop_version,
     looks_like_loop_version},
    {"print_record", "log with --print-record lines of TileGym", print_record, looks_like_print_record},
}};

}  // namespace

std::span<const Format> formats() { return table; }

const Format* find_format(std::string_view name) {
  auto it = std::find_if(table.begin(), table.end(), [&](const Format& f) { return f.name == name; });
  return it != table.end() ? &*it : nullptr;
}

const Format* guess_format(const std::string& path) {
  std::string head = read_head(path, size_t{64} << 10);
  std::string_view text = trim(head);
  if (text.empty() || !loop_page(path, text).empty()) return nullptr;
  auto it = std::find_if(table.begin(), table.end(), [&](const Format& f) { return f.looks_like(text); });
  return it != table.end() ? &*it : nullptr;
}

}  // namespace explog::intake
