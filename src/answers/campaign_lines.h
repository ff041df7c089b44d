// Lines about one version of a campaign that several answers have.
#pragma once
#include <initializer_list>
#include <string>

#include "answers/terminal.h"
#include "campaign/state.h"

namespace explog::answers {

// "KEEP faster", "not judged"; of version 0 whether it is correct.
std::string verdict_text(const campaign::Version& v);

// "smem_tiling by walk: it halves the reads": what somebody left empty leaves no gap.
std::string in_turn(std::initializer_list<std::string> parts);

// "the same machine code as v2".
std::string refusal_text(const campaign::Refused& refused);

// Where the newest `most` of `n` begin.
std::size_t from_newest(std::size_t n, std::size_t most);
// Whether an answer with room for `most` versions has this one: it is one of the newest, or the best.
bool is_told(const campaign::State& state, std::size_t version, std::size_t most);

// What to do about a version that the judge could not tell of; empty for others, and when the campaign has ended.
std::string_view way_on(const campaign::State& state, const campaign::Version& v);

// What somebody needs who must write the next version, first line first.
void add_fault(Lines& lines, const campaign::Judged& judged);

// A line a shape: both times, how much faster. `unit` is " ms" or nothing.
void add_shapes(Lines& lines, const campaign::Judged& judged, const std::string& unit);

}  // namespace explog::answers
