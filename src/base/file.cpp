#include "base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>
#include <utility>

#include "base/error.h"
#include "base/input.h"
#include "base/text.h"

namespace explog {
namespace {

[[noreturn]] void cannot_write(const std::string& path, const std::string& why) {
  throw Error(Exit::usage, "cannot write " + path + ": " + why);
}

[[noreturn]] void fail_reading(const std::string& path, const std::string& why,
                               const std::string& hint = "") {
  throw Error(Exit::usage, "cannot read " + path + ": " + why, hint);
}

}  // namespace

struct LineReader::State {
  std::unique_ptr<Input> file;
  std::string buffer = std::string(max_line + (size_t{1} << 18), '\0');
  size_t begin = 0;  // unread bytes are buffer[begin, end)
  size_t end = 0;
  bool at_end = false;
  bool cut = false;
  std::uint64_t number = 0;

  // Reads more bytes behind `end`, moving what is unread to the front first.
  void fill() {
    std::memmove(buffer.data(), buffer.data() + begin, end - begin);
    end -= begin;
    begin = 0;
    size_t got = file->read(buffer.data() + end, buffer.size() - end);
    if (got == 0) at_end = true;
    end += got;
  }
};

LineReader::LineReader(const std::string& path, std::istream* in) : state_(std::make_unique<State>()) {
  state_->file = std::make_unique<Input>(path, in);
}

LineReader::~LineReader() = default;

LineReader::LineReader(LineReader&&) noexcept = default;

std::optional<std::string_view> LineReader::next() {
  State& s = *state_;
  s.cut = false;
  size_t searched = 0;
  for (;;) {
    const char* from = s.buffer.data() + s.begin + searched;
    const char* newline = static_cast<const char*>(std::memchr(from, '\n', s.end - s.begin - searched));
    bool last = newline == nullptr && s.at_end;
    if (last && s.begin == s.end && !s.cut) return std::nullopt;
    if (newline != nullptr || last) {
      size_t length = (newline != nullptr ? newline : s.buffer.data() + s.end) - (s.buffer.data() + s.begin);
      std::string_view line(s.buffer.data() + s.begin, length);
      s.begin += length + (newline != nullptr ? 1 : 0);
      ++s.number;
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      if (line.size() > max_line) s.cut = true;
      return s.cut ? line.substr(0, 0) : line;
    }
    searched = s.end - s.begin;
    if (searched > max_line) {  // too long: forget what was read of it and go on to its end
      s.cut = true;
      s.begin = s.end;
      searched = 0;
    }
    s.fill();
  }
}

bool LineReader::too_long() const { return state_->cut; }
std::uint64_t LineReader::number() const { return state_->number; }

std::string read_file(const std::string& path, std::istream* in, size_t limit) {
  std::string text;
  std::array<char, 1 << 16> chunk{};
  auto take = [&](size_t n) {
    if (text.size() + n > limit) fail_reading(path, "larger than " + std::to_string(limit >> 20) + " MiB");
    text.append(chunk.data(), n);
  };
  auto file = std::make_unique<Input>(path, in);
  while (size_t n = file->read(chunk.data(), chunk.size())) take(n);
  return text;
}

std::string unpacked(std::string_view bytes, const std::string& what) {
  if (bytes.substr(0, 2) != "\x1F\x8B") return std::string(bytes);
  z_stream z{};
  if (inflateInit2(&z, 15 + 16) != Z_OK) throw std::bad_alloc();
  z.next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(bytes.data()));
  z.avail_in = static_cast<unsigned>(bytes.size());
  std::string text;
  std::array<unsigned char, 1 << 16> chunk;
  int code = Z_OK;
  while (code == Z_OK) {
    z.next_out = chunk.data();
    z.avail_out = static_cast<unsigned>(chunk.size());
    code = inflate(&z, Z_NO_FLUSH);
    text.append(reinterpret_cast<char*>(chunk.data()), chunk.size() - z.avail_out);
  }
  inflateEnd(&z);
  if (code != Z_STREAM_END) fail_reading(what, "broken gzip data");
  return text;
}

void write_file(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.flush();
  if (!out) cannot_write(path, std::strerror(errno));
}

void expect_writable_file(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (path.empty()) return;
  if (fs::is_directory(path, ignored)) cannot_write(path, "it is a directory");
  if (fs::exists(path, ignored)) {
    if (access(path.c_str(), W_OK) != 0) cannot_write(path, std::strerror(errno));
    return;
  }
  std::string folder = fs::path(path).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) != 0)
    cannot_write(path, "its folder: " + std::string(std::strerror(errno)));
}

