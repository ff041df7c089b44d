# A folder of GPU MODE: task.yml, and reference.py with generate_input() and ref_kernel(). What generate_input() makes is
# one value, in which arrays may lie in lists and dictionaries: a few lines behind the reference put it together again.


def rows_of(text, section):
    """The parameters of tests or benchmarks: lines "- {size: 128, seed: 1}", which may go on on the next ones."""
    rows, inside, open_row = [], False, ""
    for line in text.splitlines():
        if re.match(r"[^\s#-]", line):
            inside = line.startswith(section + ":")
        line = line.strip()
        if not inside or line.startswith("#"):
            continue
        if line.startswith("-"):
            open_row = line[1:].strip()
        elif open_row:
            open_row += " " + line
        if open_row.startswith("{") and "}" in open_row:
            rows.append(row_of(open_row[: open_row.rindex("}") + 1]))
            open_row = ""
    return [row for row in rows if row]


def row_of(text):
    try:
        return ast.literal_eval(re.sub(r"\b(true|false)\b", lambda m: m.group().capitalize(), text))
    except (ValueError, SyntaxError):
        parts = re.split(r"[;,]\s*(?=[\w\"']+\s*:)", text.strip("{} "))
        return {k.strip(" \"'"): plain(v.strip()) for k, v in (p.split(":", 1) for p in parts if ":" in p)}


def plain(text):
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False, "null": None}.get(text, text)


class Shape:
    """What generate_input() made, taken apart: arrays as named arguments, all else as text that makes it again."""

    def __init__(self, names):
        self.names, self.arrays, self.numbers = names, [], []

    def text(self, value, name):
        """Python for a value, whose arrays have got names."""
        if isinstance(value, torch.Tensor):
            place = next((i for i, (_, known) in enumerate(self.arrays) if known is value), None)
            if place is None:
                self.arrays.append((self.free(name), value))
                place = -1
            return self.arrays[place][0]
        if value is None or isinstance(value, (bool, str, float)):
            return repr(value)
        if isinstance(value, int):
            self.numbers.append(value)
            return f"{{{len(self.numbers) - 1}}}"
        if type(value) in (tuple, list):
            inside = [self.text(v, self.name_of(name, i)) for i, v in enumerate(value)]
            return f"({', '.join(inside)}{',' if len(inside) == 1 else ''})" if type(value) is tuple else f"[{', '.join(inside)}]"
        if type(value) is dict:
            return "{{" + ", ".join(f"{k!r}: {self.text(v, f'{k}')}" for k, v in value.items()) + "}}"
        raise Refused(f"{name} is a {type(value).__name__}, and arguments are arrays and numbers")

    def name_of(self, name, i):
        return self.names[i] if name == "data" and i < len(self.names) else f"{name}_{i}" if name != "data" else f"in{i}"

    def free(self, name):
        name = re.sub(r"\W", "_", name)
        name = name if NAME.match(name) else "in_" + name
        while name in [known for known, _ in self.arrays]:
            name += "_"
        return name


def is_room(array, value):
    made = getattr(array, "explog_made", "")
    return made in ("empty", "empty_like") and isinstance(value, torch.Tensor) and (array.shape, array.dtype) == (value.shape, value.dtype)


