// Where values that somebody may want to tune stand in a Python source: found by their text, nothing is imported.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/tuning_space.h"

namespace explog {

struct KnobPlace {
  std::string name;  // "BLOCK_M", "occupancy", "mma_tiler_m"
  std::string
      kind;  // "constant", "constexpr default", "launch setting", "hint", "CuTe DSL", "triton.Config list"
  std::string
      value;  // as it is written: "128", "True"; of a list the index of the one that is left, -1 for all
  std::size_t begin = 0, end = 0;  // of the value in the source
  int line = 0;
  std::size_t choices = 0;  // of a list of triton.Config
};

// In the order of the source, whose comments are blank already:
// - NAME = 128 or True, and TM, TN = 128, 64, alone on a line and in capitals;
// - NAME: tl.constexpr = 64, NAME: ct.Constant[int] = 64;
// - num_warps=4, num_stages=3, num_ctas=2, maxnreg=128 where a kernel is launched, outside of triton.Config;
// - occupancy=2 and num_ctas=2 of a cuTile kernel;
// - mma_tiler_mn = (256, 128) and cluster_shape_mn = (2, 1), two knobs each, use_2cta_instrs and use_tma_store = True;
// - `configs=[triton.Config(...), ...]` of @triton.autotune as one knob, algo_config: -1 leaves the choice to Triton.
std::vector<KnobPlace> python_knobs(std::string_view bare);

// What is written there for a value: "True" where "False" stands, "[2:3]" behind a list.
std::string written_value(const KnobPlace& place, const Scalar& value);
// The number that stands there; nothing for anything else.
std::optional<double> number_at(const KnobPlace& place);

// The same as knobs with values that are usual for them: those of a hint or a setting that everybody tries, else half and
// twice the number that stands there. What has no usual values (no power of two) is left out.
DeclaredSpace found_in_python(std::string_view source, const std::string& file);

}  // namespace explog
