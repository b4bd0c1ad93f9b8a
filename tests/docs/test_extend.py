"""The package on the pages ``extend.md`` and ``extend_in_detail.md``, installed by pip: what it adds is used by name."""

import json
import math
import os
import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGE = "".join((DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("extend", "extend_in_detail"))
FILE = re.compile(r"^```(?:python|toml)\n# (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MOST_LINES = 40
FILES = dict(FILE.findall(PAGE))
ADDED = (
    "explicit_midpoint",
    "share_above",
    "hyperbolic",
    "fading_noise",
    "kicks",
    "strict",
    "pulse",
    "bootstrap",
    "listing",
    "brackets",
)


RUN = "--t-end 0.2 --dt 0.1 --format json"
OBSERVED = "data.csv --observe x,y --noise 0.05 --dt 0.1 --particles 50 --format json"
KINDS = {
    "group": ("hyperbolic", f"run boosted {RUN}", 'sd.load("boosted").group.name', "SO(1,1)"),
    "noise": ("fading_noise", f"run shaken-body {RUN}", "faded(sd.load('shaken-body'))", math.exp(-4)),
    "method": ("explicit_midpoint", f"run rigid-body --method explicit-midpoint {RUN}",
               "run(method='explicit-midpoint').config['method']", "explicit-midpoint"),
    "statistic": ("share_above", f"run rigid-body --reduce share-above:Omega,level=0 {RUN}",
                  "list(run(reduce='share-above').reductions)", ["share-above"]),
    "driver": ("kicks", f"run rigid-body --driver kicks(5) {RUN}",
               "run(driver='kicks(5)').config['noise']", {"kind": "kicks", "rate": 5}),
    "engine": ("strict", f"run rigid-body --engine strict {RUN}",
               "bool((by_engine('strict') == by_engine('numpy')).all())", True),
    "target": ("listing", "export rigid-body --to listing --method heun",
               "json.loads(sd.runs.export(sd.load('rigid-body'), 'listing', method='heun').text)['name']", "rigid_body"),
    "command": ("brackets", "brackets rigid-body --format json", "None", None),
    "update": ("bootstrap", f"filter rolling-disk {OBSERVED} --update bootstrap",
               "likelihood('bootstrap') - likelihood(sd.inference.ParticleUpdate(resample_below=1, temper_below=0))", 0),
}  # fmt: skip
"""Kind → its file, a command line that uses it, and what Python that uses it by name returns."""


PROGRAMS = {
    "by name": """
        import json
        import numpy as np
        import semidirect as sd
        from my_dynamics.pulse import Pulse
        from semidirect.statistics.choice import from_text
        from semidirect.state.geodesic import factors

        def share(run):
            return float(run.reductions["share-above"].tables()["share"][1][-1, 1])

        def by_hand(run):
            return float(np.mean(run.final["g"][:, 1] > 0.12))

        body = sd.load("boosted")
        asked = dict(t_end=0.4, dt=0.1, paths=300, method="explicit-midpoint",
                     reduce=[from_text("share-above:g,level=0.12")])
        numpy, compiled = (
            body.simulate(save=sd.Save("final", store=f"{e}.zarr"), execution=sd.Execution(engine=e), **asked)
            for e in ("numpy", "compiled")
        )
        again = sd.Run.load("compiled.zarr")
        read = {"share": share(again), "by hand": by_hand(again), "method": again.config["method"],
                "same": bool(np.array_equal(numpy.final["g"], compiled.final["g"]))}
        more = sd.extend("compiled.zarr", paths=400)
        g = body.simulate(t_end=0.4, dt=0.1, driver=Pulse())["g"][0, -1]
        print(json.dumps({
            **read, "class": type(body).__module__,
            "extended": share(more), "of all": by_hand(more),
            "rapidity": float(np.arctanh(g[1] / g[0])), "expected": 0.3 * 0.4 + 0.1 * float(np.tanh(0.4)),
            "distances": [f.name for f in factors(body.group)],
        }))
    """,
    "amplitude": """
        import json
        from my_dynamics.fading_noise import ShakenBody
        body = ShakenBody()
        print(json.dumps([body.diffusion(body.linearise()["state"], t)[:3, 0].tolist() for t in (0.0, 8.0)]))
    """,
    "engine": """
        import json
        import numpy as np
        import semidirect as sd
        import warnings
        warnings.simplefilter("ignore", sd.errors.FailedPathsWarning)
        options = {"t_end": 0.4, "dt": 0.1, "paths": 70, "checks": sd.Checks({"g": 1.02}), "reduce": "moments"}
        runs = [
            sd.load("boosted").simulate(save=sd.Save(store=f"by {e}.zarr"), execution=sd.Execution(engine=e), **options)
            for e in ("numpy", "strict")
        ]
        same = [bool(np.array_equal(runs[0][k], runs[1][k])) for k in runs[0]]
        same += [bool(np.array_equal(runs[0].data.failed_at, runs[1].data.failed_at, equal_nan=True)),
                 bool(runs[0].data.status.any()), runs[0].config == runs[1].config]
        def refused(engine, **changes):
            try:
                sd.load("boosted").simulate(execution=sd.Execution(engine=engine), **options, **changes)
            except (sd.SemidirectError, FloatingPointError) as error:
                return f"{type(error).__name__}: {error}"
        print(json.dumps([same, len(runs[0]), refused(engine="other"),
                          refused(engine="strict", state={"a": 1e300})]))
    """,
    "driver": """
        import json
        import numpy as np
        import semidirect as sd
        from my_dynamics.kicks import Kicks
        options = {"t_end": 2, "dt": 0.01, "method": "heun", "seed": 3}
        def ended(run):
            return run.final["g"][:, 1]
        body = sd.load("boosted")
        run = body.simulate(paths=600, driver="kicks(5)", save=sd.Save(store="kicks.zarr"), **options)
        longer = sd.extend("kicks.zarr", paths=700)
        whole = body.simulate(paths=700, driver=Kicks(5.0), execution=sd.Execution(engine="numpy"), **options)
        rapidity = np.arcsinh(ended(whole)) - 0.6
        print(json.dumps({"noise": run.config["noise"], "same": bool(np.array_equal(ended(longer), ended(whole))),
                          "variance": float(np.var(rapidity / 0.1)), "still": float(np.mean(np.abs(rapidity) < 1e-9))}))
    """,
    "left": """
        import semidirect as sd
        from my_dynamics.share_above import ShareAbove
        sd.load("rigid-body").simulate(t_end=0.2, dt=0.1, paths=3, method="explicit-midpoint",
                                       save=sd.Save(store="left.zarr"),
                                       reduce=["moments", ShareAbove(["Omega"])])
    """,
}  # fmt: skip
"""What is run with the package of the page; a test of each reads what it printed."""
LINES = (
    "run --help",
    "run rigid-body --method explicit-midpoint --t-end 0.2 --dt 0.1 --reduce share-above:Omega,level=0",
    "run rigid-body --driver kicks(5) --t-end 0.2 --dt 0.1",
    "brackets rigid-body --format json",
    "run rigid-body --method explicit-midpiont",
)


class Site:
    """A folder with installed packages, that of the page first."""

    def __init__(self, folder):
        self.folder, self.path = folder, folder / "site"

    def install(self, distribution, files):
        source = self.folder / distribution
        for name, text in files.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_text(text, encoding="utf-8")
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--disable-pip-version-check",
            "install",
            "--quiet",
            "--no-deps",
            "--no-index",
            "--no-compile",
        ]
        subprocess.run([*pip, "--no-build-isolation", "--target", str(self.path), str(source)], check=True)

    def run(self, source, *arguments, alone=False):
        places = [*([] if alone else [str(self.path)]), *filter(None, [os.environ.get("PYTHONPATH")])]
        # byte code is valid for a file of the same length and second, and a file is edited in less
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", textwrap.dedent(source), *arguments]
        return subprocess.run(command, capture_output=True, text=True, cwd=self.folder, env=environment)

    def outcomes(self, *sources):
        """Exit code, output and errors of programs, and of command lines, one after the other in one process."""
        done = self.run(
            """
            import contextlib, io, json, sys, traceback, warnings
            from semidirect.cli import messages
            from semidirect.cli.entry import main
            messages.PATIENCE = 1000.0  # however slow the machine is on which tests run

            def code_of(source):
                if isinstance(source, list):
                    return main(source)
                exec(source, {"__name__": "program"})
                return 0

            found = []
            for source in json.loads(sys.argv[1]):
                with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
                    try:
                        with warnings.catch_warnings():
                            code = code_of(source)
                    except SystemExit as ended:
                        code = ended.code
                    except BaseException:
                        traceback.print_exc()
                        code = 1
                found.append([code, out.getvalue(), err.getvalue()])
            print(json.dumps(found))
            """,
            json.dumps([source if isinstance(source, list) else textwrap.dedent(source) for source in sources]),
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = Site(tmp_path_factory.mktemp("extend"))
    made.install("my-dynamics", {**FILES, "my_dynamics/__init__.py": ""})
    return made


@pytest.fixture(scope="module")
def outcomes(site):
    """What came of each program and of each line of commands, all in one process, which imports and derives once."""
    done = site.outcomes(*PROGRAMS.values(), *(line.split() for line in LINES))
    return dict(zip([*PROGRAMS, *LINES], done, strict=True))


def test_each_addition_is_one_short_file():
    assert set(FILES) == {"pyproject.toml", *(f"my_dynamics/{name}.py" for name in ADDED)}
    assert {
        name: n for name, text in FILES.items() if (n := len([x for x in text.splitlines() if x.strip()])) > MOST_LINES
    } == {}


USED = """
import json, warnings
import numpy as np
import pandas
import semidirect as sd
warnings.simplefilter("ignore", sd.errors.FilterWarning)

def run(name="rigid-body", **options):
    return sd.load(name).simulate(t_end=0.2, dt=0.1, **options)

def by_engine(name):
    return run(execution=sd.Execution(engine=name), paths=3)["Omega"]

def faded(body):
    early, late = (body.diffusion(body.linearise()["state"], t)[0, 0] for t in (0.0, 8.0))
    return float(late / early)

def likelihood(update):
    disk, seen = sd.load("rolling-disk"), sd.Observation(["x", "y"], noise=0.05)
    return sd.filter(disk, seen, pandas.read_csv("data.csv"), dt=0.1, particles=50, update=update).log_likelihood

print(json.dumps([eval(text) for text in {!r}]))
"""


@pytest.fixture(scope="module")
def separate(tmp_path_factory):
    """A package for each kind, of its file and its entry point and nothing else; what each command line and Python return."""
    made = Site(tmp_path_factory.mktemp("separate"))
    for kind, (module, *_) in KINDS.items():
        package, folder = f"only_{kind}", made.path / f"only_{kind}-1.0.dist-info"
        (made.path / package).mkdir(parents=True)
        (made.path / package / "__init__.py").touch()
        text = FILES[f"my_dynamics/{module}.py"].replace("my_dynamics", package)
        (made.path / package / f"{module}.py").write_text(text, encoding="utf-8")
        ((group, entry),) = entry_points_of(module)
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: only-{kind}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[{group}]\n{entry.replace('my_dynamics', package)}\n")
    rows = "\n".join(["time,x,y", *(f"{n / 10},{n / 10},0.02" for n in range(1, 6))])
    (made.folder / "data.csv").write_text(rows)
    done = made.outcomes(
        *(line.split() for _, line, *_ in KINDS.values()), USED.format([text for _, _, text, _ in KINDS.values()])
    )
    *by_command, (code, out, err) = done
    assert code == 0, err
    return dict(zip(KINDS, zip(by_command, json.loads(out), strict=True), strict=True))


def entry_points_of(module):
    """Group and line of each entry point of the page that is in a module."""
    groups = tomllib.loads(FILES["pyproject.toml"])["project"]["entry-points"]
    return [(group, f"{name} = {value}") for group, entries in groups.items() for name, value in entries.items()
            if value.partition(":")[0] == f"my_dynamics.{module}"]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_one_file_and_one_entry_point_suffice(separate, kind):
    (code, out, err), value = separate[kind]
    assert (code, err) == (0, "")
    assert json.loads(out)
    expected = KINDS[kind][-1]
    assert value == (pytest.approx(expected, abs=1e-12) if isinstance(expected, float | int) else expected)  # 0


def test_files_of_the_page_enter_packages_by_their_doors():
    past = re.findall(r"^(?:from|import) (semidirect\.\w+\.\S+)", "\n".join(FILES.values()), re.MULTILINE)
    assert past == []


def test_a_method_a_statistic_a_group_and_a_path_are_used_by_name(outcomes):
    code, out, err = outcomes["by name"]
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert (found["method"], found["class"], found["same"]) == ("explicit-midpoint", "my_dynamics.hyperbolic", True)
    assert 0 < found["share"] == found["by hand"] < 1
    assert 0 < found["extended"] == found["of all"] < 1
    assert found["rapidity"] == pytest.approx(found["expected"], abs=1e-13)
    assert found["distances"] == ["distance(g)"]


def test_a_noise_amplitude_is_used_by_its_class(outcomes):
    code, out, err = outcomes["amplitude"]
    assert (code, err) == (0, "")
    early, late = json.loads(out)
    assert late == pytest.approx([math.exp(-4) * x for x in early], rel=1e-14)
    assert max(map(abs, early)) > 0.1


def test_an_engine_is_used_by_name(outcomes):
    code, out, err = outcomes["engine"]
    assert (code, err) == (0, "")
    same, count, unknown, overflow = json.loads(out)
    assert same == [True] * (count + 3)
    assert all(name in unknown for name in ("auto", "numpy", "compiled", "strict"))
    assert "FloatingPointError" in overflow


def test_a_driver_is_used_by_name_and_its_store_is_extended(outcomes):
    code, out, err = outcomes["driver"]
    assert (code, err) == (0, "")
    found = json.loads(out)
    assert found["noise"] == {"kind": "kicks", "rate": 5.0}
    assert found["same"]
    assert found["variance"] == pytest.approx(10, rel=0.2)  # rate times time; its standard error is 0.06 of it
    assert found["still"] < 0.01  # exp(-10) of the paths have no jump


def test_the_command_line_knows_them(outcomes):
    told, method, driver, command, misspelt = (outcomes[line] for line in LINES)
    assert "explicit-midpoint" in re.sub(r"-\n\s*", "-", told[1])
    assert "share-above" in re.sub(r"-\n\s*", "-", told[1])
    assert [(code, err) for code, _, err in (told, method, driver, command)] == [(0, "")] * 4
    assert "share-above at t = 0.2 s" in method[1]
    assert "[e1, e2] has 1 e3" in json.loads(command[1])
    assert misspelt[0] == 2
    assert "Did you mean 'explicit-midpoint'?" in misspelt[2]


def test_a_store_is_read_without_the_package(site, outcomes):
    assert outcomes["left"] == [0, "", ""]
    done = site.run("""
        import warnings
        import semidirect as sd
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            run = sd.Run.load("left.zarr")
        print(list(run.reductions), run["Omega"].shape, [str(w.message) for w in caught])
        sd.extend("left.zarr", paths=5)
    """, alone=True)  # fmt: skip
    assert "['moments'] (3, 3, 3) [" in done.stdout
    assert "unknown statistic 'share-above'" in done.stdout
    assert done.returncode == 1
    assert "unknown statistic 'share-above'" in done.stderr


def test_a_kernel_follows_an_edit_of_the_method(site):
    source = """
        import semidirect as sd
        from semidirect.integrators import integrator
        body, method = sd.load("rigid-body"), integrator("explicit-midpoint")
        run = body.simulate(t_end=0.2, dt=0.1, method=method, execution=sd.Execution(engine="compiled"), save="final")
        print(run.final["Omega"].tolist())
    """
    first = site.run(source)
    file = site.path / "my_dynamics" / "explicit_midpoint.py"
    text = file.read_text(encoding="utf-8")
    try:
        file.write_text(text.replace("(0.0, 1.0), order", "(0.5, 0.5), order"), encoding="utf-8")
        other = site.run(source)
    finally:
        file.write_text(text, encoding="utf-8")
    assert (first.returncode, other.returncode) == (0, 0), first.stderr + other.stderr
    assert first.stdout != other.stdout
    assert site.run(source).stdout == first.stdout
