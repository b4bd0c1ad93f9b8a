"""The benchmarks run, at sizes that say nothing about speed, and write the page in its form; no time is asserted."""

import contextlib
import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent


PROCESSES = ("semidirect", "c", "c-fine", "jitcsde")
"""The workers that are processes here too: of this engine, of one that is not installed, and programs that are compiled with
-ffast-math, which when loaded make a process treat subnormal numbers as 0.
"""


@pytest.fixture(scope="module", autouse=True)
def own_modules():
    """Modules are those of this folder, also where tests of another folder have imported one of the same name."""
    names = {path.stem for path in HERE.glob("*.py")} - {Path(__file__).stem}
    others = {name: sys.modules.pop(name) for name in names & sys.modules.keys()}
    yield
    assert float.fromhex("0x1p-1074") * 1.0, "nothing here may change how this process computes"
    for name in names:
        sys.modules.pop(name, None)
    sys.modules.update(others)


def known(name):
    """The competitor of a worker: ``semidirect@2`` is this engine on two threads."""
    return name.split("@")[0].removesuffix("-statistics")


class Here:
    """A worker that serves in this process, which has imported and derived what it needs; its answers are JSON as well."""

    def __init__(self, module, name):
        from worker import Service

        self.service = Service(module, name)

    def ask(self, do, **request):
        return json.loads(json.dumps(getattr(self.service, do)(**json.loads(json.dumps(request)))))

    def close(self):
        pass


def program(patch, script, *arguments):
    """What a script here prints, run in this process as by its name."""
    patch.syspath_prepend(str(HERE))
    patch.setattr(sys, "argv", [str(HERE / script), *arguments])
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(str(HERE / script), run_name="__main__")
    return out.getvalue()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """The page on one problem, and what was printed."""
    page = tmp_path_factory.mktemp("benchmarks") / "benchmarks.md"
    peers = ["semidirect", "semidirect-numpy", "numpy", "c", "c-fine", "jitcsde"]
    options = ["--quick", "--core", "-1", "--output", str(page), "--problems", "routh-ball"]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HERE))
        patch.setenv("PYTHONPATH", os.pathsep.join(p for p in sys.path if p))
        import peers as workplaces

        started = workplaces.Workplace.worker

        def worker(place, name, **how):
            return (
                started(place, name, **how) if name in PROCESSES else Here(workplaces.PEERS[known(name)].module, name)
            )

        patch.setattr(workplaces.Workplace, "worker", worker)
        done = program(patch, "run.py", *options, "--peers", *peers)
    return page.read_text(encoding="utf-8"), done


