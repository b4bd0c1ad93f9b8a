"""Pyright, and so an editor, knows the public names and finds no error in what the documents show.

Where pyright is not at hand (``npm install pyright``), these tests say that they are skipped. It is called once for all of them.
"""

import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import semidirect as sd
from semidirect.scaffold import Choices, write

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs"))
from load_signatures import STUB, library, written  # noqa: E402

PAGES = (
    "README.md",
    *(f"docs/{page}.md" for page in ("quickstart", "define_a_system", "statistics", "view", "coming_from")),
)
TEMPLATES = (
    Choices("rolling-one"),
    Choices("moving-one", group="se3", advected="gamma-and-point", constraint="affine", noise="volatility"),
    Choices("gliding-one", group="se2", advected="gamma", constraint="covector", noise="force"),
)
EXAMPLES = ("snakeboard", "top_from_scratch", "spin_sweep", "chaplygin_sleigh")

NAMES = """
import semidirect as sd

class Mine(sd.System):
    mass: sd.Parameter = sd.parameter(1.0, unit="kg")
    law: sd.Option[str] = sd.option("linear", choices=("linear", "quadratic"))
    group = sd.SO3()

    def lagrangian(self, xi: sd.Blocks) -> object:
        reveal_type(self.mass)  # value
        reveal_type(self.law)  # choice
        return xi.Omega

    @sd.observable(unit="J")
    def work(self, state: sd.Blocks) -> object:
        return state.Omega

top = sd.load("heavy-top")
run = top.simulate(t_end=1.0, dt=0.1)
reveal_type(sd.parameter)  # parameter
reveal_type(sd.option)  # option
reveal_type(sd.observable)  # observable
reveal_type(Mine.work)  # work
reveal_type(Mine.__init__)  # signature
reveal_type(top)  # system
reveal_type(top.mass)  # mass
reveal_type(sd.load(input()))  # any
reveal_type(top.simulate)  # simulate
reveal_type(run)  # run
reveal_type(run["energy"])  # energy
reveal_type(top.equations())  # equations
Mine(mass=(1.0, 2.0), law="quadratic")
Mine(mas=1.0)  # wrong
Mine(law=3)  # wrong
sd.Sytem  # wrong
sd.GaussianNoise  # wrong
run.plot_sphere("Gamma")  # wrong
reveal_type(run.plot("energy"))  # axes
reveal_type(run.plot.histogram("energy"))  # histogram
reveal_type(top.ensemble(dt=0.1)["Gamma"])  # Gamma
"""


def every_name():
    """Public names, each as an expression whose type is asked for."""
    lines = ["import semidirect as sd", *(f"reveal_type(sd.{name})" for name in sd.__all__)]
    lines += [f"reveal_type(sd.testing.{name})" for name in sd.testing.__all__]
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """What pyright says: file → list of (line, severity, message)."""
    local = ROOT / "node_modules" / ".bin" / "pyright"
    command = shutil.which("pyright") or (str(local) if local.exists() else None)
    if command is None:
        pytest.skip("pyright is not installed: npm install pyright")
    folder = tmp_path_factory.mktemp("typed")
    (folder / "names.py").write_text(NAMES, encoding="utf-8")
    (folder / "every_name.py").write_text(every_name(), encoding="utf-8")
    for page in PAGES:
        blocks = re.findall(
            r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
        )
        assert blocks
        (folder / f"page_{Path(page).stem}.py").write_text("\n".join(blocks), encoding="utf-8")
    for name in EXAMPLES:
        shutil.copy(ROOT / "examples" / f"{name}.py", folder / f"example_{name}.py")
    for choices in TEMPLATES:
        write(choices, folder / f"template-{choices.name}")
    for package in {kind.__module__.partition(".")[0] for kind, _ in library().values()}:
        place = Path(find_spec(package).origin).parent
        shutil.copytree(place, folder / f"library_{place.name}", ignore=shutil.ignore_patterns("__pycache__"))
    roots = [{"root": f"template-{c.name}"} for c in TEMPLATES]
    settings = {"include": ["."], "exclude": ["**/tests"], "executionEnvironments": roots}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    asked = [command, "--outputjson", "--pythonpath", sys.executable, "--project", str(folder)]
    ran = subprocess.run(asked, capture_output=True, text=True)
    found = json.loads(ran.stdout)
    assert found["summary"]["filesAnalyzed"] > 30, ran.stdout
    by_file = {}
    for one in found["generalDiagnostics"]:
        place = str(Path(one["file"]).relative_to(folder))
        by_file.setdefault(place, []).append((one["range"]["start"]["line"], one["severity"], one["message"]))
    return by_file


