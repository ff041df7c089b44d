#include "store/key_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
#include "base/text.h"

namespace explog::store {
namespace {

constexpr std::string_view title = "explog-key 1";

[[noreturn]] void fail(const std::string& path) {
  throw Error(Exit::store, "cannot write the key " + printable(path) + ": " + std::strerror(errno));
}

void write_whole(const std::string& path, const std::string& text) {
  int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) fail(path);
  bool written = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) && fsync(fd) == 0;
  int reason = errno;
  close(fd);
  errno = reason;
  if (!written) fail(path);
}

}  // namespace

std::optional<OwnKey> read_key(const std::string& database) {
  std::string path = database + ".key";
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) return std::nullopt;
  std::array<char, 512> buffer{};
  ssize_t got = read(fd, buffer.data(), buffer.size());
  close(fd);
  if (got <= 0) return std::nullopt;
  auto lines = split(std::string_view(buffer.data(), static_cast<size_t>(got)), '\n');
  if (lines.size() < 5 || lines[0] != title) return std::nullopt;
  auto origin = from_hex(lines[1]), seed = from_hex(lines[2]), hash = from_hex(lines[4]);
  auto seq = parse_number(lines[3]);
  if (!origin || !seed || !hash || !seq || *seq < 0 || *seq > static_cast<double>(max_sequence))
    return std::nullopt;
  auto origin_bytes = array_of<16>(*origin);
  auto seed_bytes = array_of<32>(*seed);
  if (!origin_bytes || !seed_bytes) return std::nullopt;
  return OwnKey{*origin_bytes, *seed_bytes, static_cast<std::int64_t>(*seq), *hash};
}

void write_key(const std::string& database, const OwnKey& key) {
  std::string path = database + ".key", fresh = path + ".new";
  write_whole(fresh, fmt::format("{}\n{}\n{}\n{}\n{}\n", title, hex(key.origin), hex(key.seed), key.seq,
                                 hex(key.hash)));
  if (std::rename(fresh.c_str(), path.c_str()) != 0) fail(path);
}

}  // namespace explog::store
