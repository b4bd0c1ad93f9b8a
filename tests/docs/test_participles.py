"""No participle stands for a thing: a variable, an argument or a field says what it is, see docs/writing.md."""

import ast
from pathlib import Path

from notebook_cells import NOTEBOOKS, cells

ROOT = Path(__file__).parents[2]
PARTICIPLES = frozenset(
    ("asked", "done", "drawn", "found", "given", "held", "kept", "known", "made", "read", "said", "seen", "shown", "taken",
     "told", "used", "wanted", "written")
)  # fmt: skip
EXCEPTIONS = {
    ("Argument", "read"): "a verb: the function that reads the value",
    ("Casimirs", "kept"): "public: those of the Casimir functions that are kept by forces",
    ("Change", "kept"): "a flag",
    ("Counterexample", "drawn"): "a flag",
    ("Manifest", "given"): "an entry of the files of runs",
    ("Observation", "seen"): "public: where dots are seen",
    ("Observation.__init__", "seen"): "public: where dots are seen",
    ("OrderFit", "used"): "flags, one for each step",
    ("Reader", "read"): "a verb: the function that reads the value",
    ("Relations", "found"): "public: those of the relations that were found",
    ("StatisticResult", "taken"): "a field of results that are pickled",
    ("UnitOfData", "given"): "a flag",
    ("Variant", "drawn"): "a flag",
}


def assigned(node, owner=""):
    """Names that a file assigns, with the class or function that has them."""
    for child in ast.iter_child_nodes(node):
        inner = owner
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            inner = f"{owner}.{child.name}".lstrip(".")
        elif isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            yield owner, child.id
        elif isinstance(child, ast.arg):
            yield owner, child.arg
        elif isinstance(child, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and child.name:
            yield owner, child.name
        elif isinstance(child, ast.alias) and child.asname:
            yield owner, child.asname
        yield from assigned(child, inner)


def test_no_participle_is_a_noun():
    remaining = set(EXCEPTIONS)
    nouns = []
    for folder in ("src", "plugins"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for owner, name in assigned(ast.parse(path.read_text(encoding="utf-8"))):
                if name in PARTICIPLES:
                    remaining.discard((owner, name))
                    if (owner, name) not in EXCEPTIONS:
                        nouns.append(f"{path.relative_to(ROOT)}: {name} in {owner or 'the module'}")
    for path in NOTEBOOKS:
        names = assigned(ast.parse("\n".join(cells(path, "code"))))
        nouns += [f"{path.relative_to(ROOT)}: {name}" for _, name in names if name in PARTICIPLES]
    assert not nouns, "say what it is: result, values, names, match, roots, …\n" + "\n".join(dict.fromkeys(nouns))
    assert not remaining, f"no exception any more: {remaining}"
