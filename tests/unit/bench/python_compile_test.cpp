#include "bench/harness/python_compile.h"

#include <doctest/doctest.h>

#include "base/process.h"
#include "bench/find_task.h"

using namespace explog;
using namespace explog::bench;

namespace {

// Whatever Python is here; backend "python" compiles nothing and calls what the file offers.
PythonCompiled compile(const std::string& text, int limit_ms = 20000) {
  static const Task task = find_task("softmax", "").task;
  PythonJob job;
  job.interpreter = find_program("python3").value_or("/usr/bin/python3");
  job.source = {"mine.py", "", text};
  job.contract = python_contract(text);
  job.backend = "python";
  job.arch = "sm_90";
  job.cases.push_back(make_case(task, {{"N", 3}, {"D", 5}}, "normal"));
  job.import_ms = job.case_ms = limit_ms;
  return compile_python(job);
}

}  // namespace

TEST_CASE("solve is called with tensors of the task's shapes, in its order or by name") {
  std::string body =
      ":\n    assert x.shape == (3, 5) and y.stride() == (5, 1) and (N, D) == (3, 5), (x.shape, N, D)\n"
      "    assert str(x.dtype) == 'torch.float32' and x.numel() == 15 and x.is_contiguous()\n";
  CHECK(compile("def solve(x, y, N, D)" + body).error == "");
  CHECK(compile("def solve(D, N, y, x)" + body).error == "");
  CHECK(compile("def solve(x, y, N, rows)" + body).error.find("mine.py:2: NameError: name 'D'") == 0);
}

TEST_CASE("a file that cannot be compiled gives one line with its place") {
  std::string solve = "def solve(x, y, N, D):\n    pass\n";
  CHECK(compile("import no_such_module\n" + solve).error ==
        "mine.py:1: imports no_such_module, which is not installed for this interpreter");
  CHECK(compile("\nraise ValueError('first\\nsecond')\n" + solve).error == "mine.py:2: ValueError: first");
  CHECK(compile("def solve(x, y, N, D)\n    pass\n").error.find("mine.py:1: SyntaxError: ") == 0);
  CHECK(compile("1 / 0\n" + solve).printed == "");  // no stack trace
  CHECK(compile("import sys\nsys.exit(3)\n" + solve).error == "mine.py:2: SystemExit: 3");
  CHECK(compile("def solve(x, y, alpha):\n    pass\n")
            .error.find("mine.py: solve(x, y, alpha) does not fit the task") == 0);
}

TEST_CASE("an interpreter that is killed, ends or hangs gives one line") {
  std::string solve = "def solve(x, y, N, D):\n    pass\n";
  CHECK(compile("import os\nos.kill(os.getpid(), 9)\n" + solve).error ==
        "mine.py: the interpreter was killed by signal 9 while it was imported");
  CHECK(compile("import os\nprint('bye', flush=True)\nos._exit(7)\n" + solve).error ==
        "mine.py: the interpreter ended with status 7 while it was imported: bye");
  CHECK(compile("def solve(x, y, N, D):\n    import os\n    os.abort()\n")
            .error.find("mine.py: the interpreter was killed by signal 6 while its kernels were compiled") ==
        0);
  CHECK(compile("import time\ntime.sleep(60)\n" + solve, 1500).error ==
        "mine.py: importing it took more than 1 s");
  CHECK(compile("import os\nos.write(4, b'rubbish\\n')\n" + solve).error.find("mine.py: broken reply") == 0);
}
