#include "recording.h"

#include <algorithm>
#include <cstring>

namespace explog::capture {
namespace {

using namespace plan;

constexpr std::size_t largest_payload = 16 << 20;

std::string printable(const std::string& text) {
  std::string out;
  for (char c : text.substr(0, limit::note_bytes)) out += c >= ' ' && c <= '~' ? c : '?';
  return out.empty() ? "?" : out;
}

bool usable(const std::string& name) {
  return !name.empty() && name.size() <= limit::name_bytes &&
         std::all_of(name.begin(), name.end(), [](char c) { return c > ' ' && c <= '~'; });
}

}  // namespace

void Recording::begin(int call) {
  call_ = call;
  returned_ = false;
  plan_ = {};
  image_numbers_.clear();
  workspace_numbers_.clear();
  first_symbols_.clear();
  workspaces_.clear();
  symbol_images_.clear();
  streams_.clear();
  events_.clear();
  texture_numbers_.clear();
  read_state();
  on_ = true;
  for (const Limit& l : limits_) {
    bool known = l.which <= 2 && l.value <= (std::uint64_t{1} << 30);
    if (known)
      plan_.limits.push_back(l);
    else
      unknown("limit " + std::to_string(l.which) + " of the context");
  }
}

void Recording::unknown(const std::string& what) {
  std::string text = printable(what);
  bool said = std::find(plan_.unknown.begin(), plan_.unknown.end(), text) != plan_.unknown.end();
  if (on_ && !said && plan_.unknown.size() < limit::notes) plan_.unknown.push_back(text);
}

void Recording::add(Operation o) {
  if (!on_) return;
  if (returned_) {
    ++plan_.late;
  } else if (plan_.operations.size() < limit::operations) {
    plan_.operations.push_back(std::move(o));
  } else {
    unknown("more than " + std::to_string(limit::operations) + " operations");
  }
}

void Recording::result(std::uint64_t to, std::uint64_t from, std::uint64_t bytes) {
  plan_.results.push_back({place(to), place(from), bytes});
}

// ---- addresses

std::uint32_t Recording::number(const Found& found) {
  if (found.target == Target::argument) return static_cast<std::uint32_t>(found.index);
  if (found.target == Target::workspace) {
    auto [row, is_new] =
        workspace_numbers_.emplace(found.index, static_cast<std::uint32_t>(workspaces_.size()));
    if (is_new) workspaces_.push_back(found.index);
    return row->second;
  }
  Kernel owner;
  owner.image = static_cast<int>(found.index);
  image(owner);
  return first_symbols_[found.index] + static_cast<std::uint32_t>(found.variable);
}

// An image and all its variables enter the plan together.
std::uint32_t Recording::image(const Kernel& kernel) {
  auto index = static_cast<std::size_t>(kernel.image);
  auto [row, is_new] = image_numbers_.emplace(index, static_cast<std::uint32_t>(plan_.images.size()));
  if (!is_new) return row->second;
  plan_.images.push_back({"", images_.bytes(index)});
  first_symbols_[index] = static_cast<std::uint32_t>(plan_.symbols.size());
  for (const Variable& v : addresses_.variables()[index]) {
    plan_.symbols.push_back({row->second, v.range.bytes, none, usable(v.name) ? v.name : "?"});
    symbol_images_.push_back(index);
  }
  return row->second;
}

// Device memory that was made in a way that is not watched, such as by virtual memory management.
void Recording::unseen_memory(std::uint64_t address) {
  CUdeviceptr base = 0;
  std::size_t bytes = 0;
  if (address >> 32 != 0 && cuMemGetAddressRange(&base, &bytes, address) == CUDA_SUCCESS)
    addresses_.allocated(base, bytes, Memory::device, -1);
}

bool Recording::fix(std::uint64_t address, bool alone, Place& place) {
  auto found = addresses_.find(address, alone);
  if (!found) {
    std::string stranger = addresses_.stranger(address);
    if (!stranger.empty()) {
      if (alone) unknown(stranger);
      return false;
    }
    if (alone) unseen_memory(address);
    found = alone ? addresses_.find(address, alone) : std::nullopt;
  }
  if (!found) return false;
  place = {found->target, number(*found), found->plus};
  return true;
}

bool Recording::fix_map(Data& d, std::size_t at) {
  if (at + tensor_map_bytes > d.bytes.size()) return false;
  for (std::size_t i = maps_.size(); i-- > 0;) {
    if (d.bytes.compare(at, tensor_map_bytes, maps_[i].bytes) != 0) continue;
    Fix f{at, true, {}};
    if (!fix(maps_[i].address, true, f.place)) return false;
    d.fixes.push_back(f);
    return true;
  }
  return false;
}

bool Recording::fix_texture(Data& d, std::uint64_t value) {
  auto known = textures_.find(value);
  if (d.bytes.size() != address_bytes || known == textures_.end()) return false;
  auto [row, is_new] = texture_numbers_.emplace(value, static_cast<std::uint32_t>(plan_.textures.size()));
  if (is_new) {
    Texture t = known->second.words;
    if (!known->second.trouble.empty()) unknown(known->second.trouble);
    t.place = place(known->second.address);
    plan_.textures.push_back(t);
  }
  d.fixes.push_back({0, false, {Target::texture, row->second, 0}});
  return true;
}

// Every 8 bytes that may be an address are looked up, and every 128 bytes that are a known tensor map.
std::uint32_t Recording::data(const void* bytes, std::size_t size, bool parameter) {
  Data d;
  d.bytes.assign(static_cast<const char*>(bytes), size);
  for (std::size_t at = 0; at + address_bytes <= size; at += address_bytes) {
    if (fix_map(d, at)) {
      at += tensor_map_bytes - address_bytes;
      continue;
    }
    std::uint64_t value = 0;
    std::memcpy(&value, d.bytes.data() + at, sizeof value);
    if (parameter && fix_texture(d, value)) continue;
    Fix f{at, false, {}};
    if (fix(value, parameter && size == address_bytes, f.place)) d.fixes.push_back(f);
  }
  plan_.data.push_back(std::move(d));
  return static_cast<std::uint32_t>(plan_.data.size() - 1);
}

Place Recording::place(std::uint64_t address) {
  Place p;
  if (!fix(address, true, p)) unknown("an operation on memory that nobody allocated");
  return p;
}

std::uint32_t Recording::stream(CUstream handle, bool per_thread) {
  if (handle == nullptr) return per_thread ? thread_stream : legacy_stream;
  if (handle == CU_STREAM_LEGACY) return legacy_stream;
  if (handle == CU_STREAM_PER_THREAD) return thread_stream;
  auto known = streams_.find(handle);
  if (known != streams_.end()) return known->second;
  Stream s;
  cuStreamGetFlags(handle, &s.flags);
  cuStreamGetPriority(handle, &s.priority);
  plan_.streams.push_back(s);
  return streams_[handle] = static_cast<std::uint32_t>(plan_.streams.size()) + first_own_stream - 1;
}

std::uint32_t Recording::event(CUevent handle) {
  auto [row, is_new] = events_.emplace(handle, plan_.events);
  if (is_new) ++plan_.events;
  return row->second;
}

void Recording::tensor_map(const void* map, std::uint64_t address) {
  std::string bytes(static_cast<const char*>(map), tensor_map_bytes);
  for (TensorMap& known : maps_) {
    if (known.bytes == bytes) return;
  }
  maps_.push_back({std::move(bytes), address});
}

void Recording::texture(CUtexObject object, const CUDA_RESOURCE_DESC& resource,
                        const CUDA_TEXTURE_DESC& how) {
  TextureObject t;
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) {
    const auto& r = resource.res.linear;
    t.address = r.devPtr;
    t.words.format = r.format, t.words.channels = r.numChannels, t.words.width = r.sizeInBytes;
  } else if (resource.resType == CU_RESOURCE_TYPE_PITCH2D) {
    const auto& r = resource.res.pitch2D;
    t.address = r.devPtr;
    t.words.format = r.format, t.words.channels = r.numChannels, t.words.width = r.width;
    t.words.height = r.height, t.words.pitch = r.pitchInBytes;
  } else {
    t.trouble = "a texture of an array";
  }
  for (int i = 0; i < 3; ++i) t.words.address_mode[i] = how.addressMode[i];
  t.words.filter = how.filterMode, t.words.flags = how.flags, t.words.anisotropy = how.maxAnisotropy;
  textures_[object] = t;
}

