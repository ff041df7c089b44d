"""What the fixtures of this folder say about themselves in their first lines; see README.md."""
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent


def head(path):
    """The `// key: value` lines at the top of a fixture."""
    fields = {}
    for line in path.read_text().splitlines():
        match = re.match(r"// (task|run|expect|reason|keeps|never|at most|leaves|warns|runner): *(.*)", line)
        if not match:
            break
        fields[match[1]] = match[2].strip()
    return fields
