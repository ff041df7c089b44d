// A plan from bytes that nobody vouches for (schema/formats/plan.md). Reading is bounded: no count is believed
// before its lines were seen, and nothing is allocated for what is not there. What the numbers refer to is
// the checker's business.
#pragma once
#include <algorithm>
#include <charconv>
#include <iterator>
#include <stdexcept>
#include <string_view>

#include "plan.h"

namespace explog::plan {

// What is wrong with the bytes of a plan, in one line.
struct Fault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  Plan read() {
    first_line();
    next();
    head();
    while (is("data")) piece();
    while (!word_.empty() && !is("result")) plan_.operations.push_back(operation(false));
    while (is("result")) result();
    if (!word_.empty()) fail("a line behind the last result");
    if (used_ != blob_.size()) fail("the data end after " + std::to_string(used_) + " bytes");
    return std::move(plan_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw Fault("line " + std::to_string(line_) + " of the plan: " + what);
  }

  void first_line() {
    std::size_t end = rest_.substr(0, 200).find('\n');
    if (end == std::string_view::npos) fail("no first line; is it a plan?");
    fields_ = rest_.substr(0, end);
    line_ = 1;
    rest_.remove_prefix(end + 1);
    if (field() != first_word) fail("it does not begin with " + std::string(first_word));
    auto version = integer<std::uint32_t>(0xFFFFFFFF);
    if (version != number)
      fail("format " + std::to_string(version) + ", this explog reads " + std::to_string(number));
    auto index = integer<std::uint64_t>(limit::index_bytes), blob = integer<std::uint64_t>(limit::data_bytes);
    done();
    if (rest_.size() != index + blob) fail("the file has another length than its first line says");
    blob_ = rest_.substr(index);
    rest_ = rest_.substr(0, index);
  }

  // Steps to the next line; `word_` is empty after the last.
  void next() {
    word_ = {};
    if (rest_.empty()) return;
    std::size_t end = rest_.find('\n');
    ++line_;
    if (end == std::string_view::npos) fail("no end of the line");
    fields_ = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    word_ = field();
    if (word_.empty()) fail("an empty line");
  }
  bool is(const char* word) const { return word_ == word; }

  // The next word of the line; words are separated by one blank.
  std::string_view field() {
    std::size_t end = std::min(fields_.find(' '), fields_.size());
    std::string_view word = fields_.substr(0, end);
    more_ = end < fields_.size();
    fields_.remove_prefix(std::min(end + 1, fields_.size()));
    return word;
  }
  template <class T>
  T integer(T most) {
    std::string_view text = field();
    T value{};
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    std::string_view digits = text.substr(text.substr(0, 1) == "-" ? 1 : 0);
    bool canonical = text == "0" || (!digits.empty() && digits[0] != '0');
    if (error != std::errc() || end != text.data() + text.size() || !canonical) fail("a number is wrong");
    if (value > most) fail("a number is above the limit of " + std::to_string(most));
    return value;
  }
  std::uint32_t u32() { return integer<std::uint32_t>(0xFFFFFFFF); }
  std::uint64_t u64() { return integer<std::uint64_t>(~std::uint64_t{0}); }
  std::int32_t i32() { return integer<std::int32_t>(0x7FFFFFFF); }
  bool flag() { return integer<std::uint32_t>(1) == 1; }
  void done() const {
    if (!fields_.empty() || more_) fail("too many words");
  }
  void end_line() {
    done();
    next();
  }
  template <std::size_t N>
  std::uint32_t named(const char* const (&names)[N]) {
    std::string_view word = field();
    for (std::uint32_t i = 0; i < N; ++i) {
      if (word == names[i]) return i;
    }
    fail("a word that the format does not have");
  }
  std::string name() {
    std::string_view text = field();
    if (text.empty() || text.size() > limit::name_bytes) fail("a name is empty or too long");
    for (char c : text) {
      if (c <= ' ' || c > '~') fail("a name with a character that is not printable");
    }
    return std::string(text);
  }
  // The rest of the line as it is.
  std::string text() {
    std::string_view all = fields_;
    fields_ = {};
    more_ = false;
    if (all.empty() || all.size() > limit::note_bytes) fail("a text is empty or too long");
    for (char c : all) {
      if (c < ' ' || c > '~') fail("a text with a character that is not printable");
    }
    return std::string(all);
  }
  Place place() {
    Place p;
    p.target = static_cast<Target>(named(target_names));
    p.id = u32();
    p.plus = u64();
    return p;
  }
  std::uint32_t contents() {
    if (fields_ != "-" && fields_.substr(0, 2) != "- ")
      return integer<std::uint32_t>(static_cast<std::uint32_t>(limit::pieces));
    field();
    return none;
  }
  std::string take(std::uint64_t bytes) {
    if (bytes > blob_.size() - used_) fail("more data than the file holds");
    std::string result(blob_.substr(used_, bytes));
    used_ += bytes;
    return result;
  }
  template <class T>
  T& add(std::vector<T>& all, std::uint64_t most) {
    if (all.size() >= most) fail("more than " + std::to_string(most) + " of these lines");
    return all.emplace_back();
  }

