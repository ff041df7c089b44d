#include <doctest/doctest.h>
#include <zlib.h>

#include <sstream>

#include "base/embedded.h"
#include "base/error.h"
#include "base/file.h"
#include "intake/explog_jsonl.h"
#include "scratch.h"

using namespace explog;

namespace {

std::string good(const std::string& strategy) {
  return R"({"kernel_type":"gemm","strategy":")" + strategy +
         R"(","latency_before_ms":2,"latency_after_ms":1})";
}

void write_gz(const std::string& path, const std::string& head, size_t zeros) {
  gzFile out = gzopen(path.c_str(), "wb9");
  gzwrite(out, head.data(), static_cast<unsigned>(head.size()));
  std::string block(1 << 20, '0');
  for (size_t n = 0; n < zeros; n += block.size())
    gzwrite(out, block.data(), static_cast<unsigned>(block.size()));
  gzclose(out);
}

}  // namespace

TEST_CASE("a line beyond 256 KiB is refused, the lines around it are not") {
  std::istringstream in(good("a") + "\n" + std::string(300 * 1024, 'x') + "\n" + good("b") + "\r\n\n" +
                        good("c"));
  Source source = intake::explog_jsonl("-", &in);
  CHECK(source()->experience->strategy == "a");
  auto refused = source();
  CHECK(refused->fault == "longer than 256 KiB");
  CHECK(refused->where == "stdin:2");
  CHECK(source()->experience->strategy == "b");
  CHECK(source()->experience->strategy == "c");
  CHECK_FALSE(source());
}

TEST_CASE("a gzip bomb is one line too long, read without its memory") {
  Scratch scratch;
  write_gz(scratch / "bomb.gz", good("a") + "\n", size_t{256} << 20);
  Source source = intake::explog_jsonl(scratch / "bomb.gz", nullptr);
  CHECK(source()->experience->strategy == "a");
  CHECK(source()->fault == "longer than 256 KiB");
  CHECK_FALSE(source());
  CHECK(read_head(scratch / "bomb.gz", 100).size() == 100);
  CHECK_THROWS(read_file(scratch / "bomb.gz", nullptr, 1 << 20));
}

TEST_CASE("bytes in memory are unpacked where they are gzip, and broken ones named") {
  std::string text(100000, 'x'), packed(2000, '\0');
  z_stream z{};
  REQUIRE(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  z.next_in = reinterpret_cast<unsigned char*>(text.data());
  z.avail_in = static_cast<unsigned>(text.size());
  z.next_out = reinterpret_cast<unsigned char*>(packed.data());
  z.avail_out = static_cast<unsigned>(packed.size());
  REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - z.avail_out);
  deflateEnd(&z);
  CHECK(unpacked(packed, "p") == text);
  CHECK(unpacked(text, "p") == text);
  CHECK(unpacked("", "p").empty());
  CHECK_THROWS_AS(unpacked(packed.substr(0, packed.size() / 2), "p"), Error);
  CHECK_THROWS_AS(unpacked("\x1F\x8Bno", "p"), Error);
}

TEST_CASE("the shipped evidence unpacks to JSON lines") {
  for (const EmbeddedFile& file : embedded_files()) {
    if (!file.path.starts_with("strategies/evidence/")) continue;
    CAPTURE(file.path);
    std::string text = unpacked(file.text, std::string(file.path));
    CHECK(text.starts_with("{\"kernel_type\""));
    CHECK(text.ends_with("}\n"));
    CHECK(file.text.size() < (1 << 20));
  }
}

TEST_CASE("file systems where SQLite loses data are known by their numbers") {
  CHECK(network_file_system(0x6969) == "NFS");
  CHECK(network_file_system(0xFE534D42) == "SMB2");
  CHECK(network_file_system(0xFF534D42) == "CIFS");
  CHECK(network_file_system(0x01021997) == "9p");
  CHECK(network_file_system(0x65735546) == "FUSE");
  CHECK_FALSE(network_file_system(0xEF53));      // ext4
  CHECK_FALSE(network_file_system(0x9123683E));  // btrfs
  CHECK_FALSE(network_file_system(0x01021994));  // tmpfs
}
