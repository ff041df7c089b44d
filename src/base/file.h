// Files: reading (plain, packed or standard input alike), locks, and where things live.
#pragma once
#include <chrono>
#include <cstdint>
#include <istream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace explog {

// Reads lines from a file, from standard input ("-"), or from memory; gzip and zstd are unpacked on the fly,
// UTF-16 becomes UTF-8 (base/input.h).
// Memory stays bounded: a line longer than `max_line` bytes is skipped to its end and reported as too long.
class LineReader {
 public:
  static constexpr size_t max_line = 256 * 1024;

  // `path` "-" reads `in` when it is given (tests), else file descriptor 0. Throws Error(usage) when it
  // cannot be opened.
  explicit LineReader(const std::string& path, std::istream* in = nullptr);
  ~LineReader();
  LineReader(LineReader&&) noexcept;
  LineReader& operator=(LineReader&&) = delete;
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;

  // The next line without its end, valid until the next call; nothing at the end of the input.
  // Throws Error(usage) on a read error or broken packed data.
  std::optional<std::string_view> next();
  bool too_long() const;         // the line just returned was cut at max_line
  std::uint64_t number() const;  // 1-based number of the line just returned

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The whole of a file (or "-") as UTF-8, unpacked; refuses more than `limit` bytes. Throws Error(usage).
std::string read_file(const std::string& path, std::istream* in = nullptr, size_t limit = size_t{256} << 20);
// Bytes in memory, unpacked where they are gzip. Throws Error(usage), naming `what`, when the data are
// broken.
std::string unpacked(std::string_view bytes, const std::string& what);
// Makes or replaces the file. Throws Error(usage).
void write_file(const std::string& path, const std::string& text);
// Whether write_file, or a file in that folder, has a chance: to be asked before what is written is worked out. Nothing
// is made; an empty name is none. Throws Error(usage).
void expect_writable_file(const std::string& path);
void expect_writable_folder(const std::string& path);

// The first `n` bytes of a file as UTF-8, unpacked. Throws Error(usage).
std::string read_head(const std::string& path, size_t n);

// Size of a file whose lines are its bytes; 0 for a packed one, a pipe or "-".
std::uint64_t plain_size(const std::string& path);

// Paths of the regular files directly in a folder, sorted; none for an empty name. Throws Error(usage).
std::vector<std::string> files_in(const std::string& folder);
// Whether this is a folder of this user's, no link, which is made where nothing is: nobody else may hold locks in it for ever.
bool is_own_folder(const std::string& path);

// Value of an environment variable; empty and unset are alike.
std::string env(const char* name);
// $XDG_DATA_HOME/explog, or ~/.local/share/explog; relative values of the variable are ignored.
std::string data_home();
// Creates the directory and its parents, mode 0700. Throws Error(store).
void make_directories(const std::string& path);

// Name of the network or user-space file system with this statfs magic ("NFS", "SMB", ...), or nothing.
std::optional<std::string> network_file_system(std::uint64_t statfs_type);
// The same for the file system that holds `directory`.
std::optional<std::string> network_file_system_of(const std::string& directory);

// Exclusive advisory lock (flock) on a file of its own, held while the object lives.
// The database itself is never opened for this: closing such a descriptor would drop SQLite's own locks.
class FileLock {
 public:
  enum class File { stays, goes };  // what becomes of the lock's file afterwards
  // Waits up to `timeout_ms`; throws Error(store) when the lock is not had by then or the file cannot be
  // made.
  FileLock(std::string path, int timeout_ms, File after = File::stays);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  void open_file();
  void wait(std::chrono::steady_clock::time_point deadline);
  std::string path_;
  File after_;
  int fd_ = -1;
};

}  // namespace explog
