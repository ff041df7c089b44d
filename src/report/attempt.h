// A record as the pages of a report need it, and what can be said of one or two of them.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/page.h"

namespace explog::report {

struct Attempt {
  std::string id;  // of the record
  std::int64_t at_ms = 0;
  std::string kernel_type, kernel, backend, arch, gpu, dtype, shape, bottleneck, strategy, params;
  std::string outcome, cause, level, decision, correctness, campaign, hypothesis, commit;
  double before_ms = 0, after_ms = 0, speedup = 0, lo = 0, hi = 0;  // 0: not known
  int iteration = -1;
  bool profiled = false;  // its counters are stored

  // Filled by index_of (report/site.h).
  bool notable = false, shown = false;  // some page names it; it has a row of its own
};

// The kernel that versions are of: "softmax" of "softmax/online.cu".
std::string kernel_of(const Attempt& a);
std::string machine_of(const Attempt& a);  // the card, else the arch
bool is_right(const Attempt& a);           // ran, and was not wrong
bool is_kept(const Attempt& a);            // by decision, where there is none by outcome

std::string short_id(std::string_view id);
std::string anchor_of(const Attempt& a);  // "r-01a2018b-cd7f-7073"
// A file's name: what is no letter of it becomes '-' and a hash keeps two names apart.
std::string slug(std::string_view name);

std::string shape_text(std::string_view json);  // "M=512, N=1024"
std::string ms_words(double ms);                // "0.0455 ms", "" for 0
std::string faster_words(double factor, double lo, double hi);
// "4.24 TB/s" of "dram_bytes_per_s", "65.6 TFLOP/s" of others.
std::string rate_text(std::string_view name, double value);
std::string day_of(std::int64_t at_ms);
Tone tone_of(const Attempt& a);

// A table with a row a record, which those of its cells that have a page link to; `links`: in a site.
Table attempts_table(const std::string& caption, const std::vector<const Attempt*>& rows, bool links);

}  // namespace explog::report
