// Copies and memsets.
#include "calls.h"

namespace explog::capture {
namespace {

using namespace plan;

constexpr std::uint64_t largest_upload = 16 << 20;

void upload(const Event& e, std::uint64_t to, const void* from, std::size_t bytes, std::uint32_t stream,
            bool async) {
  if (bytes == 0) return;
  if (bytes > largest_upload)
    return e.recording().unknown("a copy of " + std::to_string(bytes) + " bytes from the host");
  Operation o;
  o.kind = Kind::upload;
  o.stream = stream;
  o.async = async;
  o.to = e.recording().place(to);
  o.data = e.recording().data(from, bytes, false);
  e.recording().add(std::move(o));
}
void copy(const Event& e, std::uint64_t to, std::uint64_t from, std::size_t bytes, std::uint32_t stream,
          bool async) {
  if (bytes == 0) return;
  Operation o;
  o.kind = Kind::copy;
  o.stream = stream;
  o.async = async;
  o.to = e.recording().place(to);
  o.from = e.recording().place(from);
  o.bytes = bytes;
  e.recording().add(std::move(o));
}
void download(const Event& e, std::uint64_t from, std::size_t bytes, std::uint32_t stream, bool async) {
  if (bytes == 0) return;
  Operation o;
  o.kind = Kind::download;
  o.stream = stream;
  o.async = async;
  o.from = e.recording().place(from);
  o.bytes = bytes;
  e.recording().add(std::move(o));
}

bool on_device(std::uint64_t address) {
  unsigned type = 0;
  return cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS &&
         type == CU_MEMORYTYPE_DEVICE;
}
// A copy whose direction is in its addresses.
void copy_anywhere(const Event& e, std::uint64_t to, std::uint64_t from, std::size_t bytes,
                   std::uint32_t stream, bool async) {
  bool into = on_device(to), out_of = on_device(from);
  if (into && out_of) return copy(e, to, from, bytes, stream, async);
  if (into) return upload(e, to, reinterpret_cast<const void*>(from), bytes, stream, async);
  if (out_of) return download(e, from, bytes, stream, async);
  e.recording().unknown("a copy from host to host");
}

template <class P>
void upload_async(const Event& e) {
  const auto& p = e.as<P>();
  if (!captured(e, p.hStream)) upload(e, p.dstDevice, p.srcHost, p.ByteCount, e.stream(p.hStream), true);
}
template <class P>
void copy_async(const Event& e) {
  const auto& p = e.as<P>();
  if (!captured(e, p.hStream)) copy(e, p.dstDevice, p.srcDevice, p.ByteCount, e.stream(p.hStream), true);
}
template <class P>
void download_async(const Event& e) {
  const auto& p = e.as<P>();
  if (!captured(e, p.hStream)) download(e, p.srcDevice, p.ByteCount, e.stream(p.hStream), true);
}
void copied_anywhere_async(const Event& e) {
  const auto& p = e.as<cuMemcpyAsync_params>();
  if (!captured(e, p.hStream)) copy_anywhere(e, p.dst, p.src, p.ByteCount, e.stream(p.hStream), true);
}
void uploaded(const Event& e) {
  const auto& p = e.as<cuMemcpyHtoD_v2_params>();
  upload(e, p.dstDevice, p.srcHost, p.ByteCount, e.stream(nullptr), false);
}
void copied(const Event& e) {
  const auto& p = e.as<cuMemcpyDtoD_v2_params>();
  copy(e, p.dstDevice, p.srcDevice, p.ByteCount, e.stream(nullptr), false);
}
void downloaded(const Event& e) {
  const auto& p = e.as<cuMemcpyDtoH_v2_params>();
  download(e, p.srcDevice, p.ByteCount, e.stream(nullptr), false);
}
void copied_anywhere(const Event& e) {
  const auto& p = e.as<cuMemcpy_params>();
  copy_anywhere(e, p.dst, p.src, p.ByteCount, e.stream(nullptr), false);
}

void copied_rows(const Event& e) {
  const auto& p = e.as<cuMemcpy2DAsync_v2_params>();
  const CUDA_MEMCPY2D& c = *p.pCopy;
  if (captured(e, p.hStream)) return;
  auto device = [](CUmemorytype t) { return t == CU_MEMORYTYPE_DEVICE || t == CU_MEMORYTYPE_UNIFIED; };
  if (!device(c.srcMemoryType) || !device(c.dstMemoryType))
    return e.recording().unknown("a copy of rows from or to the host");
  Operation o;
  o.kind = Kind::copy2d;
  o.stream = e.stream(p.hStream);
  o.to = e.recording().place(c.dstDevice + c.dstY * c.dstPitch + c.dstXInBytes);
  o.from = e.recording().place(c.srcDevice + c.srcY * c.srcPitch + c.srcXInBytes);
  o.pitch = c.dstPitch;
  o.from_pitch = c.srcPitch;
  o.bytes = c.WidthInBytes;
  o.height = c.Height;
  e.recording().add(std::move(o));
}

struct SetWords {
  std::uint64_t to, width;
  std::uint32_t value, element;
};
void set(const Event& e, const SetWords& w, std::uint32_t stream, bool async) {
  if (w.width == 0) return;
  Operation o;
  o.kind = Kind::memset;
  o.stream = stream;
  o.async = async;
  o.to = e.recording().place(w.to);
  o.value = w.value;
  o.element = w.element;
  o.bytes = w.width;
  e.recording().add(std::move(o));
}
void set_8(const Event& e) {
  const auto& p = e.as<cuMemsetD8_v2_params>();
  set(e, {p.dstDevice, p.N, p.uc, 1}, e.stream(nullptr), false);
}
void set_16(const Event& e) {
  const auto& p = e.as<cuMemsetD16_v2_params>();
  set(e, {p.dstDevice, p.N, p.us, 2}, e.stream(nullptr), false);
}
void set_32(const Event& e) {
  const auto& p = e.as<cuMemsetD32_v2_params>();
  set(e, {p.dstDevice, p.N, p.ui, 4}, e.stream(nullptr), false);
}
void set_8_async(const Event& e) {
  const auto& p = e.as<cuMemsetD8Async_params>();
  if (!captured(e, p.hStream)) set(e, {p.dstDevice, p.N, p.uc, 1}, e.stream(p.hStream), true);
}
void set_16_async(const Event& e) {
  const auto& p = e.as<cuMemsetD16Async_params>();
  if (!captured(e, p.hStream)) set(e, {p.dstDevice, p.N, p.us, 2}, e.stream(p.hStream), true);
}
void set_32_async(const Event& e) {
  const auto& p = e.as<cuMemsetD32Async_params>();
  if (!captured(e, p.hStream)) set(e, {p.dstDevice, p.N, p.ui, 4}, e.stream(p.hStream), true);
}
void set_rows(const Event& e) {
  const auto& p = e.as<cuMemsetD2D8Async_params>();
  if (captured(e, p.hStream) || p.Width == 0 || p.Height == 0) return;
  Operation o;
  o.kind = Kind::memset;
  o.stream = e.stream(p.hStream);
  o.to = e.recording().place(p.dstDevice);
  o.value = p.uc;
  o.bytes = p.Width;
  o.height = p.Height;
  o.pitch = p.dstPitch;
  e.recording().add(std::move(o));
}

}  // namespace

std::vector<Row> copy_rows() {
  return {
      BOTH(cuMemcpyHtoDAsync_v2, Side::before, When::recorded, upload_async<cuMemcpyHtoDAsync_v2_params>),
      BOTH(cuMemcpyDtoDAsync_v2, Side::before, When::recorded, copy_async<cuMemcpyDtoDAsync_v2_params>),
      BOTH(cuMemcpyDtoHAsync_v2, Side::before, When::recorded, download_async<cuMemcpyDtoHAsync_v2_params>),
      BOTH(cuMemcpyAsync, Side::before, When::recorded, copied_anywhere_async),
      BOTH(cuMemcpy2DAsync_v2, Side::before, When::recorded, copied_rows),
      BOTH_WAITING(cuMemcpyHtoD_v2, Side::before, When::recorded, uploaded),
      BOTH_WAITING(cuMemcpyDtoD_v2, Side::before, When::recorded, copied),
      BOTH_WAITING(cuMemcpyDtoH_v2, Side::before, When::recorded, downloaded),
      BOTH_WAITING(cuMemcpy, Side::before, When::recorded, copied_anywhere),
      BOTH_WAITING(cuMemsetD8_v2, Side::before, When::recorded, set_8),
      BOTH_WAITING(cuMemsetD16_v2, Side::before, When::recorded, set_16),
      BOTH_WAITING(cuMemsetD32_v2, Side::before, When::recorded, set_32),
      BOTH(cuMemsetD8Async, Side::before, When::recorded, set_8_async),
      BOTH(cuMemsetD16Async, Side::before, When::recorded, set_16_async),
      BOTH(cuMemsetD32Async, Side::before, When::recorded, set_32_async),
      BOTH(cuMemsetD2D8Async, Side::before, When::recorded, set_rows)};
}

}  // namespace explog::capture
