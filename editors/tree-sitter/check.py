#!/usr/bin/env python3
"""Parses every example of rules/guide and every effect of the shipped games: check.py LIBRARY [--show]

Effects of games are the block scalars of keys in `effects`, `handlers` and below. Ends with 1 if the grammar finds an error in any."""
import ctypes
import pathlib
import re
import sys

import tree_sitter
import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]


def examples():
    """(where, text) of the examples of the reference, which the compiler checks in its own tests."""
    for file in [*sorted((ROOT / "rules/guide").glob("*.md")), ROOT / "tests/fixtures/reference/more.md"]:
        page = file.read_text(encoding="utf-8")
        for found in re.finditer(r"^```(effect|expr)[^\n]*\n(.*?)^```", page, re.M | re.S):
            where = f"{file.relative_to(ROOT)}:{page[: found.start()].count(chr(10)) + 2}"
            if found[1] == "effect":
                yield where, found[2]
            else:  # each line is an expression of its own, unless it goes on in brackets
                text = "".join(f"let it_is = {one}\n" if one and one[0] not in " #)]" else one + "\n" for one in found[2].split("\n"))
                yield where, text


def scalars(node, path=()):
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from scalars(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from scalars(value, path)
    elif isinstance(node, yaml.ScalarNode) and node.style == "|":
        yield path, node


def effects():
    """Effects of the games and of their variants."""
    for file in sorted((ROOT / "rules").rglob("*.yaml")):
        if "scenarios" in str(file.relative_to(ROOT)):
            continue
        for path, node in scalars(yaml.compose(file.read_text(encoding="utf-8"))):
            if {"effects", "handlers", "components"} & set(path) and path[-1] not in ("about", "title"):
                yield f"{file.relative_to(ROOT)}:{node.start_mark.line + 2}", node.value


def errors(node):
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from errors(child)


def main():
    pointer = ctypes.CDLL(sys.argv[1]).tree_sitter_wyrmgate
    pointer.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    language = tree_sitter.Language(capsule(pointer(), b"tree_sitter.Language", None))
    tree_sitter.Query(language, (ROOT / "editors/tree-sitter/queries/highlights.scm").read_text(encoding="utf-8"))
    parser = tree_sitter.Parser(language)
    texts, wrong = 0, 0
    for where, text in [*examples(), *effects()]:
        texts += 1
        tree = parser.parse(text.encode())
        if "--show" in sys.argv:
            print(where, tree.root_node)
        for node in list(errors(tree.root_node))[:1]:
            wrong += 1
            line = text.split("\n")[node.start_point[0]]
            print(f"{where} + {node.start_point[0]}: {line.strip()}\n    at `{node.text.decode()[:60]!r}`")
    print(f"{texts} texts, {wrong} with errors")
    return 1 if wrong or texts < 190 else 0


if __name__ == "__main__":
    sys.exit(main())
