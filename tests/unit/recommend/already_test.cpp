// What a kernel has already, seen in its source: the shipped ladders say of each file which change it made.
#include <doctest/doctest.h>
#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "base/file.h"
#include "intake/included_parts.h"
#include "intake/source_facts.h"
#include "model/playbook.h"
#include "recommend/already.h"
#include "scratch.h"

using namespace explog;
namespace fs = std::filesystem;

namespace {

const std::string kernels = EXPLOG_SOURCE_DIR "/kernels";

std::string said(const std::string& text, const char* what) {
  std::string word;
  RE2::PartialMatch(text, std::string(R"((?m)^(?://|#) )") + what + R"(: (\S+))", &word);
  return word;
}

Question question_of(const std::string& path) {
  Question q;
  q.source = intake::code_of(read_file(path));
  q.source += intake::included_parts(path, q.source);
  return q;
}

// Changes that leave no words behind which are theirs alone: other numbers, other places, fewer kernels.
const std::set<std::string> wordless = {"block_size_choice",
                                        "coalesce_global_access",
                                        "cooperative_sync",
                                        "cutile_tile_size",
                                        "fuse_kernels",
                                        "increase_ilp",
                                        "l2_tile_swizzle",
                                        "precompute_invariants",
                                        "smem_padding",
                                        "software_pipelining",
                                        "split_k",
                                        "strength_reduction_fma",
                                        "thread_coarsening",
                                        "triton_block_shapes",
                                        "wave_quantization_fix"};

}  // namespace

TEST_CASE("what a step of a ladder did is there already in its file") {
  const Playbook playbook = Playbook::load("");
  std::size_t steps = 0, seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kernels)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cu") && !path.ends_with(".py")) continue;
    const std::string strategy = said(read_file(path), "strategy");
    if (strategy.empty() || strategy.find(':') != std::string::npos) continue;
    const Strategy* known = playbook.find(strategy);
    CAPTURE(path);
    CAPTURE(strategy);
    REQUIRE(known != nullptr);
    const bool there = !recommend::why_there(strategy, known, question_of(path), playbook).empty();
    if (!wordless.contains(strategy)) CHECK(there);
    ++steps, seen += there;
  }
  CHECK(steps > 140);
  CHECK(seen * 4 >= steps * 3);
}

TEST_CASE("what a step did is not there before it") {
  // The file before has a little of it, or has it for another part of the kernel.
  const std::set<std::string> second_time = {"gemm_f32/unroll_tiles.cu", "reduction/one_block_per_sm.cu",
                                             "histogram/thread_tables.cu", "cross_entropy/aligned_head.cu"};
  const Playbook playbook = Playbook::load("");
  for (const auto& entry : fs::recursive_directory_iterator(kernels)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cu") && !path.ends_with(".py")) continue;
    const std::string text = read_file(path), strategy = said(text, "strategy");
    const fs::path before = entry.path().parent_path() / said(text, "after");
    const Strategy* known = playbook.find(strategy);
    if (known == nullptr || strategy.find(':') != std::string::npos || !fs::is_regular_file(before)) continue;
    if (second_time.contains(fs::relative(entry.path(), kernels).string())) continue;
    CAPTURE(path);
    CHECK(recommend::why_there(strategy, known, question_of(before.string()), playbook) == "");
  }
}

TEST_CASE("of modules beside a Python file only what is used counts, with what that uses") {
  Scratch scratch;
  write_file(scratch / "lib.py",
             "from more import deep\n\nclass Gemm(\n    Base,\n):\n    def call(self):\n        deep()\n\n   "
             " width = 1\n"
             "def unused():\n    cp_async()\n");
  write_file(scratch / "more.py", "@jit\n@again\ndef deep():\n    tcgen05()\n\nother = 2\n");
  const std::string parts =
      intake::included_parts(scratch / "k.py", "from lib import Gemm\nimport gone\nGemm()\n");
  CHECK(parts ==
        "\nclass Gemm(\n    Base,\n):\n    def call(self):\n        deep()\n\n    width = 1\n"
        "\n@jit\n@again\ndef deep():\n    tcgen05()\n\n");
  CHECK(intake::included_parts(scratch / "k.py", "import lib\nsolve()\n").empty());
}

TEST_CASE("of headers only what is called counts") {
  const std::string path = EXPLOG_SOURCE_DIR "/tests/data/source/rows_softmax.cu";
  const std::string code = intake::code_of(read_file(path)), parts = intake::included_parts(path, code);
  CHECK(parts.find("__shfl_xor_sync") != std::string::npos);
  CHECK(parts.find("cp.async") == std::string::npos);
  CHECK(intake::included_parts("-", code).empty());
  CHECK(intake::included_parts("/no/such/folder/k.cu", code).empty());
  CHECK(intake::included_parts(path, "#include \"/dev/zero\"\n#include \"..\"\nint main() {}").empty());
}
