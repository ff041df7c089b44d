#include "bench/harness/python.h"

#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "base/process.h"
#include "base/text.h"

namespace explog::bench {
namespace {

// A path or a name on the PATH; a link stays one, because a virtual environment is found from its own.
std::string runnable(const std::string& named, const std::string& where) {
  std::string path = named.find('/') == std::string::npos ? find_program(named).value_or("") : named;
  if (!path.empty() && access(path.c_str(), X_OK) == 0) return std::filesystem::absolute(path).string();
  throw Error(Exit::unavailable, where + " is " + printable(named) + ", which cannot be run",
              "name a Python interpreter, such as /usr/bin/python3");
}

}  // namespace

bool is_python(std::string_view file) { return file.ends_with(".py"); }

bool uses_torch(std::string_view source) {
  return source.find("import torch") != source.npos || source.find("from torch") != source.npos;
}

std::string find_python(const std::string& said) {
  if (!said.empty()) return runnable(said, "--python");
  if (std::string chosen = env("EXPLOG_PYTHON"); !chosen.empty()) return runnable(chosen, "$EXPLOG_PYTHON");
  if (std::string venv = env("VIRTUAL_ENV"); !venv.empty()) {
    std::string path = venv + "/bin/python";
    if (access(path.c_str(), X_OK) == 0) return path;
  }
  if (auto path = find_program("python3")) return *path;
  throw Error(Exit::unavailable, "no python3 on the PATH",
              "install Python 3.9 or later, or name one with --python or $EXPLOG_PYTHON");
}

}  // namespace explog::bench
