# A folder of kernel-opt-skill: setup(**dims) in ref.py or in the first kernel, which makes the arguments of a kernel, and
# reference(**arguments) in ref.py, which writes into those that are outputs. Words behind the path: sizes other than setup()'s own, NAME=NUMBER.


class Skill:
    def __init__(self, folder):
        self.folder, self.path = folder, os.path.join(folder, "ref.py")
        with open(self.path, encoding="utf-8-sig") as file:
            self.text = file.read()
        self.said = {name: int(size) for name, size in (word.split("=", 1) for word in sys.argv[3:])}

    def module_of(self, name, path):
        spec = importlib.util.spec_from_file_location(name, path)
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def load(self):
        self.module = self.module_of("ref", self.path)
        if not callable(getattr(self.module, "reference", None)):
            raise Refused("ref.py has no reference()")
        self.setup = getattr(self.module, "setup", None) or self.setup_of_kernel()

    def setup_of_kernel(self):
        for place in (os.path.join(self.folder, "v0"), self.folder):
            for path in sorted(glob.glob(os.path.join(glob.escape(place), "**", "*.py"), recursive=True)):
                with open(path, encoding="utf-8-sig") as file:
                    if os.path.basename(path) != "ref.py" and "def setup(" in file.read():
                        return self.module_of("kernel_with_setup", path).setup
        raise Refused("neither ref.py nor a kernel beside it has setup()")

    def sizes(self):
        """What setup() takes: whole numbers, by their defaults."""
        parameters = inspect.signature(self.setup).parameters.values()
        defaults = {p.name: p.default for p in parameters if type(p.default) is int and p.default > 0 and p.name != "seed"}
        open_to_all = any(p.kind == p.VAR_KEYWORD for p in parameters)
        unknown = [name for name in self.said if name not in [p.name for p in parameters] and not open_to_all]
        if unknown:
            raise Refused(f"setup() has no parameter {unknown[0]}")
        return {**defaults, **self.said}

    def run(self, sizes):
        made = self.setup(**sizes)
        given, written = made["inputs"], set(made["outputs"])
        inputs, numbers = [], []
        for name, value in given.items():
            if type(value) is int:
                numbers.append(value)
                inputs.append({"name": name, "value": value, "number": len(numbers) - 1})
            else:
                inputs.append({**described(value, name), "written": name in written})
        return {**observed(inputs, [], self.work(given, written)), "numbers": numbers}

    def work(self, given, written):
        """Of a call as explog does it: outputs are flat where the reference does not take them as they are, then all arrays."""
        for flattened in ((), written, given):
            values = {n: v.reshape(-1) if n in flattened and isinstance(v, torch.Tensor) else v for n, v in given.items()}
            work = Work()
            try:
                with work, torch.no_grad():
                    self.module.reference(**values)
                return work
            except Exception:
                if flattened is given:
                    raise

    def answer(self):
        self.load()
        base = self.sizes()
        first = self.run(base)
        samples = Samples(lambda p: numbers_of(self.run(p)), base, base)
        explained(first, samples)
        for a in first["inputs"]:
            if "number" in a:
                a["expression"] = first["numbers"][a["number"]]
        return {**first, "timed": [base], "unused": [f"{name}={size}" for name, size in base.items() if name not in first["dims"]], "reference": self.text}
