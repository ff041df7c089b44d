#include "graphs.h"

#include <algorithm>

namespace explog::capture {

using namespace plan;

namespace {

// A node holds these attributes of its own; those that are off stand for nothing.
std::vector<CUlaunchAttribute> node_attributes(CUgraphNode node) {
  std::vector<CUlaunchAttribute> all;
  for (CUlaunchAttributeID id : {CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, CU_LAUNCH_ATTRIBUTE_COOPERATIVE}) {
    CUlaunchAttribute a{};
    a.id = id;
    if (!node || cuGraphKernelNodeGetAttribute(node, id, &a.value) != CUDA_SUCCESS) continue;
    bool set = id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE ? a.value.cooperative != 0 : a.value.clusterDim.x > 0;
    if (set) all.push_back(a);
  }
  return all;
}

RawNode strange(const std::string& trouble) {
  RawNode n;
  n.operation.kind = Kind::empty;
  n.trouble = trouble;
  return n;
}

RawNode marker(Kind kind) {
  RawNode n;
  n.operation.kind = kind;
  return n;
}

}  // namespace

RawNode Graphs::kernel_node(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& p) {
  LaunchWords words;
  words.function = p.func ? p.func : reinterpret_cast<CUfunction>(p.kern);
  unsigned grid[] = {p.gridDimX, p.gridDimY, p.gridDimZ}, block[] = {p.blockDimX, p.blockDimY, p.blockDimZ};
  std::copy(grid, grid + 3, words.grid);
  std::copy(block, block + 3, words.block);
  words.shared = p.sharedMemBytes;
  words.parameters = p.kernelParams;
  words.extra = p.extra;
  std::vector<CUlaunchAttribute> attributes = node_attributes(node);
  words.attributes = attributes.data();
  words.attribute_count = static_cast<unsigned>(attributes.size());
  RawNode n = recording_.node(words);
  n.handle = node;
  return n;
}

RawNode Graphs::memset_node(CUgraphNode node) {
  CUDA_MEMSET_NODE_PARAMS p{};
  if (cuGraphMemsetNodeGetParams(node, &p) != CUDA_SUCCESS)
    return strange("a graph's memset that cannot be read");
  RawNode n = marker(Kind::memset);
  n.to = p.dst;
  n.operation.value = p.value;
  n.operation.element = p.elementSize;
  n.operation.bytes = p.width;
  n.operation.height = p.height;
  n.operation.pitch = p.pitch;
  return n;
}

RawNode Graphs::copy_node(CUgraphNode node) {
  CUDA_MEMCPY3D p{};
  if (cuGraphMemcpyNodeGetParams(node, &p) != CUDA_SUCCESS)
    return strange("a graph's copy that cannot be read");
  auto on_device = [](CUmemorytype t) { return t == CU_MEMORYTYPE_DEVICE || t == CU_MEMORYTYPE_UNIFIED; };
  if (!on_device(p.srcMemoryType) || !on_device(p.dstMemoryType))
    return strange("a graph's copy from or to the host");
  if (p.Depth > 1 || p.srcLOD != 0 || p.dstLOD != 0 || p.srcZ != 0 || p.dstZ != 0)
    return strange("a graph's copy in three dimensions");
  RawNode n = marker(p.Height > 1 ? Kind::copy2d : Kind::copy);
  n.from = p.srcDevice + p.srcY * p.srcPitch + p.srcXInBytes;
  n.to = p.dstDevice + p.dstY * p.dstPitch + p.dstXInBytes;
  n.operation.bytes = p.WidthInBytes;
  if (p.Height > 1) n.operation.height = p.Height, n.operation.pitch = p.dstPitch;
  if (p.Height > 1) n.operation.from_pitch = p.srcPitch;
  return n;
}

RawNode Graphs::read_node(CUgraphNode node) {
  CUgraphNodeType type = CU_GRAPH_NODE_TYPE_EMPTY;
  if (cuGraphNodeGetType(node, &type) != CUDA_SUCCESS) return strange("a graph's node that cannot be read");
  CUDA_KERNEL_NODE_PARAMS p{};
  switch (type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
      if (cuGraphKernelNodeGetParams(node, &p) != CUDA_SUCCESS)
        return strange("a graph's kernel that cannot be read");
      return kernel_node(node, p);
    case CU_GRAPH_NODE_TYPE_MEMSET:
      return memset_node(node);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return copy_node(node);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return marker(Kind::empty);
    case CU_GRAPH_NODE_TYPE_HOST:
      return marker(Kind::host_function);
    default:
      return strange("a graph's node of type " + std::to_string(static_cast<int>(type)));
  }
}

void Graphs::read_edges(CUgraph graph, const std::map<CUgraphNode, std::uint32_t>& numbers, RawGraph& to) {
  std::size_t count = 0;
#if CUDA_VERSION >= 13000
  cuGraphGetEdges(graph, nullptr, nullptr, nullptr, &count);
  std::vector<CUgraphEdgeData> kinds(count);
#else
  cuGraphGetEdges(graph, nullptr, nullptr, &count);
#endif
  std::vector<CUgraphNode> from(count), into(count);
  if (count == 0) return;
#if CUDA_VERSION >= 13000
  cuGraphGetEdges(graph, from.data(), into.data(), kinds.data(), &count);
  for (const CUgraphEdgeData& kind : kinds) {
    if (kind.type != 0) to.nodes.push_back(strange("a programmatic edge of a graph"));
  }
#else
  cuGraphGetEdges(graph, from.data(), into.data(), &count);
#endif
  for (std::size_t i = 0; i < count; ++i) {
    if (numbers.count(from[i]) && numbers.count(into[i]))
      to.edges.emplace_back(numbers.at(from[i]), numbers.at(into[i]));
  }
}

void Graphs::instantiated(CUgraphExec executable, CUgraph graph) {
  std::size_t count = 0;
  cuGraphGetNodes(graph, nullptr, &count);
  std::vector<CUgraphNode> nodes(count);
  if (count > 0) cuGraphGetNodes(graph, nodes.data(), &count);
  RawGraph raw;
  std::map<CUgraphNode, std::uint32_t> numbers;
  for (CUgraphNode node : nodes) {
    numbers[node] = static_cast<std::uint32_t>(raw.nodes.size());
    raw.nodes.push_back(read_node(node));
    raw.nodes.back().handle = node;
  }
  read_edges(graph, numbers, raw);
  graphs_[executable] = std::move(raw);
}

void Graphs::node_changed(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& words) {
  auto known = graphs_.find(executable);
  if (known == graphs_.end()) return;
  for (RawNode& n : known->second.nodes) {
    if (n.handle == node) n = kernel_node(node, words);
  }
}

void Graphs::launched(CUgraphExec executable, std::uint32_t stream) {
  auto known = graphs_.find(executable);
  if (known == graphs_.end()) return recording_.unknown("a graph that was not seen when it was made");
  recording_.graph(known->second, stream);
}

}  // namespace explog::capture
