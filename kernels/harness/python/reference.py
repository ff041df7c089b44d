# Computes what is expected of a task whose reference is written in Python, in a process of its own that never loads
# candidate code: the Python side of kernels/harness/reference/reference_main.cpp (schema/formats/runner.md).
#   TOKEN load INTERMEDIATE                                  imports the reference
#   TOKEN case ROWS INPUT_OFFSET OUTPUT_OFFSET NAME=VALUE... NAME,ROLE,TYPE,COUNT,SHAPE...
import ast
import ctypes
import inspect
import json
import mmap
import os
import signal
import sys
import traceback

COMMANDS, ANSWERS, INPUTS, OUTPUTS = 3, 4, 5, 6
ALIGNMENT = 256
BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "f16": 2, "bf16": 2, "u8": 1}
UNWRITTEN = -0x6B0F5A1D3C2E7B49  # what integer outputs hold before the reference writes them


def result_bytes(count):
    """Of an output: values and magnitudes of 8 bytes each, then roundings of 4."""
    return 16 * count + -(-4 * count // 8) * 8


class Wrong(Exception):
    """What ends a command: a word and one line for a person."""

    def __init__(self, detail, reason="reference"):
        super().__init__(detail)
        self.reason = reason


class Array:
    """An argument as the command names it."""

    def __init__(self, word):
        self.name, self.role, self.type, count, shape = word.split(",")
        self.count = int(count)
        self.shape = tuple(int(n) for n in shape.split("x"))
        self.is_float = self.type[0] in "fb"
        self.is_input = self.role in ("in", "inout")
        self.is_output = self.role in ("out", "inout")


def imported(text, name):
    """The modules that a source imports anywhere in it."""
    try:
        tree = ast.parse(text, name)
    except SyntaxError as error:
        raise Wrong(f"{name}:{error.lineno}: {error.msg}") from None
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.split(".")[0])
    return names


def one_line(error, name):
    """An exception in a line, with the place in the reference where it came from."""
    text = " ".join(str(error).split())[:300] or "no message"
    lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == name]
    return f"{name}{':%d' % lines[-1] if lines else ''}: {type(error).__name__}: {text}"


class Reference:
    """The user's module, called with arrays of an engine (magnitude_numpy.py or magnitude_torch.py)."""

    layouts = ("shaped", "flat outputs", "flat")  # how arrays are handed over

    def __init__(self, program, intermediate):
        self.name, self.real = program["name"], program["real"]
        uses_torch = "torch" in imported(program["reference"], self.name)
        self.engine = self.make_engine(program, "torch" if uses_torch else "numpy", intermediate in ("tf32", "f16", "bf16"))
        self.module = {"__name__": "explog_reference", "__file__": self.name}
        with self.engine.mode():
            self.guarded(lambda: exec(compile(program["reference"], self.name, "exec"), self.module))
        self.function, self.by_position = self.find_function()
        self.layout = self.layouts[0]

    def make_engine(self, program, kind, narrow):
        scope = {"__name__": "explog_magnitude"}
        names = sorted(n for n in program["files"] if n.startswith("magnitude_" + kind))
        try:
            for name in names:
                exec(compile(program["files"][name], f"<{name}>", "exec"), scope)
        except ImportError as error:
            raise self.missing(error, kind) from None
        return scope["Engine"](program["real"], program["reversed"], narrow)

    def missing(self, error, needed=""):
        name = needed or getattr(error, "name", None) or str(error)
        if getattr(error, "name", None) not in (None, name.split(".")[0], name):
            return Wrong(f"{self.name} needs {name}, which {sys.executable} cannot import: {one_line(error, self.name)}", "import")
        return Wrong(f"{self.name} needs {name}, which {sys.executable} does not have", "import")

    def guarded(self, call):
        try:
            return call()
        except Wrong:
            raise
        except ImportError as error:
            raise self.missing(error) from None
        except MemoryError:
            raise Wrong(f"{self.name}: out of memory", "out_of_memory") from None
        except (Exception, SystemExit) as error:
            raise Wrong(one_line(error, self.name)) from error

    def find_function(self):
        if callable(self.module.get("reference")):
            return self.module["reference"], False
        if inspect.isclass(self.module.get("Model")):
            with self.engine.mode():
                model = self.guarded(lambda: self.module["Model"](*self.module.get("get_init_inputs", list)()))
            return model, True
        raise Wrong(f"{self.name} defines neither reference(...) nor a class Model")

    def keywords(self, values, outputs):
        """(positional, named) arguments of a call, by the names of the function's parameters."""
        target = self.function.forward if self.by_position else self.function
        parameters = inspect.signature(target).parameters.values()
        if any(p.kind == p.VAR_KEYWORD for p in parameters):
            return [], values
        wanted = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
        unknown = [p.name for p in wanted if p.name not in values and p.default is p.empty]
        if not unknown:
            return [], {p.name: values[p.name] for p in wanted if p.name in values}
        inputs = [v for name, v in values.items() if name not in outputs and not isinstance(v, (int, float))]
        if self.by_position and len(inputs) >= len([p for p in wanted if p.default is p.empty]):
            return inputs[: len(wanted)], {}
        raise Wrong(f"{self.name}: {getattr(target, '__name__', 'forward')}() asks for {unknown[0]}, which the task does not have")

    def call(self, arrays, scalars, read):
        """The outputs, by name. Flat buffers are tried where the reference does not take the task's shapes."""
        order = sorted(self.layouts, key=lambda layout: layout != self.layout)
        first = None
        for layout in order:
            try:
                outputs = self.guarded(lambda: self.call_with(layout, arrays, scalars, read))
                self.layout = layout
                return outputs
            except Wrong as wrong:
                first = first or wrong
                if wrong.reason != "reference":
                    break
        raise first

    def call_with(self, layout, arrays, scalars, read):
        values, outputs = dict(scalars), {}
        for a in arrays:
            flat = layout == "flat" or (layout == "flat outputs" and a.is_output)
            shape = (a.count,) if flat else a.shape
            values[a.name] = self.engine.widened(read(a), a.type, shape) if a.is_input else self.engine.blank(shape, a.is_float, UNWRITTEN)
            if a.is_output:
                outputs[a.name] = values[a.name]
        with self.engine.mode():
            if self.by_position:
                self.engine.set_parameters(self.function, values, Wrong)
            positional, named = self.keywords(values, outputs)
            returned = self.function(*positional, **named)
            return self.collected([a for a in arrays if a.is_output], outputs, returned)

    def collected(self, wanted, outputs, returned):
        if returned is not None:
            if isinstance(returned, dict):
                lacking = [a.name for a in wanted if a.name not in returned]
                if lacking:
                    raise Wrong(f"{self.name} returns no {lacking[0]}")
                returned = [returned[a.name] for a in wanted]
            elif not isinstance(returned, (tuple, list)):
                returned = [returned]
            if len(returned) != len(wanted):
                raise Wrong(f"{self.name} returns {len(returned)} values, the task has {len(wanted)} outputs")
            outputs = {a.name: value for a, value in zip(wanted, returned)}
        return {a.name: self.fitting(a, self.engine.adopted(outputs[a.name])) for a in wanted}

    def fitting(self, a, value):
        shape, plain = tuple(value.shape), lambda dims: [n for n in dims if n != 1]
        if plain(shape) not in (plain(a.shape), plain([a.count])):
            raise Wrong(f"{self.name} returns {a.name} with shape {list(shape)}, the task says {list(a.shape)}")
        return value


