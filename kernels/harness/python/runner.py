"""A process of explog's harness inside the user's own interpreter.

    python -I -s -u runner.py LIBRARY WORD...

LIBRARY is the runner or the capture, built as a shared object. It does all of the work; this file makes arrays of its
buffers (no copies), loads the candidate and calls it. launch.py, contracts.py and tuned.py stand before it in one file.
"""

import contextlib
import ctypes
import errno
import importlib.util
import json
import os
import sys
import traceback


def compiled(function, torch):
    """The function by torch.compile. Each shape is compiled apart."""
    settings = importlib.import_module("torch._dynamo.config")
    for name in ("cache_size_limit", "accumulated_cache_size_limit"):  # beyond them it would go on eagerly, unsaid
        if hasattr(settings, name):
            setattr(settings, name, 1 << 20)

    return torch.compile(function, dynamic=False)


def free_name(name):
    """Of a module: both arms may have files of one name, and one may be called as a library is."""
    free, number = name, 1
    while free in sys.modules:
        number += 1
        free = f"{name}_{number}"
    return free


def not_allowed(error):
    """What the sandbox's refusal means where a process was to start."""
    if not isinstance(error, PermissionError) or error.errno != errno.EPERM:
        return ""
    called = traceback.extract_tb(error.__traceback__)[-1].line or ""
    return ": a kernel on the processor may start no process" if "fork" in called or "spawn" in called else ""


class Candidate:
    """`tell(to, from, bytes)` hears of arrays that a call returned: their copy to the outputs is not the call's."""

    def __init__(self, folder, task, tell):
        self.task, self.tell = task, tell
        self.file = os.path.join(folder, task["file"])
        self.device = Device(self.task["device"] == "gpu")
        sys.path.insert(0, folder)  # for the modules beside it
        spec = importlib.util.spec_from_file_location(free_name(os.path.basename(self.file)[:-3]), self.file)
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        known = bool(task.get("reference") or task.get("compile"))  # of the task, not of a person who optimises it
        self.bind_arguments, self.is_reference = contract_of(module, self.device, known)
        self.bound, self.way, self.returned = {}, 0, []
        self.choices = Choices(folder)

    def bind(self, number, shape):
        arguments = Arguments(self.task, shape, self.device)
        outputs = {name: arguments.values[name] for name in arguments.outputs}
        ways = self.bind_arguments(arguments)
        if self.task.get("compile"):
            ways = [(compiled(function, self.device.library), given, more) for function, given, more in ways]
        spans = [self.device.span(value) for value in arguments.values.values() if self.device.is_array(value)]
        self.bound[number] = (ways, outputs, spans)
        self.choices.begin(number, arguments.dims)

    def call(self, number):
        """On the arrays that were bound under this number."""
        if number not in self.choices.first:
            return self.call_once(number)
        self.choices.forget()
        self.call_once(number)
        self.choices.note(number)

    def call_once(self, number):
        """By the first way of calling it that works: the last one that did, or another where shapes fit that one by chance."""
        ways, outputs, spans = self.bound[number]
        self.returned = []  # what the call before returned is free for this one
        first = None
        for i in sorted(range(len(ways)), key=lambda i: i != self.way):
            function, given, more = ways[i]
            try:
                self.take(function(*given, **more), outputs, spans)
                self.way = i
                return
            except Exception as error:
                first = first or error
        raise first

    def take(self, result, outputs, spans):
        if result is None:
            return
        if isinstance(result, dict):
            lacking = [name for name in outputs if name not in result]
            if lacking:
                raise Failure(f"it returned no {lacking[0]}")
            result = [result[name] for name in outputs]
        results = list(result) if isinstance(result, (tuple, list)) else [result]
        if self.is_reference:  # may give a number
            results = [value if self.device.is_array(value) else self.device.library.asarray(value) for value in results]
        if len(results) != len(outputs) or not all(map(self.device.is_array, results)):
            raise Failure(f"it returned {len(results)} values; the task has {len(outputs)} outputs")
        for to, value in zip(outputs.values(), results):
            if value is not to:
                self.take_one(to, value.reshape(to.shape) if self.is_reference else value, spans)

    def take_one(self, to, value, spans):
        """An array of its own and without gaps is copied when the call's time has been taken; another, within the call."""
        if not self.is_reference:
            self.device.check(to, value)
        span = self.device.span(value) if value.dtype == to.dtype and getattr(value, "device", None) == getattr(to, "device", None) else None
        own = span and not any(span[0] < at + size and at < span[0] + span[1] for at, size in spans)
        if not own:
            return self.device.copy(to, value)
        self.returned.append(value)
        self.tell(self.device.span(to)[0], *span)


class Host:
    """The functions that the library calls, each with a status: 0, or 1 after it has been told what went wrong."""

    def __init__(self, library):
        self.library, self.candidates, self.file = library, {}, ""
        number, text = ctypes.c_int, ctypes.c_char_p
        self.functions = [
            ctypes.PYFUNCTYPE(number, number, text)(self.guarded(self.load)),
            ctypes.PYFUNCTYPE(number, number, number, text)(self.guarded(self.bind)),
            ctypes.PYFUNCTYPE(number, number, number)(self.guarded(self.call)),
            ctypes.PYFUNCTYPE(number, number)(self.guarded(self.forget)),
        ]
        library.explog_python_returned.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]
        table = (ctypes.c_void_p * 4)(*[ctypes.cast(f, ctypes.c_void_p).value for f in self.functions])
        library.explog_python(table)

    def guarded(self, function):
        def run(*words):
            try:
                function(*words)
                return 0
            except BaseException as error:  # SystemExit too: a candidate does not end this process
                said = " ".join(plain(error).split())
                text = said if isinstance(error, Failure) else f"{type(error).__name__}: {said}{self.place(error)}{not_allowed(error)}"
                self.library.explog_python_failed(text[:2000].encode())
                return 1

        return run

    def place(self, error):
        """The line of the candidate's own file that an exception came through last."""
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == self.file]
        return f", line {lines[-1]}" if lines else ""

    def load(self, module, path):
        folder = path.decode()
        with open(os.path.join(folder, "candidate.json"), encoding="utf-8") as file:
            task = json.load(file)
        self.file = os.path.join(folder, task["file"])
        self.candidates[module] = Candidate(folder, task, self.library.explog_python_returned)

    def bind(self, module, number, shape):
        self.candidates[module].bind(number, json.loads(shape))

    def call(self, module, number):
        self.file = self.candidates[module].file
        self.candidates[module].call(number)

    def forget(self, module):
        self.candidates[module].bound.clear()
        self.candidates[module].returned = []


def import_early():
    """What candidates of this language import takes seconds: now, while nobody waits. A candidate says what is missing."""
    for name in os.environ.get("EXPLOG_IMPORTS", "").split():
        with contextlib.suppress(Exception):
            importlib.import_module(name)


def main():
    library = ctypes.PyDLL(sys.argv[1])
    import_early()
    host = Host(library)
    words = (ctypes.c_char_p * (len(sys.argv) - 1))(*[w.encode() for w in sys.argv[1:]])
    status = library.explog_main(len(sys.argv) - 1, words)
    del host
    os._exit(status)


main()
