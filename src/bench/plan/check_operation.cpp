#include "bench/plan/check_operation.h"

#include <algorithm>
#include <vector>

#include "harness/plan_reader.h"

namespace explog::bench {

using namespace plan;

std::uint64_t Places::size(const Place& place, const std::string& where) const {
  auto listed = [&](std::size_t count) {
    if (place.id >= count)
      throw Fault(where + " names " + target_names[static_cast<std::uint32_t>(place.target)] + " " +
                  std::to_string(place.id) + ", which is not there");
  };
  switch (place.target) {
    case Target::argument:
      listed(plan_.arguments.size());
      if (plan_.arguments[place.id].scalar) throw Fault(where + " takes a scalar for a buffer");
      return plan_.arguments[place.id].bytes;
    case Target::workspace:
      listed(plan_.workspaces.size());
      return plan_.workspaces[place.id].bytes;
    case Target::symbol:
      listed(plan_.symbols.size());
      return plan_.symbols[place.id].bytes;
    case Target::texture:
      break;
  }
  throw Fault(where + " takes a texture for an address");
}

std::uint64_t Places::room(const Place& place, const std::string& where) const {
  std::uint64_t bytes = size(place, where);
  if (place.plus > bytes) throw Fault(where + " has an address beyond its memory");
  return bytes - place.plus;
}

void OperationCheck::need(bool holds, const char* what) const {
  if (!holds) throw Fault(where_ + " " + what);
}

void OperationCheck::check(const Operation& o, std::size_t index) {
  where_ = "operation " + std::to_string(index) + " (" + kind_names[static_cast<std::uint32_t>(o.kind)] + ")";
  need(o.kind != Kind::empty, "belongs into a graph");
  one(o);
}

void OperationCheck::one(const Operation& o) {
  need(o.stream < first_own_stream + plan_.streams.size(), "is in a stream that is not there");
  switch (o.kind) {
    case Kind::launch:
      return launch(o);
    case Kind::record:
    case Kind::wait:
      return need(o.event < plan_.events, "names an event that is not there");
    case Kind::host_wait:
      return need(o.waits_for != HostWait::event || o.event < plan_.events,
                  "names an event that is not there");
    case Kind::graph:
      return graph(o);
    case Kind::host_function:
    case Kind::empty:
      return;
    default:
      return memory(o);
  }
}

void OperationCheck::sizes(const Operation& o) const {
  constexpr std::uint64_t most_blocks = 65535, most_threads = 1024, most_shared = 1 << 20;
  auto zero = [](std::uint32_t n) { return n == 0; };
  need(std::none_of(o.grid.begin(), o.grid.end(), zero) && o.grid[0] <= 0x7FFFFFFF &&
           o.grid[1] <= most_blocks && o.grid[2] <= most_blocks,
       "has a grid that no device takes");
  bool block = std::none_of(o.block.begin(), o.block.end(), zero) && o.block[0] <= most_threads &&
               o.block[1] <= most_threads && o.block[2] <= 64;
  need(block && std::uint64_t{o.block[0]} * o.block[1] * o.block[2] <= most_threads,
       "has a block that no device takes");
  const auto& s = o.settings;
  bool known = s[0] >= 0 && static_cast<std::uint64_t>(s[0]) <= most_shared && s[1] >= -1 && s[1] <= 100 &&
               (s[2] == 0 || s[2] == 1) && s[3] >= 0 && s[3] <= 2;
  need(known && o.shared <= most_shared, "has settings that no device takes");
}

// The attributes of a launch that change nothing but this launch; by id, how many values they have.
static std::size_t values_of(std::uint32_t id) {
  switch (id) {
    case 4:   // CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
    case 11:  // ... PREFERRED_CLUSTER_DIMENSION
      return 3;
    case 2:   // ... COOPERATIVE
    case 5:   // ... CLUSTER_SCHEDULING_POLICY_PREFERENCE
    case 6:   // ... PROGRAMMATIC_STREAM_SERIALIZATION
    case 8:   // ... PRIORITY
    case 10:  // ... MEM_SYNC_DOMAIN
    case 14:  // ... PREFERRED_SHARED_MEMORY_CARVEOUT
      return 1;
    default:
      return 0;
  }
}

void OperationCheck::parameters(const Operation& o) const {
  constexpr std::uint64_t most_bytes = 32764;
  std::uint64_t bytes = 0;
  for (std::uint32_t p : o.parameters) {
    need(p < plan_.data.size(), "has a parameter that is not there");
    bytes += std::max<std::uint64_t>(1, plan_.data[p].bytes.size());
  }
  need(bytes <= most_bytes, "has more parameters than a kernel takes");
}

void OperationCheck::launch(const Operation& o) const {
  need(o.image < plan_.images.size(), "is of an image that is not there");
  sizes(o);
  for (const LaunchAttribute& a : o.attributes) {
    std::size_t values = values_of(a.id);
    need(values > 0, "has an attribute that is not known");
    need(values == 3 || (a.value[1] == 0 && a.value[2] == 0), "has an attribute with too many values");
  }
  parameters(o);
}

// Whether `height` rows of `width` bytes fit; one row needs no pitch.
void OperationCheck::fits(const Place& place, std::uint64_t width, std::uint64_t height,
                          std::uint64_t pitch) const {
  std::uint64_t room = places_.room(place, where_);
  need(width <= room, "goes beyond its memory");
  if (height <= 1) return;
  need(pitch >= width && pitch <= room, "has a pitch that does not fit");
  need(height - 1 <= (room - width) / std::max<std::uint64_t>(1, pitch), "goes beyond its memory");
}

void OperationCheck::memory(const Operation& o) const {
  need(o.height >= 1, "has no rows");
  switch (o.kind) {
    case Kind::memset:
      need(o.element == 1 || o.element == 2 || o.element == 4, "sets elements of a size that is not known");
      need(o.bytes <= limit::memory, "goes beyond its memory");
      return fits(o.to, o.bytes * o.element, o.height, o.pitch);
    case Kind::upload:
      need(o.data < plan_.data.size(), "has a payload that is not there");
      return fits(o.to, plan_.data[o.data].bytes.size(), 1, 0);
    case Kind::download:
      return fits(o.from, o.bytes, 1, 0);
    default:
      fits(o.to, o.bytes, o.height, o.pitch);
      return fits(o.from, o.bytes, o.height, o.from_pitch);
  }
}

void OperationCheck::graph(const Operation& o) {
  for (const Operation& node : o.nodes) {
    bool known = node.kind == Kind::launch || node.kind == Kind::memset || node.kind == Kind::copy ||
                 node.kind == Kind::copy2d || node.kind == Kind::host_function || node.kind == Kind::empty;
    need(known, "has a node of a kind that graphs do not have here");
    one(node);
  }
  for (const auto& [from, to] : o.edges)
    need(from < o.nodes.size() && to < o.nodes.size() && from != to,
         "has an edge to a node that is not there");
  acyclic(o);
}

// Takes away nodes that nothing precedes, as long as there are any.
void OperationCheck::acyclic(const Operation& o) const {
  std::vector<std::size_t> before(o.nodes.size(), 0), ready;
  std::vector<std::vector<std::uint32_t>> after(o.nodes.size());
  for (const auto& [from, to] : o.edges) {
    ++before[to];
    after[from].push_back(to);
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == 0) ready.push_back(i);
  }
  std::size_t taken = 0;
  for (; !ready.empty(); ++taken) {
    std::size_t node = ready.back();
    ready.pop_back();
    for (std::uint32_t next : after[node]) {
      if (--before[next] == 0) ready.push_back(next);
    }
  }
  need(taken == o.nodes.size(), "has a circle");
}

}  // namespace explog::bench