def read_from(memory, offset):
    """A function that gives the bytes of each input in turn, as often as it is asked."""
    places, at = {}, offset

    def place(arrays):
        nonlocal at
        for a in arrays:
            if a.is_input:
                places[a.name] = at
                at += -(-a.count * BYTES[a.type] // ALIGNMENT) * ALIGNMENT

    return place, lambda a: (memory, places[a.name], a.count)


def run_case(reference, words):
    input_offset, output_offset = int(words[1]), int(words[2])
    scalars, arrays = {}, []
    for word in words[3:]:
        name, equals, number = word.partition("=")
        if equals:
            scalars[name] = int(number) if number.lstrip("-").isdigit() else float(number)
        else:
            arrays.append(Array(word))
    inputs = mmap.mmap(INPUTS, 0, prot=mmap.PROT_READ, flags=mmap.MAP_SHARED)
    place, read = read_from(inputs, input_offset)
    place(arrays)
    outputs = reference.call(arrays, scalars, read)
    results = mmap.mmap(OUTPUTS, 0)
    finite = all(reference.engine.all_finite(read(a), a.type) for a in arrays if a.is_input and a.is_float)
    for a in arrays:
        if a.is_output:
            trouble = reference.engine.write(outputs[a.name], a, results, output_offset, UNWRITTEN, finite)
            if trouble:
                raise Wrong(f"{reference.name} {trouble}")
            output_offset += result_bytes(a.count)


def lines():
    line = b""
    while True:
        byte = os.read(COMMANDS, 1)
        if not byte:
            return
        if byte == b"\n":
            yield line.decode()
            line = b""
        else:
            line += byte


def main(program):
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG: not without the supervisor
    reference = None
    for line in lines():
        token, command, *words = line.split(" ")
        answer = {"token": token, "ok": True}
        try:
            if command == "load":
                reference = Reference(program, words[0])
            elif command == "case" and reference:
                run_case(reference, words)
            else:
                raise Wrong("unknown command " + command, "protocol")
            answer.update(reference.engine.facts)
        except Wrong as wrong:
            answer.update(ok=False, reason=wrong.reason, detail=str(wrong))
        except MemoryError:
            answer.update(ok=False, reason="out_of_memory", detail="out of memory")
        except Exception as error:
            answer.update(ok=False, reason="reference", detail=one_line(error, program["name"]))
        os.write(ANSWERS, (json.dumps(answer) + "\n").encode())


if __name__ == "__main__":
    main(PROGRAM)  # set by the boot line, which reads it from a file
