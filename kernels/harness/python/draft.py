# What a reference in Python tells about its task: which parameters of solve() are outputs, shapes, limits of the dimensions,
# terms of a sum, operations. The reference is run with small dimensions and shapes made of them until one assignment
# works; run behind reference.py, in its scope. The answer is a JSON line on the standard output.
import itertools
import math
import random
import struct


class Probe:
    """The reference with the parameters of a kernel's solve() and dimensions to try."""

    def __init__(self, program):
        self.reference = Reference(program, "f32")
        self.parameters, self.dims = program["parameters"], dict(program["dims"])
        self.pointers = [p for p in self.parameters if p["pointer"]]
        self.random = random.Random(7)

    def sizes(self):
        """Small sizes, each its own: primes first, then such that each is a multiple of the smaller ones."""
        names = list(self.dims)
        yield dict(zip(names, (5, 7, 3, 11, 2, 13, 17, 19)))
        product, chain = 1, {}
        for name in sorted(names, key=lambda n: (self.dims[n], names.index(n))):
            product *= 2 if not chain or len(chain) > 1 else 3
            chain[name] = product
        yield {name: chain[name] for name in names}

    def fits(self, shapes):
        """Whether the arrays have as many elements as the kernel's own, where that is known."""
        counts = [math.prod(self.dims.get(d, 1) for d in shape) for shape in shapes]
        return all(p["count"] in (0, count) for p, count in zip(self.pointers, counts))

    def shapes(self):
        return filter(self.fits, self.all_shapes())

    def all_shapes(self):
        """Assignments of shapes to the pointers, the likeliest first."""
        names, count = list(self.dims), len(self.pointers)
        by_letter = {name.lower(): name for name in names}
        if set(by_letter) == {"m", "n", "k"} and count == 3:
            m, n, k = (by_letter[c] for c in "mnk")
            yield [[m, k], [k, n], [m, n]]
            yield [[m, k], [n, k], [m, n]]
        some = [list(c) for size in range(len(names), 0, -1) for c in itertools.combinations(names, size)]
        along = [[names[-1]] if p["const"] and p["name"].lower() in ("weight", "bias", "gamma", "beta", "scale", "w", "b", "g") else names for p in self.pointers]
        if names in along:
            yield along  # broadcasting would take the weights of a whole matrix too
        for shape in some:
            yield [shape] * count
        mixed = itertools.product(some + [["1"]], repeat=count)
        yield from sorted(itertools.islice(mixed, 3000), key=lambda shapes: sum(some.index(s) if s in some else len(some) for s in shapes))

    def arrays(self, shapes, sizes, roles):
        made = []
        for p, shape in zip(self.pointers, shapes):
            n = [sizes.get(d, 1) for d in shape]
            kind = "f64" if p["dtype"][0] in "fb" else "i64"
            made.append(Array(f"{p['name']},{roles[p['name']]},{kind},{math.prod(n)},{'x'.join(map(str, n))}"))
        return made

    def scalars(self, sizes):
        given = {**sizes, **{p["name"]: p["value"] for p in self.parameters if not p["pointer"] and p["name"] not in sizes}}
        lower = {name.lower(): value for name, value in sizes.items()}
        return {**given, **{p["name"]: lower[p["name"].lower()] for p in self.parameters if not p["pointer"] and p["name"].lower() in lower}}

    def data(self, a, draw):
        return (bytearray(struct.pack(f"<{a.count}{'d' if a.is_float else 'q'}", *(draw() if a.is_float else 0 for _ in range(a.count)))), 0, a.count)

    def run(self, shapes, sizes, roles, draw=None, changed=None):
        """Outputs as lists, or the line that says why not. `changed`: (name, index) of an input that is another."""
        draw = draw or (lambda: self.random.gauss(0, 1))
        arrays = self.arrays(shapes, sizes, roles)
        self.random.seed(7)
        memory = {a.name: self.data(a, draw) for a in arrays if a.is_input}
        if changed:
            struct.pack_into("<d", memory[changed[0]][0], 8 * changed[1], 0.734)
        try:
            outputs = self.reference.call(arrays, self.scalars(sizes), lambda a: memory[a.name])
        except Wrong as wrong:
            return str(wrong)
        found = {}
        for a in arrays:
            if a.is_output:
                memory_out = bytearray(result_bytes(a.count))
                trouble = self.reference.engine.write(outputs[a.name], a, memory_out, 0, UNWRITTEN, True)
                if trouble:
                    return trouble
                found[a.name] = struct.unpack_from(f"<{a.count}{'d' if a.is_float else 'q'}", memory_out)
        return found

    def roles(self, word):
        """Which of the pointers that may be written to are outputs: few first, and the last ones first."""
        open_ = [p["name"] for p in self.pointers if not p["const"]]
        for count in range(1, len(open_) + 1):
            for outs in itertools.combinations(reversed(open_), count):
                yield {p["name"]: word if p["name"] in outs else "in" for p in self.pointers}

    def search(self):
        first = None
        for word, sizes in itertools.product(("out", "inout"), self.sizes()):
            for shapes in itertools.islice(self.shapes(), 400):
                for roles in itertools.islice(self.roles(word), 8):
                    found = self.run(shapes, sizes, roles)
                    if isinstance(found, dict):
                        return shapes, sizes, roles
                    first = first or found
        raise Wrong(first or f"{self.reference.name} works with no shapes made of the dimensions")

    def works(self, shapes, sizes, roles):
        return isinstance(self.run(shapes, sizes, roles), dict)

    def limits(self, shapes, sizes, roles):
        found = []
        for a, b in itertools.permutations(self.dims, 2):
            if sizes[a] % sizes[b] or sizes[b] == 1:
                continue
            others = [n for n in range(sizes[a] + 1, 3 * sizes[a]) if n % sizes[b]]
            if self.works(shapes, {**sizes, a: 2 * sizes[a]}, roles) and not any(self.works(shapes, {**sizes, a: n}, roles) for n in others):
                found.append(f"{a} % {b} == 0")
        return found

    def reduction(self, shapes, sizes, roles):
        """The most elements of an input that one output element depends on, as a product of dimensions where it is one."""
        base, counts = self.run(shapes, sizes, roles), []
        for a in self.arrays(shapes, sizes, roles):
            if a.is_input and a.is_float and a.count <= 4096:
                changes = [self.run(shapes, sizes, roles, changed=(a.name, i)) for i in range(a.count)]
                for name, values in base.items():
                    at = len(values) - 1
                    counts.append(sum(isinstance(c, dict) and c[name][at] != values[at] for c in changes))
        names = [list(c) for size in range(len(self.dims) + 1) for c in itertools.combinations(self.dims, size)]
        for count in sorted(counts, reverse=True):
            for some in names:
                if math.prod(sizes[n] for n in some) == count:
                    return "*".join(some) or "1"
        return str(max(counts, default=1))

    def flops(self, shapes, sizes, roles, limits):
        """c times powers of the dimensions, from operations counted with each of them doubled."""
        large = {name: n if any(limit.split()[2] == name for limit in limits) else 16 * n for name, n in sizes.items()}

        def counted(dims):
            before = self.reference.engine.operations
            return self.reference.engine.operations - before if isinstance(self.run(shapes, dims, roles), dict) else 0.0

        base = counted(large)
        if not base:
            return "0"
        powers = {name: round(math.log2(max(1.0, counted({**large, name: 2 * large[name]}) / base))) for name in self.dims}
        c = base / math.prod(large[n] ** k for n, k in powers.items())
        factors = [n for n, k in powers.items() for _ in range(k)]
        return "*".join([f"{max(1.0, c):.2g}" if c < 1e6 else f"{c:.0f}"] + factors)

    def distributions(self, shapes, sizes, roles):
        r = self.random
        draws = {"normal": lambda: r.gauss(0, 1), "positive": lambda: r.uniform(0.5, 1.5), "mixed": lambda: r.choice((-1, 1)) * 2 ** r.uniform(-12, 12),
                 "sparse": lambda: r.gauss(0, 1) if r.random() < 0.1 else 0.0, "integers": lambda: float(r.randint(-2, 2))}
        good = []
        for name, draw in draws.items():
            found = self.run(shapes, sizes, roles, draw)
            if isinstance(found, dict) and all(abs(v) < 3e38 for values in found.values() for v in values):
                good.append(name)
        return good

    def answer(self):
        shapes, sizes, roles = self.search()
        limits = self.limits(shapes, sizes, roles)
        return {"ok": True, "roles": [roles[p["name"]] for p in self.pointers], "shapes": shapes, "limits": limits,
                "reduction": self.reduction(shapes, sizes, roles), "flops": self.flops(shapes, sizes, roles, limits),
                "distributions": self.distributions(shapes, sizes, roles)}


def draft(program):
    try:
        answer = Probe(program).answer()
    except Wrong as wrong:
        answer = {"ok": False, "reason": wrong.reason, "detail": str(wrong)}
    print("\n" + json.dumps(answer), flush=True)
