#include "bench/plan/check.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "bench/plan/check_operation.h"
#include "harness/plan_reader.h"
#include "harness/sha256.h"

namespace explog::bench {
namespace {

using namespace plan;

// Bytes of a texel's channel, by CUarray_format; 0: none that a texture of linear memory has.
std::uint64_t channel_bytes(std::uint32_t format) {
  constexpr std::array<std::pair<std::uint32_t, std::uint64_t>, 8> rows = {
      {{0x01, 1}, {0x02, 2}, {0x03, 4}, {0x08, 1}, {0x09, 2}, {0x0A, 4}, {0x10, 2}, {0x20, 4}}};
  auto row = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.first == format; });
  return row == rows.end() ? 0 : row->second;
}

class PlanCheck {
 public:
  explicit PlanCheck(const Plan& p) : plan_(p), places_(p) {}

  void run() {
    images();
    state();
    textures();
    streams();
    limits();
    for (std::size_t i = 0; i < plan_.data.size(); ++i) piece(i);
    OperationCheck operations(plan_, places_);
    for (std::size_t i = 0; i < plan_.operations.size(); ++i) operations.check(plan_.operations[i], i);
    for (std::size_t i = 0; i < plan_.results.size(); ++i) result(i);
  }

 private:
  static void need(bool holds, const std::string& what) {
    if (!holds) throw Fault(what);
  }

  void images() {
    for (std::size_t i = 0; i < plan_.images.size(); ++i) {
      const Image& image = plan_.images[i];
      std::string where = "image " + std::to_string(i) + " ";
      need(image.bytes.starts_with("\177ELF"), where + "is no cubin");
      need(image.sha256 == Sha256::hex_of(image.bytes), where + "is not what its hash names");
    }
  }

  // Contents of a variable or a workspace, where there are any.
  std::uint64_t contents(std::uint32_t data, std::uint64_t bytes, const std::string& where) {
    if (data == none) return 0;
    need(data < plan_.data.size(), where + " has contents that are not there");
    need(plan_.data[data].bytes.size() == bytes, where + " has contents of another size");
    return bytes;
  }

  void state() {
    std::uint64_t kept = 0, memory = 0;
    for (std::size_t i = 0; i < plan_.symbols.size(); ++i) {
      const Symbol& s = plan_.symbols[i];
      std::string where = "symbol " + std::to_string(i);
      need(s.image < plan_.images.size(), where + " is of an image that is not there");
      need(s.bytes > 0 && s.bytes <= limit::memory, where + " has no possible size");
      kept += contents(s.contents, s.bytes, where);
    }
    need(kept <= limit::kept, "the symbols hold more than may be kept");
    kept = 0;
    for (std::size_t i = 0; i < plan_.workspaces.size(); ++i) {
      const Workspace& w = plan_.workspaces[i];
      std::string where = "workspace " + std::to_string(i);
      need(w.bytes > 0 && w.bytes <= limit::memory - memory, where + " has no possible size");
      need(w.low < placement, where + " has more low bits than are kept");
      need(!w.in_call || w.contents == none,
           where + " is allocated by the call and holds something before it");
      kept += contents(w.contents, w.bytes, where);
      memory += w.bytes;
    }
    need(kept <= limit::kept, "the workspaces hold more than may be kept");
  }

  void textures() {
    for (std::size_t i = 0; i < plan_.textures.size(); ++i) {
      const Texture& t = plan_.textures[i];
      std::string where = "texture " + std::to_string(i);
      std::uint64_t texel = channel_bytes(t.format) * t.channels;
      need(texel > 0 && (t.channels == 1 || t.channels == 2 || t.channels == 4),
           where + " has no known format");
      std::uint64_t room = places_.room(t.place, where);
      need(t.width > 0 && t.width <= room, where + " is wider than its memory");
      if (t.height > 0) {
        need(t.pitch >= t.width * texel && t.pitch <= room, where + " has a pitch that does not fit");
        need(t.height <= room / t.pitch, where + " is higher than its memory");
      }
      bool known = t.filter <= 1 && t.flags <= 0x3F && t.anisotropy <= 16;
      for (std::uint32_t mode : t.address_mode) known = known && mode <= 3;
      need(known, where + " has a mode that is not known");
    }
  }

  void streams() {
    for (const Stream& s : plan_.streams)
      need(s.flags <= non_blocking && s.priority >= -100 && s.priority <= 100, "a stream has unknown flags");
  }

  // Stack, printf buffer and heap: what a kernel may need. Others change how the device behaves.
  void limits() {
    for (const Limit& l : plan_.limits)
      need(l.which <= 2 && l.value <= (std::uint64_t{1} << 30),
           "limit " + std::to_string(l.which) + " of the context may not be set");
  }

  void piece(std::size_t i) {
    const Data& d = plan_.data[i];
    std::string where = "data " + std::to_string(i);
    std::uint64_t end = 0;
    for (const Fix& f : d.fixes) {
      std::uint64_t bytes = f.tensor_map ? tensor_map_bytes : address_bytes;
      need(f.at >= end && f.at <= d.bytes.size() && d.bytes.size() - f.at >= bytes,
           where + " has an address outside of it");
      end = f.at + bytes;
      if (f.place.target == Target::texture) {
        need(!f.tensor_map && f.place.id < plan_.textures.size() && f.place.plus == 0,
             where + " names a texture that is not there");
      } else {
        places_.room(f.place, where);
      }
    }
  }

  // A whole argument, from memory of the candidate's own: that is all that is copied outside of the time of a call.
  void result(std::size_t i) const {
    const Result& r = plan_.results[i];
    std::string where = "result " + std::to_string(i);
    need(r.to.target == Target::argument && r.to.plus == 0, where + " is for no argument");
    need(r.bytes > 0 && places_.room(r.to, where) == r.bytes, where + " has another size than its argument");
    need(r.from.target == Target::workspace, where + " is no memory of the candidate's");
    need(places_.room(r.from, where) >= r.bytes, where + " goes beyond its memory");
    need(plan_.workspaces[r.from.id].memory == Memory::device, where + " is not on the device");
  }

  const Plan& plan_;
  Places places_;
};

}  // namespace

std::string fault_of(const Plan& p) {
  try {
    PlanCheck(p).run();
    return "";
  } catch (const Fault& f) {
    return f.what();
  }
}

std::variant<Plan, std::string> read_plan(std::string_view bytes) {
  try {
    Plan p = plan::read(bytes);
    if (std::string fault = fault_of(p); !fault.empty()) return fault;
    return p;
  } catch (const Fault& f) {
    return std::string(f.what());
  }
}

}  // namespace explog::bench
