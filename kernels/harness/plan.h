// A plan: the device work of one call of a candidate, in order (schema/formats/plan.md, format 2). What capture
// writes, the supervisor checks and replay carries out. Numbers of the CUDA driver stand for themselves.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace explog::plan {

constexpr int number = 2;
constexpr const char* first_word = "explog-plan";

// What a reader accepts at most. A plan beyond a limit is refused; no limit is a promise that a GPU has room.
namespace limit {
constexpr std::uint64_t index_bytes = 16 << 20, data_bytes = std::uint64_t{512} << 20;
constexpr std::uint64_t name_bytes = 16384, note_bytes = 400;
constexpr std::uint64_t images = 256, symbols = 4096, workspaces = 4096, textures = 256, streams = 64;
constexpr std::uint64_t events = 4096, limits = 16, notes = 256, arguments = 64;
constexpr std::uint64_t pieces = 1 << 18, fixes = 1 << 20;      // of data
constexpr std::uint64_t operations = 1 << 16, edges = 1 << 20;  // nodes of graphs are counted
constexpr std::uint64_t attributes = 16, parameters = 4096;     // of one launch
constexpr std::uint64_t memory = std::uint64_t{1} << 40;        // of all workspaces
constexpr std::uint64_t kept = 64 << 10;  // contents of all workspaces together; the same for all symbols
}  // namespace limit

// Streams 0 and 1 are CUDA's default streams (legacy, of the thread); those the candidate made follow.
constexpr std::uint32_t legacy_stream = 0, thread_stream = 1, first_own_stream = 2;
constexpr std::uint32_t non_blocking = 1;  // CU_STREAM_NON_BLOCKING: does not wait for the default stream

// Low bits of an address that allocations keep in a replay: a shift of 4 KiB changes times by up to 9%.
constexpr std::uint64_t placement = std::uint64_t{1} << 21;

enum class Target : std::uint32_t { argument, workspace, symbol, texture };
constexpr const char* target_names[] = {"argument", "workspace", "symbol", "texture"};

// An address, by what it lies in. A texture is a handle: `plus` is 0.
struct Place {
  Target target = Target::argument;
  std::uint32_t id = 0;
  std::uint64_t plus = 0;
  bool operator==(const Place&) const = default;
};

// 8 bytes at `at` of a piece of data are an address; with `tensor_map` 128 bytes are a CUtensorMap of it.
struct Fix {
  std::uint64_t at = 0;
  bool tensor_map = false;
  Place place;
  bool operator==(const Fix&) const = default;
};
constexpr std::uint64_t address_bytes = 8, tensor_map_bytes = 128;

struct Data {
  std::string bytes;
  std::vector<Fix> fixes;  // by `at`, without overlap
  bool operator==(const Data&) const = default;
};
constexpr std::uint32_t none = 0xFFFFFFFF;  // in place of the number of a piece of data

struct PlanArgument {
  bool scalar = false;
  std::uint64_t bytes = 0;
  bool operator==(const PlanArgument&) const = default;
};

struct Image {
  std::string sha256;  // of the cubin, 64 hex digits
  std::string bytes;
  bool operator==(const Image&) const = default;
};

// A variable of an image. Contents: what it held before the call; none: what the image says.
struct Symbol {
  std::uint32_t image = 0;
  std::uint64_t bytes = 0;
  std::uint32_t contents = none;
  std::string name;
  bool operator==(const Symbol&) const = default;
};

enum class Memory : std::uint32_t { device, host, managed };
constexpr const char* memory_names[] = {"device", "host", "managed"};

// Memory that the candidate allocated. `low` are the low bits of its address.
struct Workspace {
  Memory memory = Memory::device;
  std::uint64_t bytes = 0, low = 0;
  bool in_call = false;           // allocated by this call, so that it holds nothing before
  std::uint32_t contents = none;  // none: poison
  bool operator==(const Workspace&) const = default;
};

// A texture object of linear memory; with height > 0 of rows of `pitch` bytes.
struct Texture {
  Place place;
  std::uint32_t format = 0, channels = 0;
  std::uint64_t width = 0, height = 0, pitch = 0;  // width in bytes where the height is 0
  std::array<std::uint32_t, 3> address_mode{};
  std::uint32_t filter = 0, flags = 0, anisotropy = 0;
  bool operator==(const Texture&) const = default;
};

struct Stream {
  std::uint32_t flags = 0;
  std::int32_t priority = 0;
  bool operator==(const Stream&) const = default;
};

struct Limit {  // cuCtxSetLimit
  std::uint32_t which = 0;
  std::uint64_t value = 0;
  bool operator==(const Limit&) const = default;
};

struct LaunchAttribute {
  std::uint32_t id = 0;
  std::array<std::uint32_t, 3> value{};  // the parts that the attribute has; the others are 0
  bool operator==(const LaunchAttribute&) const = default;
};

enum class Kind : std::uint32_t {
  launch,
  memset,
  upload,
  copy,
  copy2d,
  download,
  record,
  wait,
  host_wait,
  host_function,
  graph,
  empty
};
constexpr const char* kind_names[] = {"launch", "memset", "upload",    "copy",          "copy2d", "download",
                                      "record", "wait",   "host_wait", "host_function", "graph",  "empty"};

enum class HostWait : std::uint32_t { device, stream, event };
constexpr const char* host_wait_names[] = {"device", "stream", "event"};

struct Operation {
  Kind kind = Kind::launch;
  std::uint32_t stream = 0;
  bool async = true;  // of memset, upload, copy: the call did not wait
  // launch
  std::uint32_t image = 0, shared = 0;
  std::array<std::uint32_t, 3> grid{}, block{};
  // Most dynamic shared memory, carve-out, whether clusters above 8 are allowed, cluster scheduling.
  std::array<std::int32_t, 4> settings{};
  std::vector<LaunchAttribute> attributes;
  std::vector<std::uint32_t> parameters;  // pieces of data
  std::string name;
  // memset, upload, copy, copy2d, download
  Place to, from;
  std::uint32_t data = 0;                                          // of an upload
  std::uint64_t bytes = 0, height = 1, pitch = 0, from_pitch = 0;  // bytes of a row, rows
  std::uint32_t value = 0, element = 1;                            // of a memset: element is 1, 2 or 4 bytes
  std::uint32_t event = 0;                                         // record, wait, host_wait
  HostWait waits_for = HostWait::device;
  // graph
  std::vector<Operation> nodes;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  bool operator==(const Operation&) const = default;
};

// What the call returned instead of writing it: memory that is copied to an argument when its time has been taken.
struct Result {
  Place to, from;
  std::uint64_t bytes = 0;
  bool operator==(const Result&) const = default;
};

struct Plan {
  std::string arch;  // sm_90
  std::uint64_t driver = 0;
  std::vector<PlanArgument> arguments;
  std::vector<Image> images;
  std::vector<Symbol> symbols;
  std::vector<Workspace> workspaces;
  std::vector<Texture> textures;
  std::vector<Stream> streams;  // the candidate's own, from first_own_stream
  std::uint32_t events = 0;
  std::vector<Limit> limits;
  std::vector<std::string> unknown;  // operations that capture has no word for: not replayable
  std::uint64_t late = 0;            // operations after solve() had returned
  std::uint64_t left_out = 0;        // bytes of state beyond limit::kept
  std::vector<Data> data;
  std::vector<Operation> operations;
  std::vector<Result> results;
  bool operator==(const Plan&) const = default;
};

}  // namespace explog::plan
