// campaign.jsonl: what happened in a campaign, one event a line, in order; the truth that all its other files are
// made from (schema/formats/campaign.md).
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/vocabulary.h"

namespace explog::campaign {

// A tool, a device or a variable, as it was found when the campaign began.
struct Found {
  std::string name, detail;
  bool needed = false, there = true;
};

// A campaign begins, or goes on after it was stopped.
struct Started {
  std::string explog;  // version
  bool resumed = false;
  std::vector<Found> environment = {};  // where it begins
};

// A counter that the change should move, in percent: -45 is 45% less.
struct Expectation {
  std::string metric;
  double percent = 0;
};

struct Proposed {
  int version = 0;
  std::string by;  // person, agent, walk
  std::string strategy, hypothesis, rationale;
  std::vector<Expectation> expect;
  std::string file, source;  // base name in the version's folder; BLAKE2b-128 of its bytes in hex
  int parent = 0;            // the version it changes
  std::string code;          // hash of the machine code that it compiles to; empty where that is not known
  std::vector<std::string> flags = {};  // of its compiler, that its source asks for
};

// A proposal that is no version: it compiles to the machine code of one that was decided.
struct Refused {
  int same_as = 0;
  std::string by, strategy, hypothesis, source, code;
};

struct Judging {
  int version = 0;
  std::int64_t pid = 0;
};

// How much less time than another kernel, as a factor with its 99% interval; lo and hi 0: not measured.
struct Faster {
  double factor = 1, lo = 0, hi = 0;
};

struct ShapeResult {
  std::string shape;  // "N=4096,D=64"
  double parent_ms = 0, ms = 0;
  Faster faster;
  double roof = 0;     // speed of light / time; 0 not known
  std::string status;  // faster, slower, same, ...
  double weight = 1;   // among the task's shapes
};

// The weighted geometric mean of a figure over the shapes; 0 where one of them lacks it.
double over_shapes(const std::vector<ShapeResult>& shapes, double ShapeResult::*figure);

// One output at one shape, all its cases together.
struct CheckedOutput {
  std::string name, type;
  std::int64_t compared = 0, bad = 0;  // elements
  double max_abs = 0;                  // below 0: not finite
  std::string first;                   // "[5]: 0.5 instead of 0.25", of the first bad one
};

// One shape on which the outputs were compared.
struct CheckedShape {
  std::string shape;
  bool timed = false;  // else it is one that candidates are not told
  int cases = 0;
  double max_abs = 0;  // below 0: not finite
  bool passed = true;
  std::vector<CheckedOutput> outputs = {};
};

// What of an expectation came true.
struct Movement {
  std::string metric;
  double said = 0, got = 0;  // percent
  bool met = false;          // the same way, and at least half as far
};

// A counter over the launches that were profiled.
struct Counter {
  std::string name;  // as Nsight Compute calls it
  double value = 0, deviation = 0, least = 0, most = 0;
  int launches = 1;
};

// Counters of a version's kernel.
struct Profile {
  std::string by, kernel;  // by: what took them; empty: there are none
  std::vector<Counter> counters;
  std::string bound =
      {};  // what bounds the kernel by them: memory, compute, ..., unknown; empty: nobody asked
};

struct Judged {
  int version = 0;
  std::string verdict, reason, detail;  // as of `bench`
  bool correct = true;
  double ms = 0;         // over_shapes()
  Faster faster;         // than its parent
  Faster than_baseline;  // than version 0
  std::vector<ShapeResult> shapes;
  std::vector<CheckedShape> checked;
  std::vector<Movement> expected;
  std::vector<std::string> records;        // ids in the store
  std::string gpu, arch, driver, toolkit;  // where
  double wall_s = 0;
  Profile profile;  // where counters were asked for
};

// Counters of a version that somebody brought afterwards.
struct Profiled {
  int version = 0;
  Profile profile;
};

// A version beside the task's own PyTorch program, of no part in any decision.
struct Benchmarked {
  int version = 0;
  std::string with;                 // as --baseline says it: torch, torch.compile
  std::string name;                 // "torch.compile 2.11.0"
  std::string reason;               // why it was not measured, or empty
  Faster faster;                    // than that program
  std::vector<ShapeResult> shapes;  // parent_ms: its time
};

struct Decided {
  int version = 0;
  Decision status = Decision::revert;
  int champion = 0;  // the best version from here on
};

struct Interrupted {
  int version = 0;
  std::string why;
};

struct Note {
  std::string by, text;
};

struct Stopped {
  std::string rule, sentence;
  int champion = 0;
};

// An event of a later version of explog: it counts, and says nothing to this one.
struct Unknown {
  std::string kind;
};

using Happening = std::variant<Started, Proposed, Judging, Judged, Decided, Interrupted, Note, Stopped,
                               Refused, Profiled, Benchmarked, Unknown>;

struct Event {
  int n = 0;       // 0, 1, 2, ... without gaps
  std::string at;  // "2026-11-22T10:00:00Z"
  Happening what;
};

struct Journal {
  std::vector<Event> events;
  std::uint64_t whole =
      0;  // bytes of whole lines: what is behind them was being written when the machine stopped
};

std::string to_line(const Event& event);  // with its newline
// Throws JsonError naming the line, where a line is no event or out of order. A last line without its end is
// left out.
Journal parse_journal(std::string_view text);
std::string_view kind_of(const Happening& what);

}  // namespace explog::campaign
