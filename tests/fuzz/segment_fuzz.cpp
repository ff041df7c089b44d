#include <variant>

#include "broken.h"
#include "entry.h"
#include "sync/segment_file.h"
#include "targets.h"

namespace explog::fuzz {
namespace {

// What was read is written again as it was, and is the same when it is read a second time.
void check_round_trip(const std::vector<Segment>& segments) {
  std::string text;
  for (const Segment& s : segments) sync::append_lines(text, s);
  auto again = sync::parse_lines(text);
  const auto* same = std::get_if<std::vector<Segment>>(&again);
  if (same == nullptr || same->size() != segments.size()) broken("does not read back", text);
  std::string twice;
  for (const Segment& s : *same) sync::append_lines(twice, s);
  if (twice != text) broken("reads back as something else", text);
}

}  // namespace

void fuzz_segment(std::string_view data) {
  for (auto& parsed : {sync::parse_lines(data), sync::parse_file(data)}) {
    const auto* segments = std::get_if<std::vector<Segment>>(&parsed);
    if (segments == nullptr) continue;
    for (const Segment& s : *segments) (void)fault_of(s);
    check_round_trip(*segments);
  }
  if (auto name = sync::parse_file_name(data); name && sync::file_name(*name) != data)
    broken("a file's name is read as another's", std::string(data));
}

}  // namespace explog::fuzz

EXPLOG_FUZZ_ENTRY(fuzz_segment)
