# Which sizes of a foreign problem follow which of its parameters: the problem is run with one parameter changed at a time,
# and each size that changed is written as an expression of it (SQLite's, schema/formats/task.md).
STEPS = (1, 2, 3, 5, 7, 37)
MULTIPLES = (2, 4, 8, 16, 32, 64, 128, 256)


class Samples:
    """What `run` observes at several parameters, as lists of numbers of one length."""

    def __init__(self, run, base, names, more=()):
        self.run, self.base, self.names = run, base, list(names)
        self.at = []  # (parameters, numbers)
        self.multiples, self.tied, self.failed = {}, {}, ""
        first = self.observe(base)
        if first is None:
            raise RuntimeError(self.failed)
        self.tie()
        together = dict(base)
        for i, name in enumerate(list(self.names)):
            if not self.vary(name):
                self.drop(name)
                continue
            more_of_it = {**together, name: base[name] + self.multiples.get(name, 1) * (i + 2)}
            if self.observe(more_of_it) is None:
                self.drop(name)  # what it must be beside the others is not known
            else:
                together = more_of_it
        for parameters in more:
            self.observe(parameters)

    def tie(self):
        """Parameters of one value that can only change together are one."""
        for name in list(self.names):
            like = [other for other in self.names if other != name and self.base[other] == self.base[name]]
            if name not in self.names or not like or self.works({name: 1}):
                continue
            other = next((other for other in like if self.works({name: 1, other: 1})), None)
            if other:
                self.tied[name] = other
                self.names.remove(other)

    def works(self, more):
        try:
            return bool(self.run({**self.base, **{name: self.base[name] + step for name, step in more.items()}}))
        except Exception:
            return False

    def drop(self, name):
        """A parameter stays what it is."""
        self.names.remove(name)
        self.multiples.pop(name, None)
        self.at = [(p, numbers) for p, numbers in self.at if p.get(name) == self.base[name]]

    def observe(self, parameters):
        try:
            numbers = self.run({**parameters, **{other: parameters[name] for name, other in self.tied.items()}})
        except Exception as error:
            self.failed = f"{type(error).__name__}: {error}"
            return None
        if self.at and len(numbers) != len(self.at[0][1]):
            self.failed = "its arguments are others at other sizes"
            return None
        self.at.append((dict(parameters), numbers))
        return numbers

    def vary(self, name):
        """False where no other value of this parameter works."""
        value, before = self.base[name], len(self.at)
        seen = [s for s in STEPS if self.observe({**self.base, name: value + s}) is not None]
        if len(seen) == len(STEPS):
            return True
        del self.at[before:]
        for step in MULTIPLES:
            around = [value + step, value + 3 * step] + [value - step] * (value > step)
            if value % step == 0 and all(self.works({name: size - value}) for size in around):
                for size in around:
                    self.observe({**self.base, name: size})
                self.multiples[name] = step
                return True
        return False

    def explain(self, count):
        """Expressions of the first `count` numbers. Parameters that a size follows in no known way stay what they are."""
        while True:
            texts = [self.expression(i) for i in range(count)]
            if None not in texts:
                return texts
            follows = self.followed(texts.index(None))
            if not follows:
                raise RuntimeError("a size changes, and with no parameter")
            self.drop(follows[-1])

    def followed(self, index):
        first = self.at[0][1][index]
        changing = {name for p, numbers in self.at for name in self.names if numbers[index] != first and p[name] != self.base[name]}
        alone = {name for name in changing for p, numbers in self.at
                 if numbers[index] != first and all(p[other] == self.base[other] for other in self.names if other != name)}
        return [name for name in self.names if name in (alone or changing)]

    def holds(self, index, function):
        return all(function(p) == numbers[index] for p, numbers in self.at)

    def expression(self, index):
        first = self.at[0][1][index]
        if all(numbers[index] == first for _, numbers in self.at):
            return str(first)
        names = self.followed(index)
        if not names:
            return None
        for text, function in [*self.of_one(names, index), *self.of_many(names, index)]:
            if self.holds(index, function):
                return text
        return None

    def of_one(self, names, index):
        if len(names) != 1:
            return
        name, value, size = names[0], self.base[names[0]], self.at[0][1][index]
        yield name, lambda p: p[name]
        if size and size % value == 0:
            yield f"{size // value}*{name}", lambda p: p[name] * (size // value)
        if size and value > 1 and size % value**2 == 0:
            times = size // value**2
            yield (f"{times}*" if times > 1 else "") + f"{name}*{name}", lambda p: p[name] ** 2 * times
        if size and value % size == 0:
            yield f"{name}/{value // size}", lambda p: p[name] // (value // size)
        other = next(((p[name], n[index]) for p, n in self.at if p[name] != value), (value + 1, size))
        slope, rest = divmod(other[1] - size, other[0] - value)
        if not rest and slope > 0:
            yield sum_of(f"{slope}*{name}" if slope > 1 else name, size - slope * value), lambda p: slope * p[name] + size - slope * value
        for step in [*range(2, 33), 64, 128, 256, 512]:  # a window that moves by `step`, or blocks of so many
            for more in range(step) if step < 33 else (0, step - 1):
                less = size - (value + more) // step
                yield sum_of(f"({sum_of(name, more)})/{step}", less), lambda p, s=step, m=more, b=less: (p[name] + m) // s + b

    def slope(self, name, index):
        """By how much a number grows with this parameter alone; 0 where that is no whole number."""
        value, size = self.base[name], self.at[0][1][index]
        other, number = next(iter(self.alone(name, index)), (value + 1, size))
        return (number - size) // (other - value) if (number - size) % (other - value) == 0 else 0

    def of_many(self, names, index):
        if len(names) < 2:
            return
        size = self.at[0][1][index]
        powers = self.powers(names, index)
        product = math.prod(self.base[n] ** k for n, k in powers.items())
        text = "*".join(n for n, k in powers.items() for _ in range(k))
        if size and size % product == 0:
            yield (f"{size // product}*" if size != product else "") + text, lambda p: math.prod(p[n] ** k for n, k in powers.items()) * (size // product)
        if size and product % size == 0:
            yield f"{text}/{product // size}", lambda p: math.prod(p[n] ** k for n, k in powers.items()) // (product // size)
        slopes = [self.slope(name, index) for name in names]
        if all(slopes) and max(slopes) > 0:
            rest = size - sum(s * self.base[n] for n, s in zip(names, slopes))
            terms = sorted(zip(slopes, names), key=lambda term: term[0] < 0)  # no sign in front
            text = " ".join(("+ " if s > 0 else "- ") + (f"{abs(s)}*" if abs(s) > 1 else "") + n for s, n in terms)
            yield sum_of(text[2:], rest), lambda p: sum(s * p[n] for n, s in zip(names, slopes)) + rest
        for one in names:
            if len(names) == 2 and size:
                other = names[1 - names.index(one)]
                times = size * self.base[other] // self.base[one]
                if times:
                    yield (f"{times}*" if times > 1 else "") + f"{one}/{other}", lambda p, a=one, b=other: times * p[a] // p[b]

    def powers(self, names, index):
        """With which power of each of these a number grows, nearly."""
        first, found = self.at[0][1][index], {}
        for name in names:
            value, count = max(self.alone(name, index), default=(0, 0))
            if value > self.base[name] and first:
                found[name] = max(0, round(math.log(max(count, 1) / first) / math.log(value / self.base[name])))
        return found

    def alone(self, name, index):
        """The number where only this parameter is another."""
        return [(p[name], n[index]) for p, n in self.at if p[name] != self.base[name] and all(p[o] == self.base[o] for o in self.names if o != name)]

    def power_law(self, index):
        """About what a count of operations is: a number times powers of the parameters."""
        first, powers = self.at[0][1][index], self.powers(self.names, index)
        factor = first / math.prod(self.base[name] ** k for name, k in powers.items())
        factors = [name for name, k in powers.items() for _ in range(k)]
        return "*".join(([f"{factor:.0f}" if factor >= 10 else f"{factor:.3g}"] if factor != 1 or not factors else []) + factors)


def sum_of(text, number):
    return text if number == 0 else f"{text} + {number}" if number > 0 else f"{text} - {-number}"


def names_in(expressions):
    return list(dict.fromkeys(name for text in expressions for name in re.findall(r"[A-Za-z_]\w*", text)))