void Recording::context_limit(std::uint32_t which, std::uint64_t value) {
  for (Limit& known : limits_) {
    if (known.which == which) {
      known.value = value;
      return;
    }
  }
  limits_.push_back({which, value});
}

// ---- launches

void Recording::add_attribute(Operation& o, const CUlaunchAttribute& a, std::string& trouble) {
  LaunchAttribute out;
  out.id = static_cast<std::uint32_t>(a.id);
  switch (a.id) {
    case CU_LAUNCH_ATTRIBUTE_IGNORE:
      return;
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION:
      out.value = {a.value.clusterDim.x, a.value.clusterDim.y, a.value.clusterDim.z};
      break;
    case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
    case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
    case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
    case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      std::memcpy(&out.value[0], &a.value, sizeof out.value[0]);
      break;
    default:
      trouble = "launch attribute " + std::to_string(out.id);
      return;
  }
  o.attributes.push_back(out);
}

Operation Recording::bare_launch(const LaunchWords& words, const Kernel& kernel, std::string& trouble) {
  Operation o;
  o.name = usable(kernel.name) ? kernel.name : "?";
  std::copy(words.grid, words.grid + 3, o.grid.begin());
  std::copy(words.block, words.block + 3, o.block.begin());
  o.shared = words.shared;
  constexpr CUfunction_attribute settings[] = {CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                               CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT,
                                               CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
                                               CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE};
  for (std::size_t i = 0; i < o.settings.size(); ++i) {
    if (!kernel.function || cuFuncGetAttribute(&o.settings[i], settings[i], kernel.function) != CUDA_SUCCESS)
      trouble = "a kernel whose settings cannot be read (" + o.name + ")";
  }
  for (unsigned i = 0; i < words.attribute_count; ++i) add_attribute(o, words.attributes[i], trouble);
  if (kernel.image < 0) trouble = "a kernel whose image was not seen (" + o.name + ")";
  return o;
}

