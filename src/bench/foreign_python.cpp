#include "bench/foreign_python.h"

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "bench/harness/python.h"

namespace explog::bench {
namespace {

constexpr int patience_ms = 120'000;
constexpr std::string_view mark = "explog-probe:";  // the problem's own code may print

// Sizes become visible by changing one parameter at a time: the axis that follows is that parameter's.
constexpr std::string_view program = R"PY(
import ast, importlib.util, inspect, json, os, re, sys, types
kind, path = sys.argv[1], sys.argv[2]
def out(answer):
    print("explog-probe:" + json.dumps(answer)); sys.exit(0)
try:
    import torch
except Exception as error:
    out({"missing": str(error)})
if int(torch.__version__.split(".")[0]) < 2: out({"missing": torch.__version__})
from torch.overrides import TorchFunctionMode
class Meta(TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = dict(kwargs or {})
        if "device" in kwargs: kwargs["device"] = "meta"
        kwargs.pop("generator", None)
        name = getattr(func, "__name__", "")
        if name in ("cuda", "cpu"): return args[0]
        if name == "to": args = tuple("meta" if isinstance(a, (str, torch.device)) and str(a).split(":")[0] in ("cuda", "cpu") else a for a in args)
        return func(*args, **kwargs)
class Generator(torch.Generator):
    def __new__(cls, *a, **k): return cls.__mro__[1].__new__(cls.__mro__[1], "cpu")
torch.Generator = Generator
def load(file):
    spec = importlib.util.spec_from_file_location("problem", file)
    module = importlib.util.module_from_spec(spec)
    sys.modules["problem"] = module
    spec.loader.exec_module(module)
    return module
def described(value, name):
    if isinstance(value, torch.Tensor):
        return {"name": name, "shape": list(value.shape), "dtype": str(value.dtype)}
    if isinstance(value, (bool, int, float)):
        return {"name": name, "value": value}
    return {"name": name, "kind": type(value).__name__}
def flat(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]
def kernel_bench():
    module = load(path)
    model = module.Model(*module.get_init_inputs())
    weights = sum(1 for _ in model.parameters()) + sum(1 for _ in model.buffers())
    names = [p.name for p in inspect.signature(module.Model.forward).parameters.values()][1:]
    def at(params):
        for k, v in params.items(): setattr(module, k, v)
        inputs = flat(module.get_inputs())
        outputs = flat(module.Model(*module.get_init_inputs())(*inputs))
        named = [described(v, names[i] if i < len(names) else f"in{i}") for i, v in enumerate(inputs)]
        return {"params": params, "inputs": named, "outputs": [described(v, f"out{i}" if len(outputs) > 1 else "out") for i, v in enumerate(outputs)]}
    base = {k: v for k, v in vars(module).items() if type(v) is int and v > 0 and not k.startswith("_")}
    specs, primes = [at(base)], [37, 41, 43, 47, 53, 59, 61, 67, 71, 73]
    kept = dict(base)
    for i, name in enumerate(list(base)):
        try:
            specs.append(at({**base, name: base[name] + primes[i % 10]}))
        except Exception:
            kept.pop(name)
    at(base)
    return {"params": list(kept), "specs": specs, "weights": weights}
def specs_of(text, section):
    rows, inside = [], False
    for line in text.splitlines():
        if re.match(r"\S", line): inside = line.startswith(section + ":")
        elif inside and re.match(r"\s*-\s*\{", line):
            body = line.strip()[1:].strip()
            try: row = ast.literal_eval(body)
            except Exception: row = dict((k.strip(), ast.literal_eval(v.strip())) for k, v in (p.split(":", 1) for p in re.split(r"[;,]\s*(?=\w+\s*:)", body.strip("{} "))))
            rows.append(row)
    return rows
def gpu_mode():
    sys.path[:0] = [path, os.path.dirname(os.path.abspath(path))]
    with open(os.path.join(path, "task.yml"), encoding="utf-8") as file: text = file.read()
    module = load(os.path.join(path, "reference.py"))
    rows = specs_of(text, "benchmarks") + specs_of(text, "tests")
    specs, failed = [], ""
    for row in rows:
        try:
            data = module.generate_input(**row)
            inputs = flat(data)
            result = flat(module.ref_kernel(data))
            reused = [next((i for i, v in enumerate(inputs) if v is r), -1) for r in result]
            specs.append({"params": {k: v for k, v in row.items() if type(v) is int and k != "seed"}, "reused": reused,
                "inputs": [described(v, f"in{i}") for i, v in enumerate(inputs)],
                "outputs": [described(v, f"out{i}" if len(result) > 1 else "out") for i, v in enumerate(result)]})
        except Exception as error:
            failed = f"{type(error).__name__}: {error}"
    if not specs: raise RuntimeError(failed or "task.yml names no benchmarks")
    return {"params": list(specs[0]["params"]), "specs": specs, "weights": 0, "tuple": True}
try:
    with torch.device("meta"), Meta():
        out({"kernel_bench": kernel_bench, "gpu_mode": gpu_mode}[kind]())
except SystemExit:
    raise
except BaseException as error:
    out({"error": f"{type(error).__name__}: {error}"[:500]})
)PY";

}  // namespace

std::string probe_problem(Problem kind, const std::string& path) {
  std::string python = find_python();
  Finished run = run_program(
      {python, "-c", std::string(program), kind == Problem::gpu_mode ? "gpu_mode" : "kernel_bench", path},
      patience_ms);
  size_t at = run.output.rfind(mark);
  if (run.timed_out) throw Error(Exit::usage, printable(path) + ": found no shapes within two minutes");
  if (at == std::string::npos)
    throw Error(Exit::usage, printable(path) + ": " + ellipsis(printable(trim(run.output)), 200));
  std::string answer = run.output.substr(at + mark.size());
  answer.resize(std::min(answer.size(), answer.find('\n')));
  if (answer.starts_with("{\"missing\""))
    throw Error(Exit::unavailable,
                python + " has no PyTorch 2, and this problem's shapes are known to it alone",
                "name an interpreter that has: EXPLOG_PYTHON=/path/to/python");
  return answer;
}

}  // namespace explog::bench
