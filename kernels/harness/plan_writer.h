// A plan as bytes (schema/formats/plan.md): an index of lines, then the data.
#pragma once
#include <type_traits>

#include "plan.h"

namespace explog::plan {

class Writer {
 public:
  std::string write(const Plan& p) {
    head(p);
    for (const Data& d : p.data) piece(d);
    for (const Operation& o : p.operations) operation(o);
    for (const Result& r : p.results) line("result", r.to, r.from, r.bytes);
    std::string first = std::string(first_word) + " " + std::to_string(number) + " " +
                        std::to_string(index_.size()) + " " + std::to_string(blob_.size()) + "\n";
    return first + index_ + blob_;
  }

 private:
  template <class... Words>
  void line(const char* word, const Words&... words) {
    index_ += word;
    ((index_ += ' ', put(words)), ...);
    index_ += '\n';
  }
  // The words that end a line which has begun.
  template <class... Words>
  void rest(const Words&... words) {
    ((index_ += ' ', put(words)), ...);
    index_ += '\n';
  }
  void put(const std::string& text) { index_ += text; }
  void put(const char* text) { index_ += text; }
  void put(bool value) { index_ += value ? '1' : '0'; }
  template <class T>
  requires std::is_integral_v<T>
  void put(T value) { index_ += std::to_string(value); }
  void put(const Place& p) {
    put(target_names[static_cast<std::uint32_t>(p.target)]);
    index_ += ' ' + std::to_string(p.id) + ' ' + std::to_string(p.plus);
  }
  template <class T, std::size_t N>
  void put(const std::array<T, N>& values) {
    for (std::size_t i = 0; i < N; ++i) index_ += (i > 0 ? " " : "") + std::to_string(values[i]);
  }

  void head(const Plan& p) {
    line("device", p.arch, p.driver);
    for (const PlanArgument& a : p.arguments) line("argument", a.scalar ? "scalar" : "buffer", a.bytes);
    for (const Image& i : p.images) {
      line("image", i.sha256, i.bytes.size());
      blob_ += i.bytes;
    }
    for (const Symbol& s : p.symbols) line("symbol", s.image, s.bytes, contents(s.contents), s.name);
    for (const Workspace& w : p.workspaces)
      line("workspace", memory_names[static_cast<std::uint32_t>(w.memory)], w.bytes, w.low, w.in_call,
           contents(w.contents));
    for (const Texture& t : p.textures)
      line("texture", t.place, t.format, t.channels, t.width, t.height, t.pitch, t.address_mode, t.filter,
           t.flags, t.anisotropy);
    for (const Stream& s : p.streams) line("stream", s.flags, s.priority);
    line("events", p.events);
    for (const Limit& l : p.limits) line("limit", l.which, l.value);
    for (const std::string& text : p.unknown) line("unknown", text);
    line("late", p.late);
    line("left_out", p.left_out);
  }
  static std::string contents(std::uint32_t data) { return data == none ? "-" : std::to_string(data); }

  void piece(const Data& d) {
    line("data", d.bytes.size(), d.fixes.size());
    for (const Fix& f : d.fixes) line("fix", f.at, f.tensor_map ? "map" : "address", f.place);
    blob_ += d.bytes;
  }

  void operation(const Operation& o) {
    index_ += kind_names[static_cast<std::uint32_t>(o.kind)];
    index_ += ' ' + std::to_string(o.stream);
    switch (o.kind) {
      case Kind::launch:
        return launch(o);
      case Kind::memset:
        return rest(o.async, o.to, o.value, o.element, o.bytes, o.height, o.pitch);
      case Kind::upload:
        return rest(o.async, o.to, o.data);
      case Kind::copy:
        return rest(o.async, o.to, o.from, o.bytes);
      case Kind::copy2d:
        return rest(o.async, o.to, o.pitch, o.from, o.from_pitch, o.bytes, o.height);
      case Kind::download:
        return rest(o.async, o.from, o.bytes);
      case Kind::record:
      case Kind::wait:
        return rest(o.event);
      case Kind::host_wait:
        return rest(host_wait_names[static_cast<std::uint32_t>(o.waits_for)], o.event);
      case Kind::graph:
        return graph(o);
      case Kind::host_function:
      case Kind::empty:
        return rest();
    }
  }
  void launch(const Operation& o) {
    index_ += ' ';
    put(o.image);
    for (const auto& sizes : {o.grid, o.block}) index_ += ' ', put(sizes);
    index_ += ' ' + std::to_string(o.shared) + ' ';
    put(o.settings);
    index_ += ' ' + std::to_string(o.attributes.size());
    for (const LaunchAttribute& a : o.attributes) index_ += ' ' + std::to_string(a.id) + ' ', put(a.value);
    index_ += ' ' + std::to_string(o.parameters.size());
    for (std::uint32_t p : o.parameters) index_ += ' ' + std::to_string(p);
    rest(o.name);
  }
  void graph(const Operation& o) {
    rest(o.nodes.size(), o.edges.size());
    for (const Operation& node : o.nodes) operation(node);
    for (const auto& [from, to] : o.edges) line("edge", from, to);
  }

  std::string index_, blob_;
};

inline std::string write(const Plan& p) { return Writer().write(p); }

}  // namespace explog::plan
