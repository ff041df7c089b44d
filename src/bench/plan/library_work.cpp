#include "bench/plan/library_work.h"

#include <re2/re2.h>

#include <algorithm>

namespace explog::bench {
namespace {

using namespace plan;

bool can_write(const Plan& p, const Operation& launch, const std::set<std::uint32_t>& outputs) {
  auto is_writable = [&](const Place& place) {
    return place.target == Target::workspace ||
           (place.target == Target::argument && outputs.contains(place.id));
  };
  return std::any_of(launch.parameters.begin(), launch.parameters.end(), [&](std::uint32_t piece) {
    const auto& fixes = p.data[piece].fixes;
    return std::any_of(fixes.begin(), fixes.end(), [&](const Fix& fix) { return is_writable(fix.place); });
  });
}

// What launches tell, those in graphs included.
struct Launches {
  std::string of_library;  // the first one's name
  bool own_writes = false;
};

void look(const Plan& p, const std::vector<Operation>& operations, const std::set<std::uint32_t>& outputs,
          Launches& seen) {
  for (const Operation& o : operations) {
    look(p, o.nodes, outputs, seen);
    if (o.kind != Kind::launch) continue;
    if (!of_library(o.name))
      seen.own_writes |= can_write(p, o, outputs);
    else if (seen.of_library.empty())
      seen.of_library = o.name;
  }
}

void add_images(const std::vector<Operation>& operations, std::set<std::uint32_t>& images) {
  for (const Operation& o : operations) {
    add_images(o.nodes, images);
    if (o.kind == Kind::launch && !of_library(o.name)) images.insert(o.image);
  }
}

}  // namespace

bool of_library(std::string_view kernel) {
  static const RE2 form(
      R"(^(_ZN(2at|3c10|7cutlass|5cudnn|8internal)|(void )?at::|nvjet_|cutlass_\d|(sm\d+|ampere|volta|turing)_|.*(cublas|cudnn|xmma)))");
  return RE2::PartialMatch(re2::StringPiece(kernel.data(), kernel.size()), form);
}

std::string only_library_writes(const Plan& p, const std::set<std::uint32_t>& outputs) {
  Launches seen;
  look(p, p.operations, outputs, seen);
  return seen.own_writes ? "" : seen.of_library;
}

std::set<std::uint32_t> own_images(const Plan& p) {
  std::set<std::uint32_t> images;
  add_images(p.operations, images);
  return images;
}

}  // namespace explog::bench
