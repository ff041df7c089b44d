#include <algorithm>
#include <cstring>

#include "player.h"

namespace explog::replay {

using namespace plan;

namespace {

CUdeviceptr device_address(const void* p) { return reinterpret_cast<CUdeviceptr>(p); }

void CUDA_CB nothing(void*) {}

constexpr std::size_t parameter_alignment = 64;  // of a CUtensorMap
constexpr std::uint64_t state_poison = 0x5747;   // seed of what workspaces hold where nothing is kept

}  // namespace

Bound::Bound(const LoadedPlan& loaded, const std::vector<Argument>& arguments, void** call)
    : loaded_(loaded) {
  const Plan& p = loaded.planned();
  if (arguments.size() != p.arguments.size()) throw Failure("protocol", "the plan is of other arguments");
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    bool scalar = arguments[i].role == Role::scalar;
    if (scalar != p.arguments[i].scalar || (!scalar && arguments[i].bytes != p.arguments[i].bytes))
      throw Failure("protocol", "the plan is of another shape: argument " + std::to_string(i));
    arguments_.push_back(scalar ? 0 : reinterpret_cast<std::uint64_t>(*static_cast<void**>(call[i])));
  }
  make_textures();
  make_masters();
  for (const Operation& o : p.operations) steps_.push_back(step(o));
}

Bound::~Bound() {
  for (Step& s : steps_) {
    if (s.graph) cuGraphExecDestroy(s.graph);
  }
  for (CUtexObject t : textures_) cuTexObjectDestroy(t);
  for (char* p : owned_) device::release(p);
}

std::uint64_t Bound::address(const Place& p) const {
  switch (p.target) {
    case Target::argument:
      return arguments_[p.id] + p.plus;
    case Target::workspace:
      return device_address(loaded_.workspace(p.id)) + p.plus;
    case Target::symbol:
      return device_address(loaded_.symbol(p.id)) + p.plus;
    case Target::texture:
      return textures_[p.id];
  }
  return 0;
}

std::string Bound::patched(const Data& data) const {
  std::string bytes = data.bytes;
  for (const Fix& f : data.fixes) {
    std::uint64_t value = address(f.place);
    if (!f.tensor_map) {
      std::memcpy(bytes.data() + f.at, &value, sizeof value);
      continue;
    }
    CUtensorMap map;
    std::memcpy(&map, bytes.data() + f.at, sizeof map);
    check(cuTensorMapReplaceAddress(&map, reinterpret_cast<void*>(value)), "a tensor map");
    std::memcpy(bytes.data() + f.at, &map, sizeof map);
  }
  return bytes;
}

void Bound::make_textures() {
  for (const Texture& t : loaded_.planned().textures) {
    CUDA_RESOURCE_DESC r{};
    CUDA_TEXTURE_DESC how{};
    auto format = static_cast<CUarray_format>(t.format);
    if (t.height == 0) {
      r.resType = CU_RESOURCE_TYPE_LINEAR;
      r.res.linear = {address(t.place), format, t.channels, t.width};
    } else {
      r.resType = CU_RESOURCE_TYPE_PITCH2D;
      r.res.pitch2D = {address(t.place), format, t.channels, t.width, t.height, t.pitch};
    }
    for (int i = 0; i < 3; ++i) how.addressMode[i] = static_cast<CUaddress_mode>(t.address_mode[i]);
    how.filterMode = static_cast<CUfilter_mode>(t.filter);
    how.flags = t.flags;
    how.maxAnisotropy = t.anisotropy;
    check(cuTexObjectCreate(&textures_.emplace_back(), &r, &how, nullptr), "a texture");
  }
}

// ---- state

char* Bound::master(std::uint32_t contents) {
  if (contents == none) return nullptr;
  std::string bytes = patched(loaded_.planned().data[contents]);
  auto* copy = static_cast<char*>(device::allocate(bytes.size()));
  owned_.push_back(copy);
  device::copy_in(copy, bytes.data(), bytes.size());
  return copy;
}

void Bound::make_masters() {
  const Plan& p = loaded_.planned();
  for (const plan::Workspace& w : p.workspaces) {
    bool on_host = w.memory == Memory::host && w.contents != none;
    host_masters_.push_back(on_host ? patched(p.data[w.contents]) : "");
    workspace_masters_.push_back(on_host ? nullptr : master(w.contents));
  }
  for (const plan::Symbol& s : p.symbols) symbol_masters_.push_back(master(s.contents));
}

