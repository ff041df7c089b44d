#include "bench/harness/compiler_controls.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "bench/harness/toolchain.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

struct Folder {
  Scratch scratch;
  Folder() {
    write_file(scratch / "gemm_a.acf", "a");
    write_file(scratch / "gemm_b.acf", "b");
    write_file(scratch / "other.ctl", "c");
    write_file(scratch / "same.acf", "a");
    write_file(scratch / "notes.txt", "d");
  }
  std::string names(const std::string& words) {
    std::string text;
    try {
      for (const ControlFile& file : find_controls(words))
        text += file.path.substr(file.path.rfind('/') + 1) + " ";
    } catch (const Error& e) {
      return replace_all(e.what(), scratch / "", "");
    }
    return text;
  }
};

std::string nvcc(const Scratch& scratch, const std::string& help) {
  std::string path = scratch / "nvcc";
  write_file(path, "#!/bin/sh\necho '" + help + "'\n");
  chmod(path.c_str(), 0700);
  return path;
}

}  // namespace

TEST_CASE("files of controls are found in a folder, by a pattern and by name, each content once") {
  Folder f;
  CHECK(f.names(f.scratch / "") == "gemm_a.acf gemm_b.acf other.ctl ");
  CHECK(f.names(f.scratch / "gemm*.acf") == "gemm_a.acf gemm_b.acf ");
  CHECK(f.names(f.scratch / "*.txt") == "notes.txt ");
  CHECK(f.names(f.scratch / "notes.txt") == "notes.txt ");
  CHECK(f.names(f.scratch / "*.no") == "--controls: no file fits '*.no'");
  CHECK(f.names(f.scratch / "none/*.acf") == "--controls: no file fits 'none/*.acf'");
  for (int i = 0; i < 70; ++i)
    write_file(f.scratch / ("many" + std::to_string(i) + ".acf"), std::to_string(i));
  CHECK(f.names(f.scratch / "many*.acf") == "--controls: 70 files, and a knob has at most 64 values");
}

TEST_CASE("the number of a file is its content's, wherever it lies, and never 0") {
  Folder f;
  auto a = find_controls(f.scratch / "gemm_a.acf"), same = find_controls(f.scratch / "same.acf");
  CHECK(a[0].number == same[0].number);
  CHECK(a[0].number != find_controls(f.scratch / "gemm_b.acf")[0].number);
  CHECK(a[0].number >= 1);
  CHECK(a[0].number <= 16777216);
}

TEST_CASE("a configuration with controls is compiled with its file, the original without") {
  Folder f;
  auto files = find_controls(f.scratch / "gemm*.acf");
  SourceFile source{"k.cu", "", "int x;\n", false, {}};
  Settings with = {{"BLOCK", 128.0}, {controls_knob, files[1].number}}, without = {{controls_knob, 0.0}};
  CHECK(with_controls(source, without, files).flags.empty());
  SourceFile chosen = with_controls(source, with, files);
  Toolchain toolchain;
  toolchain.backend = "cuda";
  toolchain.arch = "sm_90a";
  toolchain.flags = {"-DX"};
  auto command = candidate_command(toolchain, chosen);
  REQUIRE(command.size() > 3);
  CHECK(command[command.size() - 3] == "-DX");
  CHECK(command[command.size() - 2] == "--apply-controls");
  CHECK(command.back() == files[1].path);
}

TEST_CASE("an nvcc without the flag is refused in one line") {
  Scratch scratch;
  CHECK_NOTHROW(require_controls(nvcc(scratch, "--apply-controls <file name>"), "CUDA 13.5.37"));
  std::string said;
  try {
    require_controls(nvcc(scratch, "--maxrregcount"), "CUDA 13.0.88");
  } catch (const Error& e) {
    said = std::string(e.what()) + "; " + e.hint;
    CHECK(e.exit == Exit::unavailable);
  }
  CHECK(said ==
        "--controls: nvcc of CUDA 13.0.88 has no --apply-controls; CUDA 13.3 and later have it; $EXPLOG_NVCC "
        "names another nvcc");
}
