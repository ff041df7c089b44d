// What a kernel's source says about the kernel, read by patterns; nothing of it is run.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "intake/source_knobs.h"
#include "model/experience.h"

namespace explog::intake {

struct SourceFacts {
  std::string backend;               // cuda, triton, cutile, cutedsl; empty: no kernel was found
  std::string kernel_type;           // softmax, gemm, ...; empty: not recognised
  std::string type_reason;           // the words or the pattern that decided it
  std::string dtype;                 // f32, bf16, ...; empty: not told
  std::string min_arch;              // sm_90 where the source needs it; empty: any
  std::vector<std::string> kernels;  // names of its kernels
  std::vector<SourceKnob> knobs;
  std::vector<std::string> done;  // "tensor cores", "TMA copies": what it already has

  bool is_kernel() const { return !backend.empty(); }
};

// The source without its comments, of C++ or Python as it is.
std::string code_of(std::string_view text);

// `text` is read as UTF-8 of at most 1 MiB; what is behind is not looked at. `called`: what it takes from its headers,
// which tells what is done already and nothing else. `path`: the file's, for the type that its name speaks of.
SourceFacts read_source(std::string_view text, std::string_view called = "", const std::string& path = "");

// Knobs with one value under the names that records' state has: {"num_warps": 8, "wg_tile_m": 128}.
Facts state_of(const SourceFacts& facts);

}  // namespace explog::intake
