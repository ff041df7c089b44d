// F22: file systems on which SQLite loses data are refused by name.
#include <doctest/doctest.h>

#include <filesystem>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "scratch.h"

using namespace explog;

TEST_CASE("each network file system is known by its magic number") {
  const std::pair<std::uint64_t, std::string_view> network[] = {
      {0x6969, "NFS"},        {0xFE534D42, "SMB2"}, {0xFF534D42, "CIFS"}, {0x517B, "SMB"},
      {0x01021997, "9p"},     {0x65735546, "FUSE"}, {0x5346414F, "AFS"},  {0x00C36400, "Ceph"},
      {0x0BD00BD0, "Lustre"}, {0x47504653, "GPFS"},
  };
  for (const auto& [magic, name] : network) {
    const std::string named(name);
    CAPTURE(named);
    CHECK(network_file_system(magic) == named);
  }
}

TEST_CASE("local file systems are taken") {
  struct {
    std::uint64_t magic;
    const char* name;
  } const local[] = {{0xEF53, "ext4"},       {0x58465342, "xfs"},       {0x9123683E, "btrfs"},
                     {0x01021994, "tmpfs"},  {0x794C7630, "overlayfs"}, {0x2FC12FC1, "zfs"},
                     {0xF2F52010, "f2fs"},   {0x4D44, "vfat"},          {0x5346544E, "ntfs"},
                     {0x6165676C, "pstore"}, {0x858458F6, "ramfs"},     {0, "unknown"}};
  for (const auto& one : local) {
    CAPTURE(one.name);
    CHECK_FALSE(network_file_system(one.magic));
  }
}

TEST_CASE("the file system of a folder is looked up; a folder that is not there is none") {
  Scratch scratch;
  CHECK_FALSE(network_file_system_of(std::filesystem::path(scratch / "x").parent_path()));
  CHECK_FALSE(network_file_system_of(scratch / "missing"));
}
