"""Runs notebooks, cell by cell, without Jupyter: `python python/notebooks/run.py [--write] [NOTEBOOK...]`.

Each cell must show the same forms of output (text, pictures) as the notebook has; `--write` writes the outputs down. The
notebooks' own assertions judge the numbers. With WYRMGATE_QUICK set, training is short.
"""

import ast
import contextlib
import io
import json
import os
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def run(code, names):
    """Runs a cell and returns its outputs as a notebook stores them."""
    tree, last = ast.parse(code), None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        if last is not None:
            value = eval(compile(last, "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        picture = getattr(value, "_repr_svg_", None)
        data = {"image/svg+xml": picture().splitlines(True)} if picture else {"text/plain": repr(value).splitlines(True)}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
    return outputs


def play(file, write=False):
    """Runs a notebook and returns how many cells showed something."""
    notebook = json.loads(file.read_text())
    names = {"__name__": "notebook"}
    shown = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            outputs = run("".join(cell["source"]), names)
            forms = [sorted(output.get("data", {"stream": 0})) for output in outputs]
            known = [sorted(output.get("data", {"stream": 0})) for output in cell["outputs"]]
            if write:
                cell["outputs"] = outputs
            elif forms != known:
                raise AssertionError(f"{file.name}: a cell shows {forms}, not {known}; --write writes it down")
            shown += len(outputs)
    if write:
        file.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    return shown


def main():
    os.chdir(FOLDER.parents[1])
    wanted = [Path(name) for name in sys.argv[1:] if not name.startswith("-")] or sorted(FOLDER.glob("*.ipynb"))
    for file in wanted:
        print(f"{file.name}: {play(file, '--write' in sys.argv)} outputs")


if __name__ == "__main__":
    main()