class GpuMode:
    def __init__(self, folder):
        self.folder = folder
        sys.path[:0] = [folder, os.path.dirname(os.path.abspath(folder))]
        with open(os.path.join(folder, "task.yml"), encoding="utf-8-sig") as file:
            self.yml = file.read()
        self.path = os.path.join(folder, "reference.py")
        with open(self.path, encoding="utf-8-sig") as file:
            self.text = file.read()
        self.first = None

    def load(self):
        if re.search(r"^multi_gpu:\s*true", self.yml, re.M):
            raise Refused("it is for several GPUs")
        spec = importlib.util.spec_from_file_location("reference", self.path)
        self.module = importlib.util.module_from_spec(spec)
        sys.modules["reference"] = self.module
        spec.loader.exec_module(self.module)
        for name in ("generate_input", "ref_kernel"):
            if not callable(getattr(self.module, name, None)):
                raise Refused(f"reference.py has no {name}()")

    def unpacked(self):
        """The names that ref_kernel() gives the parts of its argument, where it says so in one line."""
        for node in ast.walk(ast.parse(self.text)):
            if isinstance(node, ast.FunctionDef) and node.name == "ref_kernel" and node.args.args:
                for inner in ast.walk(node):
                    if isinstance(inner, ast.Assign) and isinstance(inner.targets[0], ast.Tuple) and isinstance(inner.value, ast.Name) \
                            and inner.value.id == node.args.args[0].arg and all(isinstance(n, ast.Name) for n in inner.targets[0].elts):
                        return [n.id if n.id.strip("_") else f"in{i}" for i, n in enumerate(inner.targets[0].elts)]
        return []

    def run(self, row):
        data = self.module.generate_input(**row)
        shape = Shape(self.names)
        call = shape.text(data, "data")
        versions = [value._version for _, value in shape.arrays]
        work = Work()
        with work, torch.no_grad():
            result = self.module.ref_kernel(data)
        outputs, returned = self.taken_apart(result, shape, versions)
        found = observed([described(v, name) for name, v in shape.arrays], outputs, work)
        found.update(call=call, returned=returned, numbers=shape.numbers)
        for i, a in enumerate(found["inputs"]):
            a["written"] = any(o.get("place") == i for o in outputs)
        found["outputs"] = [o for o in outputs if "place" not in o]
        self.first = self.first or found
        if call != self.first["call"]:
            raise Refused("its arguments are others at other sizes")
        return found

    @staticmethod
    def taken_apart(result, shape, versions):
        """Outputs, and Python that takes them from a result, in the order that explog wants: those that are passed first."""
        parts = [("result", result)]
        if isinstance(result, dict):
            parts = [(f"result[{k!r}]", v) for k, v in result.items()]
        elif isinstance(result, (tuple, list)):
            parts = [(f"result[{i}]", v) for i, v in enumerate(result)]
        passed, fresh = {}, []
        for text, value in parts:
            place = next((i for i, (_, known) in enumerate(shape.arrays) if known is value), None)
            if place is not None:
                passed[place] = text
            elif value is not None:
                fresh.append((text, value))
        for text, value in list(fresh):  # an array that was only made has room for a result of its kind
            place = next((i for i, (_, room) in enumerate(shape.arrays) if i not in passed and is_room(room, value)), None)
            if place is not None:
                passed[place] = text
                fresh.remove((text, value))
        if not parts or (not passed and not fresh):  # it writes its outputs and returns nothing
            passed = {i: name for i, (name, v) in enumerate(shape.arrays) if v._version > versions[i]}
        outputs = [{"name": shape.arrays[i][0], "place": i} for i in sorted(passed)]
        outputs += [described(v, f"out{i}" if len(fresh) > 1 else "out") for i, (_, v) in enumerate(fresh)]
        return outputs, [passed[i] for i in sorted(passed)] + [text for text, _ in fresh]

    def answer(self):
        timed, tested = rows_of(self.yml, "benchmarks"), rows_of(self.yml, "tests")
        rows = timed + tested
        if not rows:
            raise Refused("task.yml names no benchmarks and no tests")
        self.names = self.unpacked()
        self.load()
        if DEVICE[0] != "meta":  # with memory: the smallest will do
            rows.sort(key=lambda row: math.prod(v for k, v in row.items() if type(v) is int and v > 0 and k != "seed"))
        base = {k: v for k, v in rows[0].items() if type(v) is int and v > 0 and k != "seed"}
        rest = {k: v for k, v in rows[0].items() if k not in base}
        shapes = [{k: row[k] for k in base} for row in rows if set(base) <= set(row)]
        first = self.run({**rest, **base})
        samples = Samples(lambda p: numbers_of(self.run({**rest, **p})), base, base, shapes[1:] if DEVICE[0] == "meta" else ())
        explained(first, samples)
        fixed = {name: size for name, size in base.items() if name not in samples.names}
        fitting = [{k: row[k] for k in base} for row in timed or tested if set(base) <= set(row) and all(row[k] == v for k, v in fixed.items())]
        return {**self.texts(first, base), "unused": [f"{name}={size}" for name, size in base.items() if name not in first["dims"]],
                "timed": fitting or [base], "rows": len(timed or tested)}

    def texts(self, first, base):
        """The reference and a caller of submissions, as files."""
        call = first["call"].format(*[text.replace("/", "//") for text in first["numbers"]])
        names = list(dict.fromkeys([a["name"] for a in first["inputs"]] + [n for n in names_in(first["numbers"]) if n in base]))
        return {**first, "reference": one_file(self.text, self.folder) + "\n\n" + calling("reference", "ref_kernel", call, first["returned"], names),
                "submission": SUBMISSION + calling("solve", "custom_kernel", call, first["returned"], names)}


SUBMISSION = "# Calls the submission.py that lies beside it: `explog check TASK gpu_mode.py`.\nfrom submission import custom_kernel\n\n\n"
BESIDE = """# Modules that the reference imports, each as its lines: explog runs a reference as one file.
import importlib.abc
import importlib.util
import sys

BESIDE = {
%s}


class Beside(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def find_spec(self, name, path=None, target=None):
        return importlib.util.spec_from_loader(name, self) if name in BESIDE else None

    def get_source(self, name):
        return "\\n".join(BESIDE[name])


sys.meta_path.insert(0, Beside())

"""


def calling(name, function, call, returned, names):
    """A function of arrays by name, around one of the benchmark's."""
    results = ", ".join(returned) + ("," if len(returned) == 1 else "")
    return f"def {name}({', '.join(names)}):  # what explog calls\n    result = {function}({call})\n    return ({results})\n"


def one_file(text, folder):
    """The reference with the modules of its folder, and of the one above, that it loaded."""
    above, lines = os.path.dirname(os.path.abspath(folder)), []
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None) or ""
        if name != "reference" and path.endswith(".py") and os.path.dirname(os.path.abspath(path)) in (os.path.abspath(folder), above):
            with open(path, encoding="utf-8-sig") as file:
                lines.append(f"    {name!r}: [\n" + "".join(f"        {line!r},\n" for line in file.read().split("\n")) + "    ],\n")
    future = re.findall(r"^from __future__ import .*\n", text, re.M)
    return "".join(future) + (BESIDE % "".join(lines) if lines else "") + text