  void head() {
    if (!is("device")) fail("the line 'device' is missing");
    plan_.arch = name();
    plan_.driver = u64();
    end_line();
    while (is("argument")) argument();
    while (is("image")) image();
    while (is("symbol")) symbol();
    while (is("workspace")) workspace();
    while (is("texture")) texture();
    while (is("stream")) stream();
    single("events", [&] { plan_.events = integer<std::uint32_t>(limit::events); });
    while (is("limit")) context_limit();
    while (is("unknown")) {
      add(plan_.unknown, limit::notes) = text();
      end_line();
    }
    single("late", [&] { plan_.late = u64(); });
    single("left_out", [&] { plan_.left_out = u64(); });
  }
  template <class F>
  void single(const char* word, F read_fields) {
    if (!is(word)) fail("the line '" + std::string(word) + "' is missing");
    read_fields();
    end_line();
  }
  void argument() {
    PlanArgument& a = add(plan_.arguments, limit::arguments);
    static constexpr const char* words[] = {"buffer", "scalar"};
    a.scalar = named(words) == 1;
    a.bytes = u64();
    end_line();
  }
  void image() {
    Image& i = add(plan_.images, limit::images);
    i.sha256 = name();
    i.bytes = take(u64());
    end_line();
  }
  void symbol() {
    Symbol& s = add(plan_.symbols, limit::symbols);
    s.image = u32();
    s.bytes = u64();
    s.contents = contents();
    s.name = name();
    end_line();
  }
  void workspace() {
    Workspace& w = add(plan_.workspaces, limit::workspaces);
    w.memory = static_cast<Memory>(named(memory_names));
    w.bytes = u64();
    w.low = u64();
    w.in_call = flag();
    w.contents = contents();
    end_line();
  }
  void texture() {
    Texture& t = add(plan_.textures, limit::textures);
    t.place = place();
    t.format = u32();
    t.channels = u32();
    t.width = u64();
    t.height = u64();
    t.pitch = u64();
    for (std::uint32_t& mode : t.address_mode) mode = u32();
    t.filter = u32();
    t.flags = u32();
    t.anisotropy = u32();
    end_line();
  }
  void stream() {
    Stream& s = add(plan_.streams, limit::streams);
    s.flags = u32();
    s.priority = i32();
    end_line();
  }
  void context_limit() {
    Limit& l = add(plan_.limits, limit::limits);
    l.which = u32();
    l.value = u64();
    end_line();
  }
  void piece() {
    Data& d = add(plan_.data, limit::pieces);
    d.bytes = take(u64());
    auto fixes = integer<std::uint64_t>(limit::fixes - fixes_);
    fixes_ += fixes;
    end_line();
    for (; fixes > 0; --fixes) {
      if (!is("fix")) fail("a line 'fix' is missing");
      static constexpr const char* words[] = {"address", "map"};
      Fix f;
      f.at = u64();
      f.tensor_map = named(words) == 1;
      f.place = place();
      d.fixes.push_back(f);
      end_line();
    }
  }

