// What orders streams and the host.
#include "calls.h"

namespace explog::capture {
namespace {

using namespace plan;

void mark(const Event& e, Kind kind, CUevent event, CUstream handle) {
  if (captured(e, handle)) return;
  Operation o;
  o.kind = kind;
  o.stream = e.stream(handle);
  o.event = e.recording().event(event);
  e.recording().add(std::move(o));
}
void recorded(const Event& e) {
  mark(e, Kind::record, e.as<cuEventRecord_params>().hEvent, e.as<cuEventRecord_params>().hStream);
}
void recorded_with_flags(const Event& e) {
  const auto& p = e.as<cuEventRecordWithFlags_params>();
  mark(e, Kind::record, p.hEvent, p.hStream);
}
void waits(const Event& e) {
  mark(e, Kind::wait, e.as<cuStreamWaitEvent_params>().hEvent, e.as<cuStreamWaitEvent_params>().hStream);
}
void host_wait(const Event& e, HostWait what, std::uint32_t stream, std::uint32_t event) {
  Operation o;
  o.kind = Kind::host_wait;
  o.waits_for = what;
  o.stream = stream;
  o.event = event;
  e.recording().add(std::move(o));
}
void waited_device(const Event& e) { host_wait(e, HostWait::device, 0, 0); }
void waited_stream(const Event& e) {
  host_wait(e, HostWait::stream, e.stream(e.as<cuStreamSynchronize_params>().hStream), 0);
}
void asked_stream(const Event& e) {
  CUstream handle = e.as<cuStreamQuery_params>().hStream;
  if (!captured(e, handle)) host_wait(e, HostWait::stream, e.stream(handle), 0);
}
void waited_event(const Event& e) {
  host_wait(e, HostWait::event, 0, e.recording().event(e.as<cuEventSynchronize_params>().hEvent));
}
void asked_event(const Event& e) {
  host_wait(e, HostWait::event, 0, e.recording().event(e.as<cuEventQuery_params>().hEvent));
}
void host_function(const Event& e) {
  CUstream handle = e.as<cuLaunchHostFunc_params>().hStream;
  if (captured(e, handle)) return;
  Operation o;
  o.kind = Kind::host_function;
  o.stream = e.stream(handle);
  e.recording().add(std::move(o));
}

}  // namespace

std::vector<Row> order_rows() {
  return {BOTH(cuEventRecord, Side::before, When::recorded, recorded),
          BOTH(cuEventRecordWithFlags, Side::before, When::recorded, recorded_with_flags),
          BOTH(cuStreamWaitEvent, Side::before, When::recorded, waits),
          {CBID(cuCtxSynchronize), Side::before, When::recorded, waited_device},
          {CBID(cuCtxSynchronize_v2), Side::before, When::recorded, waited_device},
          BOTH(cuStreamSynchronize, Side::before, When::recorded, waited_stream),
          BOTH(cuStreamQuery, Side::after, When::recorded, asked_stream),
          {CBID(cuEventSynchronize), Side::before, When::recorded, waited_event},
          {CBID(cuEventQuery), Side::after, When::recorded, asked_event},
          BOTH(cuLaunchHostFunc, Side::before, When::recorded, host_function)};
}

}  // namespace explog::capture
