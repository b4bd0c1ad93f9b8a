"""Every error says what was expected or what to do, see docs/writing.md."""

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMPLETE = {"UnknownNameError", "UnknownAttributeError", "NotSavedError", "SimulationError", "PerPathError"}
"""Their constructors write the remedy."""


def errors_of(tree):
    """The calls of classes of errors of the package."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="errors"), attr=name)) if name.endswith("Error"):
                yield name, node


def has_remedy(name, call):
    keywords = {keyword.arg for keyword in call.keywords}
    return name in COMPLETE or bool(keywords & {"expected", "hint", None})


def test_every_error_has_a_remedy():
    count, without = 0, []
    for folder in ("src", "plugins"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if "errors." not in text or "/tests/" in str(path.relative_to(ROOT)):
                continue
            for name, call in errors_of(ast.parse(text)):
                count += 1
                if not has_remedy(name, call):
                    without.append(f"{path.relative_to(ROOT)}:{call.lineno}: {ast.unparse(call)}")
    assert count > 900
    assert not without, "say what is expected, or what to do:\n" + "\n".join(without)
