// The bytes of a file, a pipe or a stream as UTF-8 text: gzip and zstd unpacked, UTF-16 converted, without a byte
// order mark. What writes such files: Windows' editors, PowerShell's `>`, tools that pack their logs.
#pragma once
#include <zlib.h>

#include <array>
#include <cstddef>
#include <istream>
#include <memory>
#include <string>

struct ZSTD_DCtx_s;

namespace explog {

class Input {
 public:
  // `path` "-" reads `in` when it is given, else file descriptor 0. Throws Error(usage) when it cannot be opened.
  explicit Input(const std::string& path, std::istream* in = nullptr);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // At most `n` bytes; 0 at the end. Hands over what is there: a slow pipe is not waited for until a buffer is
  // full. Throws Error(usage) on a read error or broken packed data.
  size_t read(char* to, size_t n);

 private:
  enum class Packing { none, gzip, zstd };
  enum class Encoding { utf8, utf16_little, utf16_big };

  size_t take(void* to, size_t n);
  void refill();
  void hold(size_t wanted);
  void begin();
  void find_encoding();
  size_t bytes(char* to, size_t n);
  size_t plain(char* to, size_t n);
  size_t gunzip(char* to, size_t n);
  size_t unzstd(char* to, size_t n);
  size_t converted(char* to, size_t n);
  void convert(std::string_view units);

  std::string path_;
  std::istream* in_ = nullptr;
  int fd_ = -1;
  bool begun_ = false, in_member_ = true, interrupted_ = false;
  Packing packing_ = Packing::none;
  Encoding encoding_ = Encoding::utf8;
  z_stream z_{};  // of all packings: next_in and avail_in are what was read and not used
  std::unique_ptr<ZSTD_DCtx_s, size_t (*)(ZSTD_DCtx_s*)> zstd_;
  std::string head_;  // unpacked bytes that were looked at for the encoding
  std::string half_;  // of a character of UTF-16
  std::string text_;  // converted and not handed over
  size_t text_at_ = 0;
  std::array<unsigned char, 1 << 17> packed_;
};

}  // namespace explog
