"""What the fixtures of this folder say about themselves in their first lines; see README.md."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent


def given_flags(fields):
    """What the judge is given of the compiler's flags that a fixture asks for."""
    return [word for flag in fields.get("flags", "").split() for word in ("--flag", flag)]


def head(path):
    """The `// key: value` lines at the top of a fixture."""
    fields = {}
    for line in path.read_text().splitlines():
        match = re.match(r"// (task|run|expect|reason|keeps|never|at most|leaves|warns|runner|flags|shape): *(.*)", line)
        if not match:
            break
        fields[match[1]] = match[2].strip()
    return fields
