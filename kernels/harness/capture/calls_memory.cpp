// Memory that comes and goes.
#include "calls.h"

namespace explog::capture {
namespace {

using namespace plan;

void allocated(const Event& e, std::uint64_t base, std::uint64_t bytes, Memory memory = Memory::device) {
  e.heard.addresses.allocated(base, bytes, memory, e.recording().on() ? e.recording().call() : -1);
}

void allocated_device(const Event& e) {
  allocated(e, *e.as<cuMemAlloc_v2_params>().dptr, e.as<cuMemAlloc_v2_params>().bytesize);
}
void allocated_rows(const Event& e) {
  const auto& p = e.as<cuMemAllocPitch_v2_params>();
  allocated(e, *p.dptr, *p.pPitch * p.Height);
}
void allocated_managed(const Event& e) {
  const auto& p = e.as<cuMemAllocManaged_params>();
  allocated(e, *p.dptr, p.bytesize, Memory::managed);
}
void allocated_host(const Event& e) {
  const auto& p = e.as<cuMemHostAlloc_params>();
  allocated(e, number_of(*p.pp), p.bytesize, Memory::host);
}
void allocated_host_plain(const Event& e) {
  const auto& p = e.as<cuMemAllocHost_v2_params>();
  allocated(e, number_of(*p.pp), p.bytesize, Memory::host);
}
void registered_host(const Event& e) {
  const auto& p = e.as<cuMemHostRegister_v2_params>();
  allocated(e, number_of(p.p), p.bytesize, Memory::host);
}
void allocated_async(const Event& e) {
  const auto& p = e.as<cuMemAllocAsync_params>();
  if (captured(e, p.hStream)) e.recording().unknown("memory that a graph allocates");
  allocated(e, *p.dptr, p.bytesize);
}
void allocated_from_pool(const Event& e) {
  const auto& p = e.as<cuMemAllocFromPoolAsync_params>();
  if (captured(e, p.hStream)) e.recording().unknown("memory that a graph allocates");
  allocated(e, *p.dptr, p.bytesize);
}
void freed_device(const Event& e) { e.heard.addresses.freed(e.as<cuMemFree_v2_params>().dptr); }
void freed_async(const Event& e) { e.heard.addresses.freed(e.as<cuMemFreeAsync_params>().dptr); }
void freed_host(const Event& e) { e.heard.addresses.freed(number_of(e.as<cuMemFreeHost_params>().p)); }
void unregistered_host(const Event& e) {
  e.heard.addresses.freed(number_of(e.as<cuMemHostUnregister_params>().p));
}

}  // namespace

std::vector<Row> memory_rows() {
  return {{CBID(cuMemAlloc_v2), Side::after, When::always, allocated_device},
          {CBID(cuMemAllocPitch_v2), Side::after, When::always, allocated_rows},
          {CBID(cuMemAllocManaged), Side::after, When::always, allocated_managed},
          {CBID(cuMemHostAlloc), Side::after, When::always, allocated_host},
          {CBID(cuMemHostAlloc_v2), Side::after, When::always, allocated_host},
          {CBID(cuMemAllocHost_v2), Side::after, When::always, allocated_host_plain},
          {CBID(cuMemHostRegister_v2), Side::after, When::always, registered_host},
          BOTH(cuMemAllocAsync, Side::after, When::always, allocated_async),
          BOTH(cuMemAllocFromPoolAsync, Side::after, When::always, allocated_from_pool),
          {CBID(cuMemFree_v2), Side::before, When::always, freed_device},
          BOTH(cuMemFreeAsync, Side::before, When::always, freed_async),
          {CBID(cuMemFreeHost), Side::before, When::always, freed_host},
          {CBID(cuMemHostUnregister), Side::before, When::always, unregistered_host}};
}

}  // namespace explog::capture
