// The file that segments lie in, in a shared folder: zstd of lines.
//
//   {"explog":1,"origin":HEX,"first":N,"last":N,"prev":HEX,"head":HEX,"key":HEX,"signature":HEX}
//   e ID KIND VERSION AT        an event, its body on the next line, byte for byte
//   r ID KIND VERSION AT HEX    one whose body was erased, with the body's BLAKE2b-256
//   end N                       the number of events
//
// and then perhaps the next segment of the same origin. "explog" is the format's version: a reader that meets
// a higher one leaves the file to those who know it.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/log_segment.h"

namespace explog::sync {

constexpr int segment_format = 1;
constexpr size_t max_file_bytes = size_t{64} << 20;  // packed and unpacked
constexpr size_t file_target_bytes = size_t{8} << 20;

// Appends one segment's lines; it must be signed.
void append_lines(std::string& text, const Segment& segment);

// The segments in a file's unpacked text, or what is wrong with it. They are well-formed, not yet verified.
std::variant<std::vector<Segment>, std::string> parse_lines(std::string_view text);
// The same for a file's bytes.
std::variant<std::vector<Segment>, std::string> parse_file(std::string_view packed);

// ORIGIN-FIRST-LAST.DIGEST.exl: what a file's name says of it, so that a folder's list alone tells what is
// there.
struct FileName {
  OriginId origin{};
  std::int64_t first = 0, last = 0;
  std::string digest;  // the first 16 hex digits of the BLAKE2b-256 of the file's bytes
};
std::string file_name(const FileName& name);
std::optional<FileName> parse_file_name(std::string_view text);
std::string file_digest(std::string_view packed);

}  // namespace explog::sync
