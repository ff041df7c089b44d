# A file of KernelBench.


class KernelBench:
    """A file with class Model, get_inputs() and get_init_inputs(). The model stays the one that it is: only sizes of its
    inputs vary, because a reference makes its model once."""

    def __init__(self, path):
        with open(path, encoding="utf-8-sig") as file:
            self.text = file.read()
        self.path, self.tree = path, ast.parse(self.text, os.path.basename(path))
        self.buffers = []

    def literals(self):
        """Numbers written at the top: {name: (number, place)}; of a tuple each one by itself."""
        found = {}
        for node in self.tree.body:
            if not (isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)):
                continue
            name, value = node.targets[0].id, node.value
            parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else [value]
            for i, part in enumerate(parts):
                number = self.number(part)
                if number and not name.startswith("_"):
                    found[name if len(parts) == 1 else f"{name}_{i}"] = (number, name, part)
        return found

    @staticmethod
    def number(node):
        if any(not isinstance(n, (ast.Constant, ast.BinOp, ast.operator)) for n in ast.walk(node)):
            return None
        try:
            value = eval(compile(ast.Expression(node), "literal", "eval"), {})
        except Exception:
            return None
        return value if type(value) is int and 0 < value < 2**48 else None

    def held(self):
        """Names that more than get_inputs() depends on: other values would make another model."""
        follows = {}
        for node in self.tree.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                follows[node.targets[0].id] = {n.id for n in ast.walk(node.value) if isinstance(n, ast.Name)}
        parts = symtable.symtable(self.text, self.path, "exec").get_children()
        used = {name for part in parts if part.get_name() != "get_inputs" for name in self.globals_of(part)}
        while more := {n for name in used for n in follows.get(name, ())} - used:
            used |= more
        return used

    def globals_of(self, table):
        own = {s.get_name() for s in table.get_symbols() if s.is_global()}
        return own.union(*(self.globals_of(part) for part in table.get_children()))

    def module(self, values):
        """The problem as a module, with other numbers where they are written."""
        lines = self.text.encode().split(b"\n")
        literals = self.literals()
        for node, value in sorted(((literals[name][2], value) for name, value in values.items()), key=lambda p: (-p[0].lineno, -p[0].col_offset)):
            if node.lineno == node.end_lineno:
                line = lines[node.lineno - 1]
                lines[node.lineno - 1] = line[: node.col_offset] + str(value).encode() + line[node.end_col_offset :]
        module = type(sys)("problem")
        module.__file__ = self.path
        sys.modules["problem"] = module
        exec(compile(b"\n".join(lines), self.path, "exec"), module.__dict__)
        return module

    def run(self, values):
        module = self.module(values)
        Meta.building = True
        model = module.Model(*module.get_init_inputs())
        Meta.building = False
        values_in = flat(module.get_inputs())
        parameters = list(inspect.signature(model.forward).parameters)
        inputs = [described(v, parameters[i] if i < len(parameters) else f"in{i}") for i, v in enumerate(values_in)]
        inputs += [self.weight(name, p) for name, p in model.named_parameters()]
        work = Work()
        with work, torch.no_grad():
            outputs = flat(model(*values_in))
        self.buffers = [name for name, _ in model.named_buffers()]
        return observed(inputs, named_outputs(outputs), work)

    @staticmethod
    def weight(name, parameter):
        sizes = list(parameter.shape)
        return {"name": name.replace(".", "_"), "dtype": str(parameter.dtype), "sizes": sizes, "weight": True,
                "fan_in": math.prod(sizes[1:]) if len(sizes) > 1 else 1}

    def answer(self):
        literals, held = self.literals(), self.held()
        free = [name for name, (_, variable, _) in literals.items() if variable not in held]
        first = self.run({})
        base = {name: literals[name][0] for name in free}
        samples = Samples(lambda p: numbers_of(self.run(p)), base, free)
        return {**explained(first, samples), "buffers": self.buffers, "timed": [base],
                "fixed": sorted({variable for _, variable, _ in literals.values()} & held), "reference": self.text}