void expect_writable_folder(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (path.empty()) return;
  fs::path nearest = fs::path(path).lexically_normal();
  while (!nearest.empty() && !fs::exists(nearest, ignored) && nearest != nearest.parent_path())
    nearest = nearest.parent_path();
  const std::string there = nearest.empty() ? "." : nearest.string();
  if (!fs::is_directory(there, ignored)) cannot_write(path, there + " is no directory");
  if (access(there.c_str(), W_OK | X_OK) != 0) cannot_write(path, std::strerror(errno));
}

std::string read_head(const std::string& path, size_t n) {
  auto file = std::make_unique<Input>(path);
  std::string head(n, '\0');
  size_t got = 0;
  while (size_t more = got < n ? file->read(head.data() + got, n - got) : 0) got += more;
  head.resize(got);
  return head;
}

std::uint64_t plain_size(const std::string& path) {
  struct stat info {};
  bool plain = path != "-" && !path.ends_with(".gz") && !path.ends_with(".zst") &&
               stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode);
  return plain ? static_cast<std::uint64_t>(info.st_size) : 0;
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  if (folder.empty()) return paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) paths.push_back(entry.path().string());
  }
  if (error) throw Error(Exit::usage, "cannot read " + folder + ": " + error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_own_folder(const std::string& path) {
  struct stat info {};
  mkdir(path.c_str(), 0700);
  return lstat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == getuid();
}

std::string env(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string data_home() {
  std::string base = env("XDG_DATA_HOME");
  if (base.empty() || base[0] != '/') {
    std::string home = env("HOME");
    if (home.empty()) {
      throw Error(Exit::store, "no place for the database: HOME and XDG_DATA_HOME are not set",
                  "name it with --db PATH");
    }
    base = home + "/.local/share";
  }
  return base + "/explog";
}

void make_directories(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return;
  mode_t old = umask(077);
  std::filesystem::create_directories(path, error);
  umask(old);
  if (error)
    throw Error(Exit::store, "cannot create directory " + path + ": " + error.message(),
                "name a place where you may write");
}

std::optional<std::string> network_file_system(std::uint64_t statfs_type) {
  switch (statfs_type) {
    case 0x6969:
      return "NFS";
    case 0xFE534D42:
      return "SMB2";
    case 0xFF534D42:
      return "CIFS";
    case 0x517B:
      return "SMB";
    case 0x01021997:
      return "9p";
    case 0x65735546:
      return "FUSE";
    case 0x5346414F:
      return "AFS";
    case 0x00C36400:
      return "Ceph";
    case 0x0BD00BD0:
      return "Lustre";
    case 0x47504653:
      return "GPFS";
    default:
      return std::nullopt;
  }
}

std::optional<std::string> network_file_system_of(const std::string& directory) {
  struct statfs info {};
  if (statfs(directory.c_str(), &info) != 0) return std::nullopt;
  return network_file_system(static_cast<std::uint32_t>(info.f_type));
}

FileLock::FileLock(std::string path, int timeout_ms, File after) : path_(std::move(path)), after_(after) {
  auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  for (;;) {
    open_file();
    wait(deadline);
    struct stat info {};
    // Without a name: the holder before us removed the file, and whoever comes next locks another one.
    if (fstat(fd_, &info) != 0 || info.st_nlink > 0) return;
    close(fd_);
  }
}

// Removed while it is still locked, so that those who wait for it find it without a name.
FileLock::~FileLock() {
  if (after_ == File::goes) unlink(path_.c_str());
  close(fd_);
}

void FileLock::open_file() {
  fd_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd_ >= 0) return;
  const bool linked = errno == ELOOP;
  throw Error(
      Exit::store,
      "cannot open the lock " + path_ + ": " + (linked ? "it is a symbolic link" : std::strerror(errno)),
      linked ? "remove the link: a lock is an empty file that explog makes itself"
             : "it must be an empty file that you may write: check its permissions and its folder's");
}

void FileLock::wait(std::chrono::steady_clock::time_point deadline) {
  auto pause = std::chrono::microseconds(200);
  while (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    bool busy = errno == EWOULDBLOCK || errno == EINTR;
    if (!busy || std::chrono::steady_clock::now() > deadline) {
      std::string why = busy ? "another explog has been writing for too long" : std::strerror(errno);
      close(fd_);
      throw Error(Exit::store, "cannot lock " + path_ + ": " + why, "try again when it has finished",
                  busy ? Error::busy.data() : nullptr);
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
}

}  // namespace explog
