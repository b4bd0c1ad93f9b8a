"""A prompt shows one short line of every public object, a notebook escaped HTML or formulas where reading is meant."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

import semidirect as sd
from semidirect import invariants, laws

sys.path.insert(0, str(Path(__file__).parent))
from examples import Watched, examples, public_classes
from semidirect.analysis.comparison import Comparison
from semidirect.analysis.convergence_study import Convergence
from semidirect.core.display import LONGEST, line
from semidirect.equations.evolution import Evolution
from semidirect.pages.printing import Equations

SHORT = 200
HTML = (Watched, sd.Run, sd.analysis.Monitor, laws.Report, Convergence, Comparison, invariants.Proof, invariants.Invariants,
        invariants.Relations, invariants.Casimirs, invariants.Symmetries, invariants.Integrability, invariants.Measure,
        invariants.LieRank, invariants.PrincipleComparison, sd.equations.StratonovichSDE, sd.noise.NoiseClass)  # fmt: skip
LATEX = (Watched, Equations, Evolution, invariants.NonholonomicMomenta)
TAGS = {"pre", "p", "strong", "table", "thead", "tbody", "tr", "td", "th"}


class Reader(HTMLParser):
    """The tags and the text of a page whose tags are closed in order."""

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    "kind", [k for k in public_classes() if not issubclass(k, Exception)], ids=lambda k: k.__qualname__
)
def test_the_line_of_an_object_is_short(kind):
    text = repr(examples()[kind])
    assert len(text) <= SHORT
    assert "\n" not in text


def test_a_line_names_sizes_and_stops():
    assert line("A", {"a": 1.5, "b": "text"}) == "A(a=1.5, b='text')"
    assert len(line("A", {f"name{i}": "x" * 1000 for i in range(100)})) <= LONGEST + 5
    assert repr(sd.load("rigid-body", inertia=sd.PerPath([[1.0, 2, 2.5]] * 500))).startswith(
        "RigidBody(advect_gamma=False, inertia=PerPath("
    )


@pytest.mark.parametrize("kind", HTML, ids=lambda k: k.__name__)
def test_html_is_whole_and_escaped(kind):
    page = Reader(examples()[kind]._repr_html_())
    assert page.tags <= TAGS
    assert len(page.text) > 20


@pytest.mark.parametrize("kind", LATEX, ids=lambda k: k.__name__)
def test_formulas_stand_between_dollars(kind):
    """Which MathJax and KaTeX set anywhere; an ``align*`` within dollars is an error of MathJax."""
    text = examples()[kind]._repr_latex_()
    assert "align*" not in text
    assert re.fullmatch(r"\$\$\\begin\{aligned\}.*\\end\{aligned\}\$\$(\nwhere [^\n]*\.)?", text, re.DOTALL)
    assert text.count(r"\begin{aligned}") == text.count(r"\end{aligned}") == text.count("$$") / 2


HOSTILE = '<script>alert("&")</script>'


class Hostile(Watched):
    mass = sd.parameter(1.0, unit=HOSTILE, doc=HOSTILE)

    @sd.observable(unit=HOSTILE, status="exact")
    def height(self, state):
        """<img src=x onerror=alert(1)>."""
        return state.Gamma[2]


Hostile.__doc__ = HOSTILE


def test_what_users_write_is_escaped_everywhere():
    system = Hostile()
    run = system.simulate(t_end=0.1, dt=0.05, paths=2)
    for shown in (system, run, run.monitor(), system.prove("height")):
        page = Reader(shown._repr_html_())
        assert page.tags <= TAGS
    assert Reader(system._repr_html_()).text.count(HOSTILE) >= 4
    assert HOSTILE in Reader(run._repr_html_()).text


def test_a_run_shows_paths_failures_and_means():
    run = sd.load("heavy-top").simulate(t_end=0.2, dt=0.1, paths=4, checks=sd.Checks(bounds={"energy": 1e-9}))
    text = Reader(run._repr_html_()).text
    assert "4, 4 failed" in text
    assert str(run.failures()[0]) in text
    good = sd.load("heavy-top").simulate(t_end=0.2, dt=0.1, paths=4)
    assert f"{good['energy'][:, -1].mean():.6g}" in Reader(good._repr_html_()).text
    assert len(good._repr_html_()) < 10_000


def test_a_system_that_cannot_be_derived_is_shown_with_the_reason():
    assert "defines no group" in sd.System()._repr_html_()
    assert sd.System()._repr_latex_() is None


def test_a_notebook_that_ends_cells_with_each_public_object_shows_no_internals():
    """By the formatters of a kernel; the build of the pages runs notebooks in one."""
    formatters = pytest.importorskip("IPython.core.formatters")
    kinds = [kind for kind in public_classes() if not issubclass(kind, sd.errors.SemidirectError)]
    display = formatters.DisplayFormatter()
    shown = [display.format(examples()[kind])[0] for kind in kinds]
    assert len(shown) > 100
    for data in shown:
        assert max(map(len, data["text/plain"].splitlines())) <= SHORT
        assert not re.findall("mappingproxy|dtype=object", data["text/plain"] + data.get("text/html", ""))