  Operation operation(bool in_graph) {
    if (++operations_ > limit::operations)
      fail("more than " + std::to_string(limit::operations) + " operations");
    Operation o;
    std::uint32_t kind = 0;
    while (kind < std::size(kind_names) && word_ != kind_names[kind]) ++kind;
    if (kind == std::size(kind_names)) fail("a line that the format does not have, or not here");
    o.kind = static_cast<Kind>(kind);
    o.stream = u32();
    if (o.kind == Kind::graph) {
      if (in_graph) fail("a graph within a graph");
      graph(o);
      return o;
    }
    if (o.kind == Kind::launch)
      launch(o);
    else if (o.kind == Kind::memset || o.kind == Kind::upload || o.kind == Kind::copy ||
             o.kind == Kind::copy2d || o.kind == Kind::download)
      memory(o);
    else if (o.kind == Kind::record || o.kind == Kind::wait)
      o.event = u32();
    else if (o.kind == Kind::host_wait) {
      o.waits_for = static_cast<HostWait>(named(host_wait_names));
      o.event = u32();
    }
    end_line();
    return o;
  }
  void launch(Operation& o) {
    o.image = u32();
    for (auto* sizes : {&o.grid, &o.block}) {
      for (std::uint32_t& size : *sizes) size = u32();
    }
    o.shared = u32();
    for (std::int32_t& value : o.settings) value = i32();
    auto attributes = integer<std::uint64_t>(limit::attributes);
    for (; attributes > 0; --attributes) {
      LaunchAttribute a;
      a.id = u32();
      for (std::uint32_t& value : a.value) value = u32();
      o.attributes.push_back(a);
    }
    auto parameters = integer<std::uint64_t>(limit::parameters);
    for (; parameters > 0; --parameters) o.parameters.push_back(u32());
    o.name = name();
  }
  void memory(Operation& o) {
    o.async = flag();
    if (o.kind != Kind::download) o.to = place();
    if (o.kind == Kind::memset) {
      o.value = u32();
      o.element = u32();
      o.bytes = u64();
      o.height = u64();
      o.pitch = u64();
      return;
    }
    if (o.kind == Kind::upload) {
      o.data = u32();
      return;
    }
    if (o.kind == Kind::copy2d) o.pitch = u64();
    o.from = place();
    if (o.kind == Kind::copy2d) o.from_pitch = u64();
    o.bytes = u64();
    if (o.kind == Kind::copy2d) o.height = u64();
  }
  void result() {
    Result& r = add(plan_.results, limit::arguments);
    r.to = place();
    r.from = place();
    r.bytes = u64();
    end_line();
  }
  void graph(Operation& o) {
    auto nodes = integer<std::uint64_t>(limit::operations),
         edges = integer<std::uint64_t>(limit::edges - edges_);
    edges_ += edges;
    end_line();
    for (; nodes > 0; --nodes) {
      if (word_.empty()) fail("a graph has fewer nodes than it says");
      o.nodes.push_back(operation(true));
    }
    for (; edges > 0; --edges) {
      if (!is("edge")) fail("a line 'edge' is missing");
      std::uint32_t from = u32();
      o.edges.emplace_back(from, u32());
      end_line();
    }
  }

  std::string_view rest_, fields_, word_, blob_;
  bool more_ = false;
  std::uint64_t line_ = 1, used_ = 0, fixes_ = 0, operations_ = 0, edges_ = 0;
  Plan plan_;
};

// Throws Fault.
inline Plan read(std::string_view bytes) { return Reader(bytes).read(); }

}  // namespace explog::plan
