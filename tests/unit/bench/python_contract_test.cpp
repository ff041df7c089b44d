#include "bench/judge/python_contract.h"

#include <doctest/doctest.h>

using namespace explog::bench;
using Kind = PythonContract::Kind;
using Names = std::vector<std::string>;

TEST_CASE("solve is found with its parameters, whatever their types and defaults") {
  PythonContract c = python_contract(
      "import torch\nimport triton, triton.language as tl\n\n@triton.jit\ndef kernel(X, BLOCK: "
      "tl.constexpr):\n"
      "    pass\n\n"
      "def solve(x: torch.Tensor, y: 'torch.Tensor, (really)', sizes=(1, [2, 3]),  # a comma, here\n"
      "          *, N: int = 4, D=None, **more) -> None:\n    kernel[(N,)](x, y)\n");
  CHECK(c.kind == Kind::solve);
  CHECK(c.entry == "solve");
  CHECK(c.backend == "triton");
  CHECK(c.parameters == Names{"x", "y", "sizes", "N", "D", "**more"});
  CHECK(c.imports == Names{"torch", "triton", "triton.language"});
}

TEST_CASE("kernel-opt-skill: setup and run_kernel") {
  std::string kernel =
      "from triton import jit\n@jit\ndef k(x):\n    pass\ndef run_kernel(**kwargs):\n    k[(1,)]()\n";
  PythonContract c = python_contract("def setup(N=4096, seed=42, **kwargs):\n    return {}\n" + kernel);
  CHECK(c.kind == Kind::run_kernel);
  CHECK(c.setup);
  CHECK(c.backend == "triton");
  CHECK(c.parameters == Names{"**kwargs"});
  CHECK_FALSE(python_contract(kernel).setup);
}

TEST_CASE("KernelBench: ModelNew goes before Model, with forward's parameters") {
  std::string model =
      "class Model(nn.Module):\n    def __init__(self, n):\n        super().__init__()\n"
      "    def forward(self, x):\n        return x\n";
  PythonContract c = python_contract("import torch\nimport torch.nn as nn\n" + model);
  CHECK(c.kind == Kind::model);
  CHECK(c.entry == "Model");
  CHECK(c.backend == "python");
  CHECK(c.parameters == Names{"x"});
  c = python_contract("class ModelNew(Model):\n    def forward(self, a, b):\n        return a\n" + model);
  CHECK(c.entry == "ModelNew");
  CHECK(c.parameters == Names{"a", "b"});
  CHECK(python_contract("class ModelNew(Model):\n    pass\n" + model).parameters.empty());
}

TEST_CASE("SOL-ExecBench and FlashInfer-Bench: run") {
  PythonContract c = python_contract("import cuda.tile as ct\ndef run(hidden, weight, out):\n    pass\n");
  CHECK(c.kind == Kind::run);
  CHECK(c.backend == "cutile");
  CHECK(c.parameters == Names{"hidden", "weight", "out"});
}

TEST_CASE("a kernel alone: the last of several, and of CuTe the function for the host") {
  PythonContract c = python_contract(
      "import triton as t\nimport triton.language as tl\n@t.jit\ndef helper(a):\n    return a\n"
      "@t.autotune(\n    configs=[t.Config({'B': 1})],\n    key=['n'],\n)\n@t.jit(do_not_specialize=['n'])\n"
      "def kernel(X, Y, n, B: tl.constexpr):\n    pass\n");
  CHECK(c.kind == Kind::bare_kernel);
  CHECK(c.entry == "kernel");
  CHECK(c.parameters == Names{"X", "Y", "n", "B"});
  c = python_contract(
      "import cutlass\nimport cutlass.cute as cute\n@cute.jit\ndef launch(x: cute.Tensor):\n    pass\n"
      "@cute.kernel\ndef kernel(x: cute.Tensor):\n    pass\n");
  CHECK(c.backend == "cutedsl");
  CHECK(c.entry == "launch");
  c = python_contract("from cuda import tile\n@tile.kernel(occupancy=2)\ndef solve(x):\n    pass\n");
  CHECK(c.kind == Kind::bare_kernel);
  CHECK(c.backend == "cutile");
  CHECK(c.entry == "solve");
}

TEST_CASE("what a file declares goes before what it imports") {
  std::string imports = "import triton\nimport cuda.tile as ct\nfrom cutlass import cute\n";
  CHECK(python_contract(imports + "@ct.kernel\ndef k(x):\n    pass\n").backend == "cutile");
  CHECK(python_contract(imports + "@cute.kernel\ndef k(x):\n    pass\n").backend == "cutedsl");
  CHECK(python_contract("from cuda import tile as ct\n").backend == "cutile");
  CHECK(python_contract(
            "try:\n    from triton.language import (\n        exp,\n        dot as d)\nexcept X: pass\n")
            .backend == "triton");
  CHECK(python_contract("import tritonish\nimport numpy as np\n").backend == "python");
}

TEST_CASE("remarks, texts and what is indented declare nothing") {
  CHECK(python_contract("").kind == Kind::none);
  CHECK(python_contract("# def solve(x):\n\"\"\"\ndef solve(x):\n    pass\nimport triton\n\"\"\"\n").kind ==
        Kind::none);
  CHECK(python_contract("\"\"\"\nimport triton\n\"\"\"\n").backend == "python");
  CHECK(python_contract("class A:\n    def solve(self):\n        pass\n").kind == Kind::none);
  CHECK(python_contract("def solver(x):\n    pass\n").kind == Kind::none);
  CHECK(python_contract("def solve(x, (").parameters.empty());
  CHECK(python_contract("def solve").kind == Kind::solve);
  CHECK(python_contract(std::string("def solve(\0\xff\n", 13)).kind == Kind::solve);
}

TEST_CASE("a description of a launch is a value of the module's own") {
  std::string kernel = "import triton\n@triton.jit\ndef k(x):\n    pass\n";
  for (const char* line : {"launch = {'grid': 'N'}\n", "launch: dict[str, object] = {}\n", "launch={}\n"})
    CHECK(python_contract(kernel + line).launch);
  for (const char* line : {"", "def launch(x):\n    pass\n", "# launch = {}\n", "launch == 1\n",
                           "launcher = {}\n", "def f():\n    launch = {}\n", "launch.x = {}\n"})
    CHECK_FALSE(python_contract(kernel + line).launch);
  CHECK(python_contract(kernel + "launch = {}\n").kind == Kind::bare_kernel);
  CHECK(python_contract(kernel + "launch = {}\ndef solve(x):\n    pass\n").kind == Kind::solve);
}
