// Graphs, tensor maps, textures, limits, kernels of libraries.
#include "calls.h"

namespace explog::capture {
namespace {

using namespace plan;

void captures(const Event&) { stream_capture_begins(); }
void instantiated(const Event& e) {
  const auto& p = e.as<cuGraphInstantiateWithFlags_params>();
  e.heard.graphs.instantiated(*p.phGraphExec, p.hGraph);
}
void instantiated_with(const Event& e) {
  const auto& p = e.as<cuGraphInstantiateWithParams_params>();
  e.heard.graphs.instantiated(*p.phGraphExec, p.hGraph);
}
void updated(const Event& e) {
  const auto& p = e.as<cuGraphExecUpdate_v2_params>();
  e.heard.graphs.instantiated(p.hGraphExec, p.hGraph);
}
void node_set(const Event& e) {
  const auto& p = e.as<cuGraphExecKernelNodeSetParams_v2_params>();
  e.heard.graphs.node_changed(p.hGraphExec, p.hNode, *p.nodeParams);
}
void graph_launched(const Event& e) {
  const auto& p = e.as<cuGraphLaunch_params>();
  if (!e.recording().on()) return;
  if (captured(e, p.hStream)) return;
  e.heard.graphs.launched(p.hGraph, e.stream(p.hStream));
}
void encoded(const Event& e) {
  const auto& p = e.as<cuTensorMapEncodeTiled_params>();
  e.recording().tensor_map(p.tensorMap, number_of(p.globalAddress));
}
void replaced(const Event& e) {
  const auto& p = e.as<cuTensorMapReplaceAddress_params>();
  e.recording().tensor_map(p.tensorMap, number_of(p.globalAddress));
}
void textured(const Event& e) {
  const auto& p = e.as<cuTexObjectCreate_params>();
  e.recording().texture(*p.pTexObject, *p.pResDesc, *p.pTexDesc);
}
void limited(const Event& e) {
  const auto& p = e.as<cuCtxSetLimit_params>();
  e.recording().context_limit(static_cast<std::uint32_t>(p.limit), p.value);
}
void found_kernel(const Event& e) {
  e.heard.images.library_kernel(*e.as<cuLibraryGetKernel_params>().pKernel);
}
template <class P>
void loads_module(const Event& e) {
  module_loaded(e, *e.as<P>().module);
}
void has_function(const Event& e) {
  module_loaded(e, e.as<cuModuleGetFunction_params>().hmod);
}  // loaded lazily
void unloads_module(const Event& e) { e.heard.images.unloaded(e.as<cuModuleUnload_params>().hmod); }
void unloads_library(const Event& e) { e.heard.images.unloaded(e.as<cuLibraryUnload_params>().library); }

}  // namespace

std::vector<Row> object_rows() {
  return {
      {CBID(cuModuleLoad), Side::after, When::always, loads_module<cuModuleLoad_params>},
      {CBID(cuModuleLoadData), Side::after, When::always, loads_module<cuModuleLoadData_params>},
      {CBID(cuModuleLoadDataEx), Side::after, When::always, loads_module<cuModuleLoadDataEx_params>},
      {CBID(cuModuleLoadFatBinary), Side::after, When::always, loads_module<cuModuleLoadFatBinary_params>},
      {CBID(cuModuleGetFunction), Side::after, When::always, has_function},
      {CBID(cuModuleUnload), Side::before, When::always, unloads_module},
      {CBID(cuLibraryUnload), Side::before, When::always, unloads_library},
      {CBID(cuTexObjectCreate), Side::after, When::always, textured},
      {CBID(cuTensorMapEncodeTiled), Side::after, When::always, encoded},
      {CBID(cuTensorMapReplaceAddress), Side::after, When::always, replaced},
      {CBID(cuCtxSetLimit), Side::before, When::always, limited},
      {CBID(cuLibraryGetKernel), Side::after, When::always, found_kernel},
      BOTH(cuStreamBeginCapture, Side::before, When::always, captures),
      BOTH(cuStreamBeginCapture_v2, Side::before, When::always, captures),
      BOTH(cuStreamBeginCaptureToGraph, Side::before, When::always, captures),
      {CBID(cuGraphInstantiate), Side::after, When::always, instantiated},
      {CBID(cuGraphInstantiate_v2), Side::after, When::always, instantiated},
      {CBID(cuGraphInstantiateWithFlags), Side::after, When::always, instantiated},
      BOTH(cuGraphInstantiateWithParams, Side::after, When::always, instantiated_with),
      {CBID(cuGraphExecUpdate), Side::after, When::always, updated},
      {CBID(cuGraphExecUpdate_v2), Side::after, When::always, updated},
      {CBID(cuGraphExecKernelNodeSetParams_v2), Side::before, When::always, node_set},
      BOTH(cuGraphLaunch, Side::before, When::recorded, graph_launched)};
}

}  // namespace explog::capture