// Where each parameter of a launch lies: each has a pointer of its own, or all are in one buffer, as cuBLAS gives them.
std::vector<const char*> Recording::parameters_of(const LaunchWords& words, const Kernel& kernel,
                                                  std::string& trouble) {
  const char* buffer = nullptr;
  std::size_t bytes = 0;
  for (void** word = words.extra; !words.parameters && word && *word != CU_LAUNCH_PARAM_END; word += 2) {
    if (*word == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<const char*>(word[1]);
    if (*word == CU_LAUNCH_PARAM_BUFFER_SIZE) bytes = *static_cast<const std::size_t*>(word[1]);
  }
  std::vector<const char*> places;
  for (const auto& [offset, size] : kernel.parameters) {
    if (words.parameters) {
      places.push_back(static_cast<const char*>(words.parameters[places.size()]));
    } else if (offset + size <= bytes) {
      places.push_back(buffer + offset);
    } else {
      trouble = "a launch whose parameters are in no buffer of their size";
      return {};
    }
  }
  return places;
}

Operation Recording::launch(const LaunchWords& words, std::uint32_t stream) {
  const Kernel& kernel = images_.kernel(words.function, words.symbol);
  if (!on_ || returned_) return {};
  std::string trouble;
  Operation o = bare_launch(words, kernel, trouble);
  o.stream = stream;
  std::vector<const char*> places = parameters_of(words, kernel, trouble);
  if (!trouble.empty()) unknown(trouble);
  if (kernel.image >= 0) o.image = image(kernel);
  for (std::size_t i = 0; i < places.size(); ++i)
    o.parameters.push_back(data(places[i], kernel.parameters[i].second, true));
  return o;
}

RawNode Recording::node(const LaunchWords& words) {
  const Kernel& kernel = images_.kernel(words.function, words.symbol);
  RawNode n;
  n.function = words.function;
  n.operation = bare_launch(words, kernel, n.trouble);
  std::vector<const char*> places = parameters_of(words, kernel, n.trouble);
  for (std::size_t i = 0; i < places.size(); ++i)
    n.parameters.emplace_back(places[i], kernel.parameters[i].second);
  return n;
}

void Recording::graph(const RawGraph& raw, std::uint32_t stream) {
  Operation o;
  o.kind = Kind::graph;
  o.stream = stream;
  for (const RawNode& n : raw.nodes) {
    Operation out = n.operation;
    if (!n.trouble.empty()) unknown(n.trouble);
    if (out.kind == Kind::launch) {
      const Kernel& kernel = images_.kernel(n.function, nullptr);
      if (kernel.image >= 0) out.image = image(kernel);
      for (const std::string& p : n.parameters) out.parameters.push_back(data(p.data(), p.size(), true));
    }
    if (n.to != 0) out.to = place(n.to);
    if (n.from != 0) out.from = place(n.from);
    o.nodes.push_back(std::move(out));
  }
  o.edges = raw.edges;
  add(std::move(o));
}

}  // namespace explog::capture
