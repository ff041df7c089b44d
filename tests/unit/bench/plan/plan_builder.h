// Small plans for tests.
#pragma once
#include <string>
#include <utility>

#include "harness/plan.h"
#include "harness/sha256.h"

namespace explog::test {

inline plan::Image image_of(const std::string& content) {
  std::string bytes = "\177ELF" + content;
  return {Sha256::hex_of(bytes), bytes};
}

// An ELF file whose only symbol is a function that is not in it.
inline plan::Image image_that_needs(const std::string& function) {
  std::string bytes("\177ELF\2\1", 6);
  auto put = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    if (bytes.size() < at + size) bytes.resize(at + size);
    for (std::size_t i = 0; i < size; ++i, value >>= 8) bytes[at + i] = static_cast<char>(value);
  };
  constexpr std::size_t header = 64, section = 64, symbol = 24;
  std::size_t symbols = header + 3 * section, names = symbols + symbol;
  put(40, header, 8);
  put(60, 3, 2);
  struct Row {
    std::uint64_t type, at, size;
  };
  const Row rows[] = {{0, 0, 0}, {2, symbols, symbol}, {3, names, function.size() + 2}};
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t at = header + i * section;
    put(at + 4, rows[i].type, 4);
    put(at + 24, rows[i].at, 8);
    put(at + 32, rows[i].size, 8);
    put(at + 40, i == 1 ? 2 : 0, 8);  // the symbols' names
  }
  put(symbols, 1, symbol);
  bytes += '\0' + function + '\0';
  return {Sha256::hex_of(bytes), bytes};
}

inline std::uint32_t add_data(plan::Plan& p, std::string bytes, std::vector<plan::Fix> fixes = {}) {
  p.data.push_back({std::move(bytes), std::move(fixes)});
  return static_cast<std::uint32_t>(p.data.size() - 1);
}

inline std::uint32_t add_address(plan::Plan& p, plan::Place place, char garbage = 7) {
  return add_data(p, std::string(8, garbage), {{0, false, place}});
}

inline plan::Operation launch_in(plan::Plan& p, std::uint32_t stream) {
  plan::Operation o;
  o.stream = stream;
  o.grid = {4, 1, 1};
  o.block = {256, 1, 1};
  o.settings = {0, -1, 0, 0};
  o.name = "_Z3addPKfPfi";
  o.parameters = {add_address(p, {plan::Target::argument, 0, 0}),
                  add_address(p, {plan::Target::argument, 1, 16}), add_data(p, std::string("\x05\0\0\0", 4))};
  return o;
}

inline plan::Operation in_stream(plan::Kind kind, std::uint32_t stream, std::uint32_t event = 0) {
  plan::Operation o;
  o.kind = kind;
  o.stream = stream;
  o.event = event;
  return o;
}

// Arguments x, y (1024 bytes) and n; two streams that do not wait for the default one, a blocking one, two events.
inline plan::Plan surroundings() {
  plan::Plan p;
  p.arch = "sm_90";
  p.driver = 13000;
  p.arguments = {{false, 1024}, {false, 1024}, {true, 4}};
  p.images = {image_of("one")};
  p.streams = {{plan::non_blocking, 0}, {plan::non_blocking, -1}, {0, 0}};
  p.events = 2;
  return p;
}

inline plan::Plan one_launch() {
  plan::Plan p = surroundings();
  p.operations.push_back(launch_in(p, plan::legacy_stream));
  return p;
}

// Its second argument is returned.
inline plan::Plan returning() {
  plan::Plan p = one_launch();
  p.workspaces = {{plan::Memory::device, 2048, 512, false, plan::none}};
  p.results = {{{plan::Target::argument, 1, 0}, {plan::Target::workspace, 0, 1024}, 1024}};
  return p;
}

// Every kind of line that a call without results has.
inline plan::Plan everything() {
  using namespace plan;
  Plan p = surroundings();
  std::uint32_t kept = add_data(p, std::string(16, 'w'), {{8, false, {Target::argument, 1, 0}}});
  std::uint32_t value = add_data(p, std::string(4, 's'));
  p.symbols = {{0, 4, value, "scale"}, {0, 64, none, "table"}};
  p.workspaces = {{Memory::device, 16, 512, false, kept},
                  {Memory::managed, 4096, 0, true, none},
                  {Memory::host, 64, 64, false, none}};
  p.textures = {{{Target::argument, 0, 0}, 0x20, 1, 1024, 0, 0, {1, 1, 1}, 0, 0, 0}};
  p.limits = {{0, 4096}};
  p.unknown = {"cuMemcpy3DAsync of nobody"};
  p.late = 2;
  p.left_out = 70000;
  Operation launch = launch_in(p, 2);
  launch.attributes = {{4, {2, 1, 1}}, {2, {1, 0, 0}}};
  launch.parameters.push_back(add_data(p, std::string(128, 'm'), {{0, true, {Target::workspace, 1, 0}}}));
  launch.parameters.push_back(add_data(p, std::string(8, 't'), {{0, false, {Target::texture, 0, 0}}}));
  Operation set = in_stream(Kind::memset, 0);
  set.to = {Target::workspace, 0, 0};
  set.value = 9, set.element = 4, set.bytes = 2, set.height = 2, set.pitch = 8;
  Operation upload = in_stream(Kind::upload, 0);
  upload.async = false;
  upload.to = {Target::symbol, 1, 8};
  upload.data = value;
  Operation copy = in_stream(Kind::copy, 1);
  copy.to = {Target::argument, 1, 0}, copy.from = {Target::workspace, 1, 32}, copy.bytes = 256;
  Operation rows = in_stream(Kind::copy2d, 0);
  rows.to = {Target::argument, 1, 0}, rows.from = {Target::argument, 0, 0};
  rows.bytes = 16, rows.height = 4, rows.pitch = 32, rows.from_pitch = 64;
  Operation download = in_stream(Kind::download, 0);
  download.from = {Target::argument, 1, 1020}, download.bytes = 4;
  Operation wait = in_stream(Kind::host_wait, 0, 1);
  wait.waits_for = HostWait::event;
  Operation graph = in_stream(Kind::graph, 0);
  graph.nodes = {launch_in(p, 0), set, copy, in_stream(Kind::empty, 0), in_stream(Kind::host_function, 0)};
  graph.edges = {{0, 1}, {1, 2}, {0, 3}};
  p.operations = {launch,
                  set,
                  upload,
                  copy,
                  rows,
                  download,
                  in_stream(Kind::record, 2, 1),
                  in_stream(Kind::wait, 0, 1),
                  wait,
                  in_stream(Kind::host_function, 0),
                  graph};
  return p;
}

}  // namespace explog::test
