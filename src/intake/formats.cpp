#include "intake/formats.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/text.h"
#include "intake/experiences.h"
#include "intake/explog_jsonl.h"
#include "intake/kernel_tuner.h"
#include "intake/nvbench.h"
#include "intake/perf_results.h"
#include "intake/print_record.h"

namespace explog::intake {
namespace {

bool contains(std::string_view head, std::string_view what) {
  return head.find(what) != std::string_view::npos;
}

constexpr std::array<Format, 6> table = {{
    {"jsonl", "explog JSON lines", explog_jsonl,
     [](std::string_view head) { return contains(head, "\"kernel_type\"") && head[0] == '{'; }},
    {"kernel_tuner", "Kernel Tuner cache file", kernel_tuner, looks_like_kernel_tuner},
    {"nvbench", "nvbench JSON results", nvbench, looks_like_nvbench},
    {"experiences", "experiences.json of kernel-opt-skill", experiences, looks_like_experiences},
    {"perf_results", "perf_results.md table of TileGym", perf_results, looks_like_perf_results},
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
  if (text.substr(0, 3) == "\xEF\xBB\xBF") text.remove_prefix(3);
  if (text.empty()) return nullptr;
  auto it = std::find_if(table.begin(), table.end(), [&](const Format& f) { return f.looks_like(text); });
  return it != table.end() ? &*it : nullptr;
}

}  // namespace explog::intake
