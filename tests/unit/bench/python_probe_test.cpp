#include "bench/harness/python_probe.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/process.h"
#include "bench/harness/cache.h"
#include "scratch.h"

using namespace explog;
using namespace explog::bench;

namespace {

std::string interpreter(const std::string& path, const std::string& does) {
  write_file(path, "#!/bin/sh\n" + does + "\n");
  chmod(path.c_str(), 0700);
  return path;
}

// As the probe prints it, of an interpreter whose packages lie in `site`.
std::string line(const std::string& site, const std::string& triton) {
  struct stat info {};
  stat(site.c_str(), &info);
  std::string modified = std::to_string(info.st_mtim.tv_sec * 1000000 + info.st_mtim.tv_nsec / 1000);
  return R"(explog-python {"format":2,"site":[{"path":")" + site + R"(","modified":)" + modified +
         R"(}],"python":"3.12.3","managed":false,"torch":"","torch_cuda":"","triton":")" + triton +
         R"(","cutile":"1.7.0","tileiras":"13.4.92","tileiras_path":"/t/tileiras","tileiras_archs":["sm_90"],"cutedsl":"","numpy":"","cupti":"",)"
         R"("cupti_path":"","matmul_heuristics":"","compiler":"","headers":false})";
}

}  // namespace

TEST_CASE("the interpreter of this machine describes itself") {
  auto python = find_program("python3");
  REQUIRE(python);
  PythonProbe p = probe_python(*python);
  CHECK(p.error.empty());
  CHECK(p.python.starts_with("3."));
  CHECK(probe_python(*python).python == p.python);
}

TEST_CASE("what an interpreter said is kept until its packages change") {
  Scratch scratch;
  std::string site = scratch / "site", said = scratch / "said";
  make_directories(site);
  std::string python = interpreter(scratch / "python", "cat " + said);
  write_file(said, "noise of a start-up file\n" + line(site, "3.5.0") + "\n");
  CHECK(probe_python(python).triton == "3.5.0");
  write_file(said, "gone\n");
  CHECK(probe_python(python).triton == "3.5.0");
  write_file(site + "/package", "");
  CHECK(probe_python(python).error.find("does not answer as a Python interpreter: gone") !=
        std::string::npos);
  write_file(said, line(site, "3.6.0") + "\n");
  CHECK(probe_python(python).triton == "3.6.0");
}

TEST_CASE("records say the packages that run a backend's kernels") {
  PythonProbe p;
  p.python = "3.12.3", p.torch = "2.11.0", p.triton = "3.6.0", p.numpy = "2.1.0";
  CHECK(packages_text(p, "triton") == "triton 3.6.0, torch 2.11.0");
  CHECK(packages_text(p, "cutile") == "torch 2.11.0");
  p.cutile = "1.4.0", p.tileiras = "13.3";
  CHECK(packages_text(p, "cutile") == "cuda-tile 1.4.0, tileiras 13.3, torch 2.11.0");
  CHECK(packages_text(p, "python") == "triton 3.6.0, cuda-tile 1.4.0, tileiras 13.3, torch 2.11.0");
  CHECK(packages_text(p, "numpy") == "numpy 2.1.0, python 3.12.3");
}

TEST_CASE("an interpreter that hangs, dies or prints rubbish gives one line") {
  Scratch scratch;
  CHECK(probe_python(interpreter(scratch / "hangs", "exec sleep 60"), 200).error.find("within") !=
        std::string::npos);
  CHECK(probe_python(interpreter(scratch / "dies", "kill -9 $$")).error.find("does not answer as") !=
        std::string::npos);
  CHECK(probe_python(scratch / "missing").error.find("cannot start") != std::string::npos);
  std::string rubbish =
      probe_python(interpreter(scratch / "rubbish", "printf 'a\\033[1m\\nexplog-python {]\\n'")).error;
  CHECK(rubbish.find("broken description") != std::string::npos);
  CHECK(rubbish.find('\n') == std::string::npos);
  CHECK(read_probe("p", R"(explog-python {"format":2})").error.find("broken description") !=
        std::string::npos);
}

TEST_CASE("what is missing comes with the line that installs it") {
  PythonProbe p = read_probe("/opt/my python", line(".", "3.6.0"));
  REQUIRE(p.error.empty());
  CHECK(missing_for(p, "triton", true).empty());
  CHECK(missing_for(p, "cutile", true).empty());
  auto lacks = missing_for(p, "cutedsl", true);
  REQUIRE(lacks.size() == 1);
  CHECK(lacks[0].install == "'/opt/my python' -m pip install 'nvidia-cutlass-dsl[cu13]'");
  CHECK(missing_for(p, "triton").size() == 3);  // torch, a compiler, Python.h
  p.triton = "2.1.0";
  CHECK(missing_for(p, "triton", true).at(0).what == "triton 3 or later, only 2.1.0");
  CHECK(!too_old(p, "cutile"));
  p.tileiras_archs.clear();
  CHECK(missing_for(p, "cutile", true).at(0).what == "tileiras");
  p.managed = true;
  CHECK(missing_for(p, "numpy").at(0).what == "numpy");
  CHECK(missing_for(p, "python").at(0).install.find(" -m venv ") != std::string::npos);
}