void Bound::restore() {
  const Plan& p = loaded_.planned();
  for (std::uint32_t i = 0; i < p.workspaces.size(); ++i) {
    const plan::Workspace& w = p.workspaces[i];
    char* at = loaded_.workspace(i);
    if (workspace_masters_[i]) {
      device::copy(at, workspace_masters_[i], w.bytes);
    } else if (!host_masters_[i].empty()) {
      std::memcpy(at, host_masters_[i].data(), w.bytes);
    } else {
      device::poison(at, w.bytes / 8 * 8, state_poison);
    }
  }
  for (std::uint32_t i = 0; i < p.symbols.size(); ++i)
    device::copy(loaded_.symbol(i), symbol_masters_[i] ? symbol_masters_[i] : loaded_.initial(i),
                 p.symbols[i].bytes);
}

// ---- operations

Bound::Step Bound::step(const Operation& o) {
  Step s;
  s.operation = &o;
  s.stream = loaded_.stream(o.stream);
  switch (o.kind) {
    case Kind::launch:
      s.launch = launch(o);
      break;
    case Kind::graph:
      s.graph = graph(o);
      break;
    case Kind::upload:
      s.payload = patched(loaded_.planned().data[o.data]);
      s.to = address(o.to);
      break;
    case Kind::memset:
      s.to = address(o.to);
      break;
    case Kind::copy:
    case Kind::copy2d:
      s.to = address(o.to);
      s.from = address(o.from);
      break;
    case Kind::download:
      s.from = address(o.from);
      s.payload.resize(o.bytes);
      break;
    default:
      break;
  }
  return s;
}

std::unique_ptr<Bound::Launch> Bound::launch(const Operation& o) const {
  auto l = std::make_unique<Launch>();
  l->function = loaded_.function(o);
  for (const LaunchAttribute& a : o.attributes) {
    CUlaunchAttribute& out = l->attributes.emplace_back();
    out = {};
    out.id = static_cast<CUlaunchAttributeID>(a.id);
    std::memcpy(&out.value, a.value.data(), sizeof a.value);
  }
  CUlaunchConfig& c = l->config;
  c.gridDimX = o.grid[0], c.gridDimY = o.grid[1], c.gridDimZ = o.grid[2];
  c.blockDimX = o.block[0], c.blockDimY = o.block[1], c.blockDimZ = o.block[2];
  c.sharedMemBytes = o.shared;
  c.hStream = loaded_.stream(o.stream);
  c.attrs = l->attributes.data();
  c.numAttrs = static_cast<unsigned>(l->attributes.size());
  for (std::uint32_t piece : o.parameters) {
    std::string bytes = patched(loaded_.planned().data[piece]);
    auto& room = l->storage.emplace_back(bytes.size() + parameter_alignment);
    auto base = reinterpret_cast<std::uint64_t>(room.data());
    char* at =
        room.data() + ((base + parameter_alignment - 1) / parameter_alignment * parameter_alignment - base);
    std::copy(bytes.begin(), bytes.end(), at);
    l->parameters.push_back(at);
  }
  return l;
}

void Bound::play() {
  for (const Step& s : steps_) play(s);
}

void Bound::collect() const {
  for (const Result& r : loaded_.planned().results)
    check(cuMemcpyDtoDAsync(address(r.to), address(r.from), r.bytes, CU_STREAM_LEGACY), "a result");
}

void Bound::play(const Step& s) const {
  const Operation& o = *s.operation;
  switch (o.kind) {
    case Kind::launch:
      return check(
          cuLaunchKernelEx(&s.launch->config, s.launch->function, s.launch->parameters.data(), nullptr),
          o.name);
    case Kind::memset:
      return set_memory(s);
    case Kind::upload:
      return check(o.async ? cuMemcpyHtoDAsync(s.to, s.payload.data(), s.payload.size(), s.stream)
                           : cuMemcpyHtoD(s.to, s.payload.data(), s.payload.size()),
                   "a copy from the host");
    case Kind::copy:
      return check(
          o.async ? cuMemcpyDtoDAsync(s.to, s.from, o.bytes, s.stream) : cuMemcpyDtoD(s.to, s.from, o.bytes),
          "a copy");
    case Kind::copy2d:
      return copy_rows(o, s.to, s.from, s.stream);
    case Kind::download:
      return check(cuMemcpyDtoH(const_cast<char*>(s.payload.data()), s.from, o.bytes), "a copy to the host");
    case Kind::record:
      return check(cuEventRecord(loaded_.event(o.event), s.stream), "an event");
    case Kind::wait:
      return check(cuStreamWaitEvent(s.stream, loaded_.event(o.event), 0), "a wait");
    case Kind::host_wait:
      return host_wait(o);
    case Kind::host_function:
      return check(cuLaunchHostFunc(s.stream, nothing, nullptr), "a host function");
    case Kind::graph:
      return check(cuGraphLaunch(s.graph, s.stream), "a graph");
    case Kind::empty:
      return;
  }
}

