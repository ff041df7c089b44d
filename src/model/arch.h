// GPU architectures: names, neighbourhood, features and peaks.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

// Canonical name: "sm_90" or "gfx90a". Accepts sm_90, sm90, 90, 9.0, compute_90, sm_90a, gfx942 and the names
// of common cards (H100, RTX 4090). Nothing when it is none of these.
std::optional<std::string> canonical_arch(std::string_view text);
// What a compiler is told for such a name: sm_90 and sm_90a as they are said; for a card all that it has, which needs the
// "a" from Hopper on (sm_90a). Nothing when it names no arch.
std::optional<std::string> arch_to_compile_for(std::string_view text);
// Names to suggest for a misspelling.
std::vector<std::string> known_archs();
// What to say behind a name that is none: " (did you mean 'RTX 4090'?)", or the cards that it could be; or "".
std::string arch_hint(std::string_view text);

// Compute capability times ten (90 for sm_90), or nothing for AMD and unknown names.
std::optional<int> sm_number(std::string_view arch);

// How far two architectures are apart, in generations: 0 the same, 0.5 the same generation, n generations
// otherwise, 5.3 across vendors; nothing when one is unknown.
std::optional<double> arch_distance(std::string_view a, std::string_view b);
// How much alike kernels behave on two archs, 0..1, from the agreement (Cohen's kappa) of the same changes on
// 17 GPUs of a public tuning data set (DOI 10.5281/zenodo.15364124): 1 the same, 0.75 the same cluster of
// micro-architectures, 0.5 another one, 0.4 with Kepler or unknown, 0.6 and 0.4 among AMD's, 0.25 across.
double arch_weight(std::string_view a, std::string_view b);

// Hardware features a strategy may require: tensor_cores, cp_async, tma, clusters, wgmma, tcgen05, fp8, tf32,
// bf16.
std::vector<std::string> known_features();
// Whether `arch` has `feature`; nothing when the arch is unknown or not NVIDIA's.
std::optional<bool> has_feature(std::string_view arch, std::string_view feature);

// Whether a unit of `arch` (tensor_cores, wgmma or tcgen05) multiplies matrices of a type; f32 is taken as what it can be
// rounded to. Nothing where that is not known. Source: PTX ISA 9, wmma, mma, wgmma and tcgen05.mma.
std::optional<bool> multiplies(std::string_view arch, std::string_view unit, std::string_view dtype);

// Highest rates of any shipped card of an arch, from NVIDIA's data sheets (dense, boost clock): an upper
// bound for the claim check, not a roofline.
struct Peak {
  double dram_gb_s;      // 1e9 bytes per second
  double fp32_tflops;    // CUDA cores
  double tensor_tflops;  // the fastest dense tensor format
};
std::optional<Peak> peak_of(std::string_view arch);

}  // namespace explog
