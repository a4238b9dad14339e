#!/usr/bin/env python3
"""Collects the pages of the documentation site: assemble.py WYRMGATE FOLDER.

Pages keep their places in the repository, so that their links hold. Files that they link to come along; a folder without a page
gets one with its contents. The API, the commands and the rulebooks are written from what the program says."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ["*.md", "docs/*.md", "rules/README.md", "rules/guide/*.md", "rules/gallery/README.md", "editors/README.md", "fuzz/README.md", "examples/README.md",
         "clients/*/README.md", "editors/*/README.md", "python/README.md", "crates/*/README.md"]
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
PROGRAM, TARGET = sys.argv[1], pathlib.Path(sys.argv[2])


def wyrmgate(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=True, cwd=ROOT).stdout


def write(path, text):
    (TARGET / path).parent.mkdir(parents=True, exist_ok=True)
    (TARGET / path).write_text(text, encoding="utf-8")


def bring(path):
    """What a link of a page leads to, if it is no page itself."""
    if path.is_dir() and not (path / "README.md").exists():
        files = sorted(file for file in path.iterdir() if file.is_file())
        for file in files:
            bring(file)
        rows = "".join(f"- [{file.name}]({file.name})\n" for file in files if file.suffix != ".md")
        write(path.relative_to(ROOT) / "README.md", f"# {path.relative_to(ROOT)}\n\n{rows}")
    elif path.is_file() and path.suffix != ".md":
        (TARGET / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, TARGET / path.relative_to(ROOT))


def as_read(text):
    """A page as GitHub reads it: there, lists may follow a line directly, and fences may have several words."""
    lines, is_code = [], False
    for line in text.split("\n"):
        is_code ^= line.lstrip().startswith("```")
        line = re.sub(r"^(```\w+) .*", r"\1", line)  # one word tells the language; more are for our tests
        before = lines[-1] if lines else ""
        starts = re.match(r"(- |\d+\. )", line) and before and not re.match(r"(- |\d+\. |\s|\|)", before)
        lines += [""] * bool(starts and not is_code) + [line]
    return "\n".join(lines)


def page(path):
    def linked(found):
        link = found[2]
        if "://" in link or link.startswith(("#", "/", "mailto:")):
            return found[0]
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve()
        bring(target)
        if target.is_dir():
            file = file.rstrip("/") + "/README.md"
        return found[1] + file + ("#" + anchor if anchor else "") + found[3]

    write(path.relative_to(ROOT), LINK.sub(linked, as_read(path.read_text(encoding="utf-8"))))


def name_of(schema):
    """A type in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name.lower()})"
    if "enum" in schema:
        return " \\| ".join(f"`{value}`" for value in schema["enum"] if value is not None)
    kinds = [name_of(one) for one in schema.get("oneOf", schema.get("anyOf", [])) if one.get("type") != "null"]
    if kinds:
        return " or ".join(kinds)
    kind = schema.get("type", "any")
    kind = next((one for one in kind if one != "null"), "null") if isinstance(kind, list) else kind
    if kind == "array":
        return f"list of {name_of(schema.get('items', {}))}"
    return kind


def cell(text):
    return " ".join((text or "").replace("|", "\\|").split())


def api():
    document = json.loads(wyrmgate("openapi"))
    components = document["components"]
    out = ["# API\n", document["info"]["description"], "\nThe same as [OpenAPI](openapi.json). A running server has it at `/docs/`.\n"]
    for tag in document["tags"]:
        out.append(f"\n## {tag['name'].capitalize()}\n\n{tag['description']}\n")
        for path, methods in document["paths"].items():
            for method, operation in methods.items():
                if operation["tags"] != [tag["name"]]:
                    continue
                out.append(f"\n### {operation['summary']}\n\n`{method.upper()} {path}`\n\n{as_read(operation.get('description', ''))}\n")
                parameters = [components["parameters"][one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
                              for one in operation.get("parameters", [])]
                if parameters:
                    out.append("\n| Parameter | In | Type | |\n| --- | --- | --- | --- |")
                    out += [f"| `{one['name']}` | {one['in']} | {name_of(one['schema'])} | {cell(one.get('description'))} |" for one in parameters]
                body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
                out.append(f"\nBody: {name_of(body)}\n" if body else "")
                for status, answer in operation["responses"].items():
                    kinds = [name_of(content.get("schema", {})) for content in answer.get("content", {}).values()]
                    if status < "400":
                        out.append(f"- **{status}** {cell(answer.get('description'))} {', '.join(dict.fromkeys(kinds))}")
    out.append("\n## Types\n")
    for name, schema in components["schemas"].items():
        out.append(f"\n### {name}\n\n{schema.get('description', '')}\n")
        if "properties" in schema:
            needed = schema.get("required", [])
            out.append("| Member | Type | |\n| --- | --- | --- |")
            out += [f"| `{member}`{'' if member in needed else ' (optional)'} | {name_of(one)} | {cell(one.get('description'))} |"
                    for member, one in schema["properties"].items()]
        else:
            out.append(name_of(schema))
    write("reference/api.md", "\n".join(out) + "\n")
    write("reference/openapi.json", json.dumps(document, indent=1))


def commands():
    overview = wyrmgate("--help")
    names = re.findall(r"^  ([a-z]+)  ", overview.partition("Commands:")[2].partition("Options:")[0], re.M)
    parts = [f"## {name}\n\n```text\n{wyrmgate(name, '--help').strip()}\n```\n" for name in names if name != "help"]
    write("reference/commands.md", "# Commands\n\nEvery command also prints this with `--help`.\n\n" + "\n".join(parts))


def rulebooks():
    files = sorted(ROOT.glob("rules/*/game.yaml")) + sorted(ROOT.glob("rules/gallery/*/game.yaml"))
    rows = []
    for file in files:
        name = file.parent.name
        write(f"rulebooks/{name}.md", "")
        wyrmgate("docs", str(file.parent), "--out", str((TARGET / f"rulebooks/{name}.md").resolve()))
        title = (TARGET / f"rulebooks/{name}.md").read_text(encoding="utf-8").partition("\n")[0].lstrip("# ")
        rows.append(f"- [{title}]({name}.md)")
    write("rulebooks/README.md", "# Rulebooks\n\n`wyrmgate docs` writes them from the rules.\n\n" + "\n".join(rows) + "\n")


def main():
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            page(path)
    shutil.copy(ROOT / "openapi/llms.txt", TARGET)
    api()
    commands()
    rulebooks()


if __name__ == "__main__":
    main()
