#include "base/zstd.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <new>

namespace explog {
namespace {

constexpr int level = 3;
constexpr int largest_window = 23;  // 8 MiB: what a stranger's file may make us allocate

}  // namespace

std::string compress(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  size_t n = ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), level);
  if (ZSTD_isError(n) != 0) throw std::bad_alloc();
  packed.resize(n);
  return packed;
}

// In a stream: the size that a frame's head claims is not believed.
std::optional<std::string> decompress(std::string_view packed, size_t limit) {
  std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context(ZSTD_createDCtx(), ZSTD_freeDCtx);
  if (!context) throw std::bad_alloc();
  ZSTD_DCtx_setParameter(context.get(), ZSTD_d_windowLogMax, largest_window);
  std::string text;
  std::string chunk(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  size_t left = 1;
  while (in.pos < in.size) {
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    size_t before = in.pos;
    left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0 || text.size() + out.pos > limit) return std::nullopt;
    text.append(chunk.data(), out.pos);
    if (in.pos == before && out.pos == 0) return std::nullopt;
  }
  for (bool more = left != 0; more;) {  // what the context still holds
    ZSTD_outBuffer out{chunk.data(), chunk.size(), 0};
    left = ZSTD_decompressStream(context.get(), &out, &in);
    if (ZSTD_isError(left) != 0 || text.size() + out.pos > limit) return std::nullopt;
    text.append(chunk.data(), out.pos);
    more = left != 0 && out.pos > 0;
  }
  return left == 0 ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace explog
