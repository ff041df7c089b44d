// Launches of kernels.
#include "calls.h"

#include <cstring>

namespace explog::capture {
namespace {

using namespace plan;

template <class P>
LaunchWords plain_words(const P& p, const char* symbol) {
  LaunchWords w;
  w.function = p.f;
  w.symbol = symbol;
  const unsigned sizes[] = {p.gridDimX, p.gridDimY, p.gridDimZ, p.blockDimX, p.blockDimY, p.blockDimZ};
  std::memcpy(w.grid, sizes, sizeof w.grid);
  std::memcpy(w.block, sizes + 3, sizeof w.block);
  w.shared = p.sharedMemBytes;
  w.parameters = p.kernelParams;
  return w;
}

void launch(const Event& e, const LaunchWords& words, CUstream handle) {
  if (captured(e, handle)) return;
  std::uint32_t stream = e.recording().on() ? e.stream(handle) : 0;
  e.recording().add(e.recording().launch(words, stream));
}

void launch_kernel(const Event& e) {
  const auto& p = e.as<cuLaunchKernel_params>();
  LaunchWords words = plain_words(p, e.symbol);
  words.extra = p.kernelParams ? nullptr : p.extra;
  launch(e, words, p.hStream);
}

void launch_extended(const Event& e) {
  const auto& p = e.as<cuLaunchKernelEx_params>();
  const CUlaunchConfig& c = *p.config;
  LaunchWords words;
  words.function = p.f;
  words.symbol = e.symbol;
  const unsigned sizes[] = {c.gridDimX, c.gridDimY, c.gridDimZ, c.blockDimX, c.blockDimY, c.blockDimZ};
  std::memcpy(words.grid, sizes, sizeof words.grid);
  std::memcpy(words.block, sizes + 3, sizeof words.block);
  words.shared = c.sharedMemBytes;
  words.parameters = p.kernelParams;
  words.extra = p.kernelParams ? nullptr : p.extra;
  words.attributes = c.attrs;
  words.attribute_count = c.numAttrs;
  launch(e, words, c.hStream);
}

void launch_cooperative(const Event& e) {
  const auto& p = e.as<cuLaunchCooperativeKernel_params>();
  LaunchWords words = plain_words(p, e.symbol);
  CUlaunchAttribute together{};
  together.id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  together.value.cooperative = 1;
  words.attributes = &together;
  words.attribute_count = 1;
  launch(e, words, p.hStream);
}

}  // namespace

std::vector<Row> launch_rows() {
  return {BOTH(cuLaunchKernel, Side::before, When::always, launch_kernel),
          BOTH(cuLaunchKernelEx, Side::before, When::always, launch_extended),
          BOTH(cuLaunchCooperativeKernel, Side::before, When::always, launch_cooperative)};
}

}  // namespace explog::capture