def test_what_the_documents_show_has_no_error(said):
    """Pages, templates of ``semidirect new``, examples that define or load systems, and the library."""
    errors = {
        place: those
        for place, lines in said.items()
        if place != "names.py" and (those := [line for line in lines if line[1] == "error"])
    }
    assert not errors, "\n".join(f"{place}:{line + 1}: {text}" for place, of in errors.items() for line, _, text in of)


def test_mistakes_are_found_where_they_are_and_nowhere_else(said):
    wrong = {i for i, line in enumerate(NAMES.splitlines()) if line.endswith("# wrong")}
    assert {line for line, severity, _ in said["names.py"] if severity == "error"} == wrong


def test_no_public_name_is_any_or_unknown(said):
    texts = [text for _, severity, text in said["every_name.py"] if severity == "information"]
    assert len(texts) == len(sd.__all__) + len(sd.testing.__all__)
    assert not [text for text in texts if re.search(r'is "(Any|Unknown)"|-> (Any|Unknown)"$', text)]


def test_types_of_what_is_used_most(said):
    asked = {i: line.rpartition("# ")[2] for i, line in enumerate(NAMES.splitlines()) if "reveal_type" in line}
    kinds = {
        asked[line]: text.partition(' is "')[2][:-1]
        for line, severity, text in said["names.py"]
        if severity == "information"
    }
    assert kinds.keys() == set(asked.values())
    assert kinds["value"].startswith("ndarray[")
    assert kinds["choice"] == "str"
    assert kinds["parameter"].endswith(" -> Parameter")
    assert kinds["option"].endswith(" -> Option[Choice@option]")
    assert kinds["observable"].endswith(" -> Observable)")
    assert kinds["work"] == "Observable"
    assert kinds["signature"].startswith("(self: Mine, *, mass: ")
    assert 'law: str = sd.option("linear"' in kinds["signature"]
    assert kinds["system"] == "HeavyTop"
    assert kinds["mass"].startswith("ndarray[")
    assert kinds["any"] == "System"
    assert kinds["run"] == "Run"
    assert kinds["energy"].startswith("ndarray[")
    assert kinds["energy"].endswith("dtype[float64]]")
    assert kinds["equations"] == "Equations"
    assert kinds["axes"] == kinds["histogram"] == "Axes"
    assert kinds["Gamma"].startswith("ndarray[")
    assert kinds["simulate"].startswith("(*, t_end: float, dt: float, ")
    assert kinds["simulate"].endswith(" -> Run")


def test_the_signatures_of_load_are_those_of_the_library():
    """Run ``python docs/load_signatures.py`` otherwise."""
    stub = STUB.read_text(encoding="utf-8")
    assert written(stub) == stub
    assert set(re.findall(r'name: Literal\["(.*?)"\]', stub)) == set(library())


def test_a_changed_library_would_change_the_signatures():
    stub = STUB.read_text(encoding="utf-8")
    changed = stub.replace("gravity: Numbers", "weight: Numbers", 1).replace(
        'Literal["heavy-top"]', 'Literal["hevy-top"]'
    )
    assert written(changed) == stub != changed


def test_editors_read_the_types_of_the_package_and_of_its_systems():
    for package in {"semidirect", *(kind.__module__.partition(".")[0] for kind, _ in library().values())}:
        assert (Path(import_module(package).__file__).parent / "py.typed").exists()


def test_the_words_of_simulate_and_load_are_their_own():
    for function in (sd.System.simulate, sd.load):
        assert "Raises\n" in function.__doc__
