#include "bench/code/device_code.h"

#include <cmath>

#include "bench/code/cubin.h"
#include "broken.h"
#include "entry.h"
#include "targets.h"

namespace explog::fuzz {
namespace {

void check_mix(const bench::Mix& mix, std::size_t bytes) {
  if (mix.all() < 0 || static_cast<std::size_t>(mix.all()) > bytes)
    broken("more instructions than bytes", std::to_string(mix.all()));
  for (std::int64_t n : mix.counts) {
    if (n < 0) broken("a count below zero", std::to_string(n));
  }
  if (mix.widest_load < 0 || mix.widest_store < 0) broken("an access of less than nothing", "");
}

}  // namespace

// The same bytes as a cubin, as SASS, as PTX and as TTGIR: whatever is read is counted, compared and named without a fault.
void fuzz_device_code(std::string_view data) {
  std::string text(data);
  if (auto cubin = bench::read_cubin(data)) {
    if (cubin->hash.size() != 32 || !cubin->arch.starts_with("sm_")) broken("a cubin without a hash", "");
  }
  bench::CodeTexts as_sass, as_ptx;
  as_sass.cubin = as_sass.sass = as_ptx.ptx = as_sass.tileir = as_ptx.ttgir = text;
  bench::DeviceCode a = bench::read_code(as_sass), b = bench::read_code(as_ptx);
  for (const bench::DeviceCode* code : {&a, &b}) {
    check_mix(code->mix(), data.size());
    for (const auto& [name, value] : bench::state_of(*code)) {
      if (!std::isfinite(value) || value < 0) broken("a fact that is no amount", name);
    }
  }
  for (const bench::CodeRow& row : bench::mix_rows(a, a)) {
    if (row.changed()) broken("a code that differs from itself", row.what);
  }
  bench::resource_rows(a, b);
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_device_code)
