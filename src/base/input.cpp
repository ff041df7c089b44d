#include "base/input.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/text.h"

namespace explog {
namespace {

constexpr std::string_view utf8_mark = "\xEF\xBB\xBF", zstd_magic = "\x28\xB5\x2F\xFD";
constexpr int largest_zstd_window = 27;  // 128 MiB: what `zstd -d` allows without being asked

[[noreturn]] void fail_input(const std::string& path, const std::string& why) {
  throw Error(Exit::usage, "cannot read " + path + ": " + why);
}

bool is_ascii(char c) { return (c >= ' ' && c < 127) || c == '\n' || c == '\r' || c == '\t'; }

unsigned unit_of(std::string_view two, bool big) {
  auto first = static_cast<unsigned char>(two[0]), second = static_cast<unsigned char>(two[1]);
  return big ? first * 256U + second : second * 256U + first;
}

bool is_high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool is_low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

void append_utf8(std::string& text, unsigned code) {
  auto tail = [&](int shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | (code >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code >> 18));
    tail(12), tail(6), tail(0);
  }
}

}  // namespace

Input::Input(const std::string& path, std::istream* in)
    : path_(path == "-" ? "standard input" : path),
      in_(path == "-" ? in : nullptr),
      zstd_(nullptr, ZSTD_freeDCtx) {
  if (in_ != nullptr) return;
  fd_ = path == "-" ? dup(0) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd_ < 0) fail_input(path_, std::strerror(errno));
  struct stat info {};
  if (fstat(fd_, &info) == 0 && S_ISDIR(info.st_mode)) {
    close(fd_);
    fail_input(path_, "it is a directory");
  }
}

Input::~Input() {
  if (packing_ == Packing::gzip) inflateEnd(&z_);
  if (fd_ >= 0) close(fd_);
}

size_t Input::read(char* to, size_t n) {
  if (!std::exchange(begun_, true)) begin();
  return encoding_ == Encoding::utf8 ? bytes(to, n) : converted(to, n);
}

// What the system has, as it is.
size_t Input::take(void* to, size_t n) {
  if (in_ != nullptr) {
    in_->read(static_cast<char*>(to), static_cast<std::streamsize>(n));
    return static_cast<size_t>(in_->gcount());
  }
  ssize_t got = ::read(fd_, to, n);
  if (got < 0 && errno != EINTR) fail_input(path_, std::strerror(errno));
  if (got < 0) interrupted_ = true;  // asked to stop: what was read counts
  return got > 0 ? static_cast<size_t>(got) : 0;
}

void Input::refill() {
  z_.next_in = packed_.data();
  z_.avail_in = static_cast<unsigned>(take(packed_.data(), packed_.size()));
}

// Reads until there are `wanted` bytes at the beginning of the buffer, or no more.
void Input::hold(size_t wanted) {
  for (size_t got = 1; z_.avail_in < wanted && got > 0; z_.avail_in += static_cast<unsigned>(got))
    got = take(packed_.data() + z_.avail_in, packed_.size() - z_.avail_in);
}

// No more bytes are waited for than the answer needs: a pipe may be slow.
void Input::begin() {
  hold(2);
  z_.next_in = packed_.data();
  if (z_.avail_in > 0 && packed_[0] == static_cast<unsigned char>(zstd_magic[0])) hold(zstd_magic.size());
  std::string_view head(reinterpret_cast<const char*>(packed_.data()), z_.avail_in);
  if (head.starts_with("\x1F\x8B")) {
    if (inflateInit2(&z_, 15 + 16) != Z_OK) throw std::bad_alloc();
    packing_ = Packing::gzip;
  } else if (head.starts_with(zstd_magic)) {
    zstd_.reset(ZSTD_createDCtx());
    if (!zstd_) throw std::bad_alloc();
    ZSTD_DCtx_setParameter(zstd_.get(), ZSTD_d_windowLogMax, largest_zstd_window);
    packing_ = Packing::zstd;
  }
  find_encoding();
}

void Input::find_encoding() {
  std::string head;
  auto hold_text = [&](size_t wanted) {
    while (head.size() < wanted) {
      char next[4];
      size_t got = bytes(next, wanted - head.size());
      if (got == 0) return;
      head.append(next, got);
    }
  };
  hold_text(2);
  if (head.starts_with(utf8_mark.substr(0, 2))) hold_text(3);
  if (head.find('\0') != std::string::npos) hold_text(4);
  bool four = head.size() == 4;
  if (head.starts_with("\xFF\xFE") ||
      (four && is_ascii(head[0]) && head[1] == 0 && is_ascii(head[2]) && head[3] == 0))
    encoding_ = Encoding::utf16_little;
  if (head.starts_with("\xFE\xFF") ||
      (four && head[0] == 0 && is_ascii(head[1]) && head[2] == 0 && is_ascii(head[3])))
    encoding_ = Encoding::utf16_big;
  bool marked = head.starts_with("\xFF\xFE") || head.starts_with("\xFE\xFF");
  size_t mark = marked ? 2 : head.starts_with(utf8_mark) ? utf8_mark.size() : 0;
  head_ = head.substr(mark);
}

