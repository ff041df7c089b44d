// report: what the store (and a campaign's folder) holds, as HTML for people.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "app/session/session.h"

namespace explog::app {

struct Report {
  std::string kind;  // campaign, kernel, tuning, records
  std::string name, html;
};
// One file. `what`: a campaign's folder or id, a kernel, the id of a tuning run, ids of records to compare. Throws
// Error(negative) for what nobody knows.
Report make_report(const std::vector<std::string>& what, const Session& session);

struct SiteOptions {
  std::string folder;
  std::string since;  // "30d" back from the newest record, or a date; empty: all
};
struct SiteWritten {
  std::size_t kernels = 0, machines = 0, campaigns = 0;
  std::size_t written = 0, unchanged = 0, removed = 0, bytes = 0;  // bytes of what was written
  std::string start;                                               // path of the start page
};
// A page a thing. Pages that would hold the same bytes are left alone; those that were written before and are no more
// go. Throws Error(usage) for a folder that holds other things.
SiteWritten write_site(const SiteOptions& options, const Session& session);

}  // namespace explog::app
