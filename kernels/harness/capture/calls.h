// The driver calls that capture knows: what each does to the plan.
#pragma once
#include <cupti.h>

#include <cstdint>
#include <string>
#include <vector>

#include "watch.h"

namespace explog::capture {

// One side of a driver call.
struct Event {
  Heard& heard;
  const void* words;
  const char* symbol;
  bool per_thread;  // the function whose default stream is the thread's

  template <class P>
  const P& as() const {
    return *static_cast<const P*>(words);
  }
  Recording& recording() const { return heard.recording; }
  std::uint32_t stream(CUstream handle) const { return recording().stream(handle, per_thread); }
};

// What goes into a stream that is captured becomes part of a graph, and is no operation by itself.
bool captured(const Event& e, CUstream handle);
void stream_capture_begins();
// The call has returned: what was loaded during it, if anything, is this module's code.
void module_loaded(const Event& e, CUmodule module);

inline std::uint64_t number_of(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

enum class Side { before, after };  // the call; an operation is read before it can change what it names
enum class When { always, recorded };
struct Row {
  CUpti_CallbackId id;
  Side side;
  When when;
  void (*see)(const Event&);
};

std::vector<Row> launch_rows();
std::vector<Row> memory_rows();
std::vector<Row> copy_rows();
std::vector<Row> order_rows();
std::vector<Row> object_rows();  // graphs, tensor maps, textures, limits

}  // namespace explog::capture

#define CBID(name) CUPTI_DRIVER_TRACE_CBID_##name
// A function and its like whose default stream is the thread's; both take the same arguments.
#define BOTH(name, side, when, see) \
  {CBID(name), side, when, see}, { CBID(name##_ptsz), side, when, see }
#define BOTH_WAITING(name, side, when, see) \
  {CBID(name), side, when, see}, { CBID(name##_ptds), side, when, see }
