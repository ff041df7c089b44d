"""What @triton.autotune chose, for the record (schema/formats/python.md). In one file with launch.py and contracts.py, which
stand before it, and runner.py behind it.
"""

import gc
import json
import os
import sys


def tuners_of(folder):
    """The tuned kernels of the files in a folder, wherever they are kept: they are made while the files are imported."""
    library = sys.modules.get("triton.runtime.autotuner")
    kind = getattr(library, "Autotuner", None)
    if kind is None:
        return []
    found = [each for each in gc.get_objects() if isinstance(each, kind)]
    return [each for each in found if getattr(function_of(each), "__code__", None) and function_of(each).__code__.co_filename.startswith(folder + os.sep)]


def plain(value):
    return value if isinstance(value, (bool, int, float, str)) else str(value)


def settings_of(config):
    """As its author writes it: {"BLOCK": 128, "num_warps": 8, "num_stages": 3}."""
    made = {name: plain(value) for name, value in config.kwargs.items()}
    for name, usual in (("num_warps", None), ("num_stages", None), ("num_ctas", 1), ("maxnreg", None)):
        value = getattr(config, name, None)
        if value is not None and value != usual:
            made[name] = value
    return made


class Choices:
    """Writes a line of JSON to the file that EXPLOG_CHOSEN names when the first call at a shape is over, which is never timed."""

    def __init__(self, folder):
        self.file = os.environ.get("EXPLOG_CHOSEN", "")
        self.tuners = tuners_of(folder) if self.file else []
        self.first = {}

    def begin(self, number, dims):
        if self.tuners:
            self.first[number] = dims

    def forget(self):
        """What was chosen for other shapes."""
        for tuner in self.tuners:
            tuner.__dict__.pop("best_config", None)

    def note(self, number):
        dims = self.first.pop(number)
        used = [tuner for tuner in self.tuners if "best_config" in tuner.__dict__]
        chosen = {function_of(tuner).__name__: settings_of(tuner.best_config) for tuner in used}
        if chosen:
            with open(self.file, "a", encoding="utf-8") as file:
                file.write(json.dumps({"dims": dims, "chosen": chosen}) + "\n")
