// What a GPU can reach: memory bandwidth and arithmetic rates, each with where the figure comes from.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/device_ceilings.h"
#include "model/profile.h"

namespace explog::diagnose {

// Rates that bound a kernel. fp32 and fp64 on CUDA cores, half as packed halves on CUDA cores; the others on
// tensor cores, dense; f16 stands for bf16 as well.
enum class Roof { dram, fp64, fp32, half, tf32, f16, fp8, int8 };
constexpr std::size_t roof_count = 8;
std::string_view roof_name(Roof roof);
std::optional<Roof> parse_roof(std::string_view name);  // bf16 and fp16 are f16, f32 is fp32

struct Peak {
  double value = 0;    // byte/s or FLOP/s; 0 unknown
  std::string source;  // given, measured, counters, attributes, data sheet, largest card
};
using Peaks = std::array<Peak, roof_count>;

inline const Peak& peak(const Peaks& peaks, Roof roof) { return peaks[static_cast<std::size_t>(roof)]; }
inline Peak& peak(Peaks& peaks, Roof roof) { return peaks[static_cast<std::size_t>(roof)]; }

// What the data sheet says of a card, what it leaves open by the ratios of its arch; nothing for a name that
// is no card's.
Peaks peaks_of_card(std::string_view name);
// The largest shipped card of the arch: where nothing better is known.
Peaks peaks_of_arch(std::string_view arch);
// Of the GPU a launch was profiled on, by its counters and attributes at the clock it ran with; what they do
// not tell is missing. Multiprocessors * operations a cycle * clock; bytes a memory cycle * memory clock.
Peaks peaks_of_launch(const Launch& launch);
// `write_share` of the DRAM bytes tells which bandwidth counts: reading alone is faster than copying.
Peaks peaks_of_ceilings(const DeviceCeilings& ceilings, double write_share);
// `better` where it knows, else `fallback`.
Peaks prefer(const Peaks& better, const Peaks& fallback);

}  // namespace explog::diagnose
