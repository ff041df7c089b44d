// A site of everything that a store holds: a start page, and a page a kernel, campaign, strategy and machine.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "report/attempt.h"

namespace explog::report {

struct Machine {
  std::string name, arch, driver, toolkit;
  std::vector<std::pair<std::string, double>> rates;  // measured: "dram_bytes_per_s"
};

struct OpenCampaign {
  std::string id, task, state, folder;
  int versions = 0;
};

// Where a kernel's best version stands under the roof: a picture and a sentence.
struct Roof {
  double share = 0;  // of the roof there; 0 not known
  Figure picture;
};

struct Everything {
  std::vector<Attempt> attempts;  // oldest first
  std::vector<Machine> machines;
  std::vector<OpenCampaign> open;
  std::map<std::string, std::string> titles;  // of strategies, by id
  std::map<std::string, Roof> roofs;          // by the id of the record whose counters they show
  std::vector<Section> extra;                 // of the start page: whether the probabilities were true
};

// Two measurements of the same thing, apart by more than their intervals and 2%.
struct Change {
  const Attempt* before = nullptr;
  const Attempt* after = nullptr;
  double factor = 1;  // time after / before
};

// One kernel on one machine.
struct Line {
  std::string kernel, backend, machine;
  std::vector<const Attempt*> kept;   // of its most frequent shape, oldest first
  const Attempt* best = nullptr;      // the fastest of them
  const Attempt* profiled = nullptr;  // the newest that was kept and has counters, of any shape
  std::size_t n = 0;
};

struct Index {
  using Lists = std::map<std::string, std::vector<const Attempt*>>;
  Lists kernels, campaigns, strategies, machines;
  std::vector<Line> lines;
  std::vector<Change> worse, better;  // the furthest first
};
// Looks through all of it, and says of each record whether it is shown on its own page.
Index index_of(Everything& all);

// The page of a record, with its anchor where it has a row there.
std::string home_of(const Attempt& a);

struct SiteFile {
  std::string path, text;  // path: relative to the site
};
// How many pages there will be, and each once; `put` is called from several threads at once.
std::size_t pages_of(const Index& index);
void write_site(const Everything& all, const Index& index, const std::function<void(SiteFile)>& put);

// Sections of a kernel's page, as they also stand in a report of its own.
std::vector<Section> kernel_sections(const Everything& all, const std::vector<const Line*>& lines,
                                     const std::vector<const Attempt*>& records, bool links);
std::vector<Section> start_sections(const Everything& all, const Index& index);

}  // namespace explog::report
