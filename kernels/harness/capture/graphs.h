// Executable graphs of the candidate, as they were when they were instantiated or updated.
#pragma once
#include <cuda.h>

#include <map>

#include "recording.h"

namespace explog::capture {

class Graphs {
 public:
  explicit Graphs(Recording& recording) : recording_(recording) {}

  void instantiated(CUgraphExec executable, CUgraph graph);
  void node_changed(CUgraphExec executable, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& words);
  void launched(CUgraphExec executable, std::uint32_t stream);

 private:
  RawNode read_node(CUgraphNode node);
  RawNode kernel_node(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS& words);
  static RawNode memset_node(CUgraphNode node);
  static RawNode copy_node(CUgraphNode node);
  static void read_edges(CUgraph graph, const std::map<CUgraphNode, std::uint32_t>& numbers, RawGraph& to);

  Recording& recording_;
  std::map<CUgraphExec, RawGraph> graphs_;
};

}  // namespace explog::capture