// Unpacked bytes, in whatever encoding.
size_t Input::bytes(char* to, size_t n) {
  if (!head_.empty()) {
    size_t held = std::min(n, head_.size());
    std::memcpy(to, head_.data(), held);
    head_.erase(0, held);
    return held;
  }
  switch (packing_) {
    case Packing::gzip:
      return gunzip(to, n);
    case Packing::zstd:
      return unzstd(to, n);
    default:
      return plain(to, n);
  }
}

size_t Input::plain(char* to, size_t n) {
  if (z_.avail_in == 0) return take(to, n);
  size_t held = std::min<size_t>(n, z_.avail_in);  // what was looked at to see whether it is packed
  std::memcpy(to, z_.next_in, held);
  z_.next_in += held;
  z_.avail_in -= static_cast<unsigned>(held);
  return held;
}

size_t Input::gunzip(char* to, size_t n) {
  z_.next_out = reinterpret_cast<unsigned char*>(to);
  z_.avail_out = static_cast<unsigned>(n);
  while (z_.avail_out == n) {
    if (z_.avail_in == 0) refill();
    if (z_.avail_in == 0 && in_member_ && !interrupted_)
      fail_input(path_, "broken gzip data (unexpected end of file)");
    // Behind a member stands another one, or something that is not read, as with gzip.
    if (z_.avail_in == 0 || (!in_member_ && *z_.next_in != 0x1F)) return 0;
    if (!std::exchange(in_member_, true)) inflateReset(&z_);
    int code = inflate(&z_, Z_NO_FLUSH);
    in_member_ = code != Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
      fail_input(path_, std::string("broken gzip data (") + (z_.msg != nullptr ? z_.msg : "unknown") + ")");
  }
  return n - z_.avail_out;
}

// Frames one behind the other are one text, as for `zstd -d`.
size_t Input::unzstd(char* to, size_t n) {
  ZSTD_outBuffer out{to, n, 0};
  while (out.pos == 0) {
    if (z_.avail_in == 0) refill();
    ZSTD_inBuffer in{z_.next_in, z_.avail_in, 0};
    if (z_.avail_in == 0 && (!in_member_ || interrupted_)) return 0;
    size_t left = ZSTD_decompressStream(zstd_.get(), &out, &in);
    if (ZSTD_isError(left) != 0)
      fail_input(path_, std::string("broken zstd data (") + ZSTD_getErrorName(left) + ")");
    if (z_.avail_in == 0 && out.pos == 0) fail_input(path_, "broken zstd data (unexpected end of file)");
    z_.next_in += in.pos;
    z_.avail_in -= static_cast<unsigned>(in.pos);
    in_member_ = left != 0;
  }
  return out.pos;
}

size_t Input::converted(char* to, size_t n) {
  while (text_at_ == text_.size()) {
    text_.clear();
    text_at_ = 0;
    std::array<char, 1 << 16> chunk;
    size_t got = bytes(chunk.data(), chunk.size());
    if (got == 0 && half_.empty()) return 0;
    if (got == 0) append_utf8(text_, 0xFFFD), half_.clear();  // cut off within a character
    convert({chunk.data(), got});
  }
  size_t held = std::min(n, text_.size() - text_at_);
  std::memcpy(to, text_.data() + text_at_, held);
  text_at_ += held;
  return held;
}

// Half a pair is U+FFFD: a name with one is still the same name in the next file.
void Input::convert(std::string_view units) {
  half_ += units;
  bool big = encoding_ == Encoding::utf16_big;
  size_t at = 0;
  while (at + 2 <= half_.size()) {
    unsigned unit = unit_of(std::string_view(half_).substr(at), big);
    if (is_high(unit) && at + 4 > half_.size()) break;
    unsigned next = is_high(unit) ? unit_of(std::string_view(half_).substr(at + 2), big) : 0;
    bool pair = is_high(unit) && is_low(next);
    append_utf8(text_, pair                            ? 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00)
                       : is_high(unit) || is_low(unit) ? 0xFFFD
                                                       : unit);
    at += pair ? 4 : 2;
  }
  half_.erase(0, at);
}

}  // namespace explog