void Bound::set_memory(const Step& s) const {
  const Operation& o = *s.operation;
  auto byte = static_cast<unsigned char>(o.value);
  auto half = static_cast<unsigned short>(o.value);
  CUresult result;
  if (o.height > 1) {
    result = o.element == 4   ? cuMemsetD2D32Async(s.to, o.pitch, o.value, o.bytes, o.height, s.stream)
             : o.element == 2 ? cuMemsetD2D16Async(s.to, o.pitch, half, o.bytes, o.height, s.stream)
                              : cuMemsetD2D8Async(s.to, o.pitch, byte, o.bytes, o.height, s.stream);
  } else {
    result = o.element == 4   ? cuMemsetD32Async(s.to, o.value, o.bytes, s.stream)
             : o.element == 2 ? cuMemsetD16Async(s.to, half, o.bytes, s.stream)
                              : cuMemsetD8Async(s.to, byte, o.bytes, s.stream);
  }
  check(result, "a memset");
}

void Bound::copy_rows(const Operation& o, std::uint64_t to, std::uint64_t from, CUstream stream) {
  CUDA_MEMCPY2D c{};
  c.srcMemoryType = c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  c.srcDevice = from;
  c.dstDevice = to;
  c.srcPitch = o.from_pitch;
  c.dstPitch = o.pitch;
  c.WidthInBytes = o.bytes;
  c.Height = o.height;
  check(cuMemcpy2DAsync(&c, stream), "a copy of rows");
}

void Bound::host_wait(const Operation& o) const {
  switch (o.waits_for) {
    case HostWait::device:
      return check(cuCtxSynchronize(), "the kernel failed");
    case HostWait::stream:
      return check(cuStreamSynchronize(loaded_.stream(o.stream)), "the kernel failed");
    case HostWait::event:
      return check(cuEventSynchronize(loaded_.event(o.event)), "the kernel failed");
  }
}

// ---- graphs

CUgraphNode Bound::node(CUgraph graph, const Operation& o) {
  CUgraphNode made = nullptr;
  CUcontext context = nullptr;
  check(cuCtxGetCurrent(&context), "the context");
  if (o.kind == Kind::launch) {
    Launch& l = *node_launches_.emplace_back(launch(o));
    CUDA_KERNEL_NODE_PARAMS p{};
    p.func = l.function;
    p.gridDimX = o.grid[0], p.gridDimY = o.grid[1], p.gridDimZ = o.grid[2];
    p.blockDimX = o.block[0], p.blockDimY = o.block[1], p.blockDimZ = o.block[2];
    p.sharedMemBytes = o.shared;
    p.kernelParams = l.parameters.data();
    check(cuGraphAddKernelNode(&made, graph, nullptr, 0, &p), "a kernel of a graph");
    for (const CUlaunchAttribute& a : l.attributes)
      check(cuGraphKernelNodeSetAttribute(made, a.id, &a.value), "a kernel of a graph");
  } else if (o.kind == Kind::memset) {
    CUDA_MEMSET_NODE_PARAMS p{};
    p.dst = address(o.to);
    p.value = o.value;
    p.elementSize = o.element;
    p.width = o.bytes;
    p.height = o.height;
    p.pitch = o.pitch;
    check(cuGraphAddMemsetNode(&made, graph, nullptr, 0, &p, context), "a memset of a graph");
  } else if (o.kind == Kind::copy || o.kind == Kind::copy2d) {
    CUDA_MEMCPY3D p{};
    p.srcMemoryType = p.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    p.srcDevice = address(o.from);
    p.dstDevice = address(o.to);
    p.srcPitch = o.from_pitch;
    p.dstPitch = o.pitch;
    p.WidthInBytes = o.bytes;
    p.Height = o.height;
    p.Depth = 1;
    check(cuGraphAddMemcpyNode(&made, graph, nullptr, 0, &p, context), "a copy of a graph");
  } else {
    check(cuGraphAddEmptyNode(&made, graph, nullptr, 0), "a node of a graph");
  }
  return made;
}

CUgraphExec Bound::graph(const Operation& o) {
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  check(cuGraphCreate(&graph, 0), "a graph");
  std::vector<CUgraphNode> nodes;
  for (const Operation& n : o.nodes) nodes.push_back(node(graph, n));
  for (const auto& [from, to] : o.edges) {
#if CUDA_VERSION >= 13000
    check(cuGraphAddDependencies(graph, &nodes[from], &nodes[to], nullptr, 1), "an edge of a graph");
#else
    check(cuGraphAddDependencies(graph, &nodes[from], &nodes[to], 1), "an edge of a graph");
#endif
  }
  check(cuGraphInstantiateWithFlags(&executable, graph, 0), "a graph");
  check(cuGraphUpload(executable, loaded_.stream(o.stream)), "a graph");
  cuGraphDestroy(graph);
  return executable;
}

}  // namespace explog::replay