def rows(page, title):
    """The rows of the table under a title: label → cells."""
    section = page.split(f"## {title}", 1)[1].split("\n## ", 1)[0]
    cells = [[c.strip() for c in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
    head, _, *body = cells
    assert all(len(row) == len(head) for row in body)
    return {row[0]: dict(zip(head[1:], row[1:], strict=True)) for row in body}


def test_every_competitor_has_its_ratios_or_its_reason(written):
    title = "Routh ball under three noises, Heun"
    page, _ = written
    table = rows(page, title)
    assert set(table["semidirect"].values()) == {"1.00"}
    assert {"semidirect", "semidirect, array code", "NumPy batch by hand"} <= set(table)
    for label, cells in table.items():
        for head, cell in cells.items():
            assert re.fullmatch(r"[\d,]+(\.\d+)?", cell), (label, head, cell)
    section = page.split(f"## {title}", 1)[1].split("\n## ", 1)[0]
    assert "C by hand, 31-bit normals" in table or "- C by hand, 31-bit normals: gcc" in section
    assert "- jitcsde: " in section
    assert "Two threads are " in section
    assert "Peak resident memory of 1,000 paths" in section


def test_page_gives_ratios_and_says_where_they_are_from(written):
    page, printed = written
    assert not re.search(r"\d ?(s|ms|µs|ns|seconds)\b", re.sub(r"Δt = 0.01 s\b", "", page))
    assert re.search(r"\d{4}-\d\d-\d\d, `python tests/benchmarks/run.py", page)
    assert re.search(r"numpy \d+\.\d+.*semidirect \d+\.\d+", page)
    asked = rows(page, "What was asked for")
    assert len(asked) == 9
    assert {cells[""] for cells in asked.values()} <= {"yes", "**no**", "not measured"}
    assert "## What was asked for" in printed


OTHER_PROBLEM = """
import os
from measure import QUICK, Findings, check_agreement
from peers import PEERS
from table import page
from worker import Service

found, names = Findings(), ["semidirect", "numpy", "c"]
for name in names:
    service = Service(PEERS[name].module, name)
    try:
        service.prepare("rigid-body", *QUICK.check)
    except Exception as error:
        found.missing[name] = str(error)
    else:
        found.moments[name] = service.moments("rigid-body", *QUICK.check, seed=1000)
check_agreement("rigid-body", found)
os.environ["PATH"] = ""
try:
    Service("c_kernel", "c").prepare("routh-ball", *QUICK.check)
except Exception as error:
    without = Findings(missing={"c": str(error)})
print(sorted(found.moments), sorted(found.missing))
print(page({"rigid-body": found, "routh-ball": without}, QUICK, names, "a command", {}, {"disk": 1.5}, {"ball": 25.0}))
"""


@pytest.fixture(scope="module")
def other():
    """The competitors at the other problem, one after the other, and the page of both where there is no compiler for one."""
    done = subprocess.run([sys.executable, "-c", OTHER_PROBLEM], capture_output=True, text=True, cwd=HERE)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.split("\n", 1)


def test_competitors_agree_on_the_other_problem(other):
    expected = ["c", "numpy", "semidirect"] if shutil.which("gcc") else ["numpy", "semidirect"]
    assert other[0].startswith(str(expected))
    assert len(rows(other[1], "What was asked for")) == 23  # no threads, which have a row


def test_without_a_compiler_the_page_says_so(other):
    section = other[1].split("## Routh ball", 1)[1].split("\n## ", 1)[0]
    assert "- C by hand, 31-bit normals: gcc is not on the path." in section
    assert "| C by hand, 31-bit normals" not in section


def test_a_competitor_of_another_problem_is_found_out():
    """The check of the means is what makes the ratios mean something."""
    sys.path.insert(0, str(HERE))
    try:
        from measure import Findings, check_agreement
    finally:
        sys.path.remove(str(HERE))
    found = Findings(moments={"semidirect": {"energy": [1.0, 0.01]}, "numpy": {"energy": [1.05, 0.01]}})
    check_agreement("rigid-body", found)
    found.moments["numpy"]["energy"][0] = 1.2
    with pytest.raises(AssertionError, match=r"numpy 1\.2000, semidirect 1\.0000"):
        check_agreement("rigid-body", found)


def test_fused_multiply_adds_are_measured(monkeypatch):
    done = program(monkeypatch, "fused.py", "--quick")
    assert len(re.findall(r"\| (256|512) bits \| \d\.\d\d \|", done)) == 2


def test_the_rows_on_filters_are_written_anew_by_themselves(monkeypatch):
    """All else stays, and so does the form: again is the same."""
    monkeypatch.syspath_prepend(str(HERE))
    import table

    page = (HERE.parents[1] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    cycles = {"disk, position (moves=0, temper_below=0)": 1.5, "disk, position (the default)": 6.0}
    cycles["disk, position (reach=20)"] = 90.0
    cycles["disk, ten steps and a reading, 2 threads"] = 1.7
    new = table.with_filters(page, cycles, "python tests/benchmarks/run.py --filters")
    asked = {k: v for k, v in rows(new, "What was asked for").items() if "filter" in k}
    assert [cells["measured"] for cells in asked.values()] == ["1.50", "6.00"]
    stepper = rows(new, "What was asked for")[
        "a cycle of the stepper, disk, ten steps and a reading, 2 threads, over the kernel"
    ]
    assert (stepper["measured"], stepper[""]) == ("1.70", "**no**")
    assert [cells[""] for cells in asked.values()] == ["yes", "**no**"]
    assert "disk, position (the default) 6.00, disk, position (reach=20) 90.0" in new.split("## Filters", 1)[1]
    assert new.split("## Filters")[0] == page.split("## Filters")[0]
    where = new.split("## Where and when")[1]
    assert where.startswith(page.split("## Where and when")[1].partition("- Rows on filters: ")[0].rstrip())
    assert "- Rows on filters: " in where
    assert (
        table.with_filters(new, cycles, "python tests/benchmarks/run.py --filters").splitlines()[:-1]
        == new.splitlines()[:-1]
    )


def test_the_rows_on_hybrid_systems_are_written_anew_by_themselves(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import table

    page = (HERE.parents[1] / "docs" / "benchmarks.md").read_text(encoding="utf-8")
    command = "python tests/benchmarks/run.py --hybrids"
    new = table.with_hybrids(page, {"a ball": 30.0, "hoops": 12.0}, command)
    asked = {k: v for k, v in rows(new, "What was asked for").items() if "hybrid" in k}
    assert [(cells["measured"], cells[""]) for cells in asked.values()] == [("30.0", "yes"), ("12.0", "**no**")]
    assert new.count("## Hybrid systems") == new.count("- Rows on hybrid systems: ") == 1
    assert new.split("## Filters")[0] == page.split("## Filters")[0]
    again = table.with_hybrids(new, {"a ball": 30.0, "hoops": 12.0}, command)
    assert again.splitlines()[:-1] == new.splitlines()[:-1]


def test_the_script_on_filters_runs(monkeypatch):
    """With few particles and times; its ratios mean nothing."""
    monkeypatch.syspath_prepend(str(HERE))
    import filters

    for name, value in {"PARTICLES": 50, "MANY": 3, "FEW": 1, "ROUNDS": 1}.items():
        monkeypatch.setattr(filters, name, value)
    assert [update for _, update in filters.ROWS].count("the default") == len(filters.CASES)
    assert all(update in filters.UPDATES for _, update in filters.ROWS)
    filters.ratio(*filters.ROWS[-1])
    filters.stepper_ratio("disk, position", 2)


def test_memory_is_that_of_the_process_alone():
    """On Linux ``ru_maxrss`` was that of this process, 400 MB."""
    ballast = b"x" * (4 * 10**8)
    program = (
        f"import sys; sys.path.insert(0, {str(HERE)!r}); from worker import peak_megabytes; print(peak_megabytes())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert 5 < float(done.stdout) < 200 < len(ballast) / 2**20  # 26
