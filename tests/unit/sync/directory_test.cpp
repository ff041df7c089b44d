// dir: remotes among strangers: names, links, devices, bombs, half files.
#include "sync/directory.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "base/file.h"
#include "base/zstd.h"
#include "scratch.h"
#include "signed_log.h"
#include "sync/segment_file.h"

namespace fs = std::filesystem;
using namespace explog;

namespace {

const std::string victim(32, '1');  // hex of an origin whose bytes are 0x11

void put(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Read {
  std::vector<Segment> segments;
  std::vector<sync::Problem> problems;
};

Read read_all(const std::string& folder, std::optional<OriginId> distrust = std::nullopt) {
  auto remote = sync::make_directory("dir:" + folder);
  Read read;
  auto welcome = remote->connect({}, "1");
  if (!welcome) return read;
  sync::Heads have;
  for (bool end = false; !end;) {
    auto page = remote->pull(have);
    REQUIRE(page);
    end = page->end;
    for (Segment& s : page->segments) {
      if (distrust && s.origin == *distrust && s.key[0] == 0) continue;
      have[s.origin].seq = std::max(have[s.origin].seq, s.last());
      read.segments.push_back(std::move(s));
    }
    for (sync::Problem& p : page->problems) read.problems.push_back(std::move(p));
  }
  return read;
}

std::string packed(const Segment& s) {
  std::string text;
  sync::append_lines(text, s);
  return compress(text);
}

std::string name_for(const Segment& s, const std::string& bytes) {
  return sync::file_name({s.origin, s.first, s.last(), sync::file_digest(bytes)});
}

}  // namespace

TEST_CASE("what one database writes another reads, and nothing twice") {
  Scratch scratch;
  SignedLog log(0x11);
  Segment first = log.experience("a").experience("b").close(), second = log.experience("c").close();
  auto remote = sync::make_directory("dir:" + (scratch / ""));
  REQUIRE(remote->connect({first.origin, first.key, ""}, ""));
  for (const Segment& s : {first, second}) CHECK(remote->push(s)->answer == sync::Pushed::Answer::stored);
  CHECK(remote->flush());
  Read read = read_all(scratch / "");
  CHECK(read.problems.empty());
  REQUIRE(read.segments.size() == 2);
  CHECK_FALSE(fault_of(read.segments[1]));
  auto again = remote->connect({first.origin, first.key, ""}, "1");
  CHECK(again->heads.at(first.origin).seq == 3);
  SUBCASE("an erased body leaves the folder") {
    CHECK(remote->erase({{first.origin, 2, first.events[1].body_digest()}}));
    Read after = read_all(scratch / "");
    REQUIRE(after.segments.size() == 2);
    CHECK(after.segments[0].events[1].redacted == first.events[1].body_digest());
    CHECK_FALSE(fault_of(after.segments[0]));
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(scratch / "")) files += entry.is_regular_file();
    CHECK(files == 1);
  }
}

TEST_CASE("files that are cut or damaged are named and wait; the rest is read") {
  SignedLog log(0x11), other(0x22);
  Segment good = other.experience("fine").close(), bad = log.experience("a").close();
  std::string bytes = packed(bad);
  for (size_t n = 0; n < bytes.size(); n += 16) {
    CAPTURE(n);
    Scratch scratch;
    fs::path shared = fs::path(scratch / "") / "explog-v1";
    put(shared / victim / name_for(bad, bytes), bytes.substr(0, n));
    put(shared / std::string(32, '2') / name_for(good, packed(good)), packed(good));
    Read read = read_all(scratch / "");
    REQUIRE(read.segments.size() == 1);
    CHECK(read.segments[0].origin == good.origin);
    REQUIRE(read.problems.size() == 1);
    CHECK(read.problems[0].passing);  // it may still be on its way
  }
}

TEST_CASE("a forged file does not hide the true one") {
  Scratch scratch;
  SignedLog log(0x11), forger(0x11);
  Segment true_one = log.experience("true").close();
  Segment forged = forger.experience("lie").experience("another").close();
  KeySeed key{};
  key.fill(0x66);
  sign_segment(forged, key);
  forged.key[0] = 0;  // what the caller distrusts here
  fs::path shared = fs::path(scratch / "") / "explog-v1";
  put(shared / std::string(32, '6') / name_for(forged, packed(forged)), packed(forged));
  put(shared / victim / name_for(true_one, packed(true_one)), packed(true_one));
  Read read = read_all(scratch / "", true_one.origin);
  REQUIRE(read.segments.size() == 1);
  CHECK(read.segments[0].events[0].body == true_one.events[0].body);
}

TEST_CASE("names, links and devices lead nowhere") {
  Scratch scratch;
  SignedLog log(0x11);
  Segment s = log.experience("a").close();
  std::string bytes = packed(s);
  fs::path shared = fs::path(scratch / "") / "explog-v1", outside = fs::path(scratch / "outside");
  put(outside / name_for(s, bytes), bytes);
  fs::create_directories(shared / victim);
  fs::create_directory_symlink(outside, shared / std::string(32, '3'));  // a folder elsewhere
  fs::create_symlink(outside / name_for(s, bytes), shared / victim / name_for(s, bytes));  // a file elsewhere
  put(shared / ".." / "x" / name_for(s, bytes), bytes);
  put(shared / "not_an_origin" / name_for(s, bytes), bytes);
  put(shared / victim / ".tmp-1", bytes);
  mkfifo((shared / victim / sync::file_name({s.origin, 5, 6, "0123456789abcdef"})).c_str(), 0600);
  fs::create_directories(shared / victim / sync::file_name({s.origin, 1, 6, "0123456789abcdef"}));
  Read read = read_all(scratch / "");
  CHECK(read.segments.empty());
  for (const sync::Problem& p : read.problems)
    CHECK(p.reason == "it cannot be read, or is larger than 64 MiB");
}

TEST_CASE("a file that does not hold what its name says is refused") {
  Scratch scratch;
  SignedLog log(0x11), other(0x22);
  Segment s = log.experience("a").close(), t = other.experience("b").close();
  fs::path shared = fs::path(scratch / "") / "explog-v1";
  std::string bytes = packed(t);
  put(shared / victim / sync::file_name({s.origin, 1, 9, sync::file_digest(bytes)}), bytes);
  std::string bomb = compress(std::string(size_t{80} << 20, 'x'));
  put(shared / victim / sync::file_name({t.origin, 1, 99, sync::file_digest(bomb)}), bomb);
  Read read = read_all(scratch / "");
  CHECK(read.segments.empty());
  REQUIRE(read.problems.size() == 2);
  CHECK(read.problems[0].reason == "it does not hold what its name says");
  CHECK(read.problems[1].reason == "it is no whole zstd data of at most 64 MiB");
  CHECK_FALSE(read.problems[1].passing);
}

TEST_CASE("a folder that is not there is a failure to come back from, not an error") {
  Scratch scratch;
  auto remote = sync::make_directory("dir:" + (scratch / "none"));
  auto welcome = remote->connect({}, "");
  CHECK_FALSE(welcome);
  CHECK(welcome.failure().kind == sync::Failure::Kind::refused);
  fs::create_directories(scratch / "none");
  CHECK(remote->connect({}, ""));
  auto emptied = remote->connect({}, "1");
  CHECK(emptied.failure().kind == sync::Failure::Kind::unreachable);
}
