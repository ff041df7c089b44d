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
#include <thread>

#include "base/error.h"
#include "base/text.h"

namespace explog {
namespace {

[[noreturn]] void fail_reading(const std::string& path, const std::string& why) {
  throw Error(Exit::usage, "cannot read " + printable(path) + ": " + why);
}

gzFile open_gz(const std::string& path) {
  gzFile file = path == "-" ? gzdopen(dup(0), "rb") : gzopen(path.c_str(), "rb");
  if (file == nullptr) fail_reading(path, std::strerror(errno));
  struct stat info {};
  if (path != "-" && stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode)) {
    gzclose(file);
    fail_reading(path, "it is a directory");
  }
  gzbuffer(file, 1 << 17);
  return file;
}

}  // namespace

struct LineReader::State {
  std::string path;
  std::istream* in = nullptr;
  gzFile gz = nullptr;
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
    size_t got = 0;
    if (in != nullptr) {
      in->read(buffer.data() + end, static_cast<std::streamsize>(buffer.size() - end));
      got = static_cast<size_t>(in->gcount());
    } else {
      int n = gzread(gz, buffer.data() + end, static_cast<unsigned>(buffer.size() - end));
      int error = Z_OK;
      const char* message = gzerror(gz, &error);
      if (n < 0 && error == Z_ERRNO && errno == EINTR) n = 0;  // asked to stop: what was read counts
      if (n < 0 || error == Z_BUF_ERROR) {
        fail_reading(path, error == Z_ERRNO ? std::strerror(errno)
                                            : std::string("broken gzip data (") + message + ")");
      }
      got = static_cast<size_t>(n);
    }
    if (got == 0) at_end = true;
    end += got;
  }
};

LineReader::LineReader(const std::string& path, std::istream* in) : state_(std::make_unique<State>()) {
  state_->path = path == "-" ? "standard input" : path;
  if (path == "-" && in != nullptr) {
    state_->in = in;
  } else {
    state_->gz = open_gz(path);
  }
}

LineReader::~LineReader() {
  if (state_ && state_->gz != nullptr) gzclose(state_->gz);
}

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
  if (path == "-" && in != nullptr) {
    while (in->read(chunk.data(), chunk.size()), in->gcount() > 0) take(static_cast<size_t>(in->gcount()));
    return text;
  }
  std::unique_ptr<gzFile_s, int (*)(gzFile)> gz(open_gz(path), gzclose);
  for (;;) {
    int n = gzread(gz.get(), chunk.data(), static_cast<unsigned>(chunk.size()));
    int error = Z_OK;
    const char* message = gzerror(gz.get(), &error);
    if (n < 0 || error == Z_BUF_ERROR) fail_reading(path, message);
    if (n == 0) return text;
    take(static_cast<size_t>(n));
  }
}

std::string read_head(const std::string& path, size_t n) {
  std::unique_ptr<gzFile_s, int (*)(gzFile)> gz(open_gz(path), gzclose);
  std::string head(n, '\0');
  int got = gzread(gz.get(), head.data(), static_cast<unsigned>(n));
  if (got < 0) fail_reading(path, "broken gzip data");
  head.resize(static_cast<size_t>(got));
  return head;
}

void write_file_atomically(const std::string& path, std::string_view content) {
  std::string temp = path + ".tmp-" + std::to_string(getpid());
  auto fail = [&](const char* step) {
    std::string why = std::strerror(errno);
    unlink(temp.c_str());
    throw Error(Exit::store, "cannot write " + printable(path) + " (" + step + "): " + why);
  };
  int fd = open(temp.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) fail("open");
  for (size_t done = 0; done < content.size();) {
    ssize_t n = write(fd, content.data() + done, content.size() - done);
    if (n < 0) {
      close(fd);
      fail("write");
    }
    done += static_cast<size_t>(n);
  }
  if (fsync(fd) != 0 || close(fd) != 0) fail("fsync");
  if (rename(temp.c_str(), path.c_str()) != 0) fail("rename");
}

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> paths;
  if (folder.empty()) return paths;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    std::error_code ignored;
    if (entry.is_regular_file(ignored)) paths.push_back(entry.path().string());
  }
  if (error) throw Error(Exit::usage, "cannot read " + printable(folder) + ": " + error.message());
  std::sort(paths.begin(), paths.end());
  return paths;
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
  if (error) throw Error(Exit::store, "cannot create directory " + printable(path) + ": " + error.message());
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

FileLock::FileLock(const std::string& path, int timeout_ms) {
  fd_ = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd_ < 0)
    throw Error(Exit::store, "cannot open the lock " + printable(path) + ": " + std::strerror(errno));
  auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(timeout_ms);
  auto pause = std::chrono::microseconds(200);
  while (flock(fd_, LOCK_EX | LOCK_NB) != 0) {
    bool busy = errno == EWOULDBLOCK || errno == EINTR;
    if (!busy || std::chrono::steady_clock::now() > deadline) {
      std::string why = busy ? "another explog has been writing for too long" : std::strerror(errno);
      close(fd_);
      throw Error(Exit::store, "cannot lock " + printable(path) + ": " + why,
                  "try again when it has finished");
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(20000));
  }
}

FileLock::~FileLock() { close(fd_); }

}  // namespace explog
