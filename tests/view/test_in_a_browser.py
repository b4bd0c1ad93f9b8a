"""The pages in a browser, headless Chromium: what they draw is the data, nothing is written to the console, they fit a phone.

All are opened at once by one browser, as wide as a phone. Pixels of the device are two pixels of the page wide: they are drawn
without a graphics card, and a quarter of them are enough.
"""

import base64
import dataclasses
import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect.view import View, motion_of_run, with_modes

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--allow-file-access-from-files", "--dump-dom", "--force-device-scale-factor=0.5", "--force-prefers-reduced-motion",
]  # fmt: skip
# Milliseconds of virtual time: on a busy machine a page may not have been drawn within the first.
BUDGETS = 3000, 12000, 48000
HOOP = Path(__file__).parents[2] / "examples" / "hopping_hoop.py"
PATHS = {"ghosts": 300}
"""How many paths a page shows, where these are not 20."""

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")

LISTEN = """<script>
const faults = [];
for (const kind of ["error", "warn"]) console[kind] = (...words) => faults.push(kind + ": " + words.join(" "));
addEventListener("error", (e) => faults.push("error: " + e.message));
addEventListener("securitypolicyviolation", (e) => faults.push("blocked: " + e.blockedURI));
</script>"""

ASK = """<script>
function ask() {
if (innerWidth !== 390) return setTimeout(ask, 20); // a frame that is not laid out yet
const report = { name: "NAME" }, text = (id) => document.getElementById(id).textContent;
try {
  report.play = document.getElementById("play").getAttribute("aria-label");
  const slider = document.getElementById("time"), last = semidirect.frames - 1;
  const key = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
  report.poses = [0, Math.round(last / 3), last].map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    return { frame: k, ...semidirect.pose(), clock: document.getElementById("clock").value, mode: text("mode") };
  });
  report.picture = semidirect.picture();
  report.title = text("title");
  report.legend = [...document.querySelectorAll("#meanings li")].map((item) => item.textContent);
  report.charts = [...document.querySelectorAll(".chart b")].map((title) => title.textContent);
  report.values = [...document.querySelectorAll(".chart span")].length;
  key("Home");
  key("ArrowRight");
  semidirect.pose();
  report.afterKeys = slider.value;
  const path = document.getElementById("path");
  if (path.options.length > 1) {
    path.value = path.options[1].value;
    path.dispatchEvent(new Event("change"));
    report.second = semidirect.pose();
  }
  report.word = text("word");
  report.overflow = document.documentElement.scrollWidth - innerWidth;
  report.width = innerWidth;
} catch (e) { faults.push("error: " + e.stack); }
report.faults = faults;
parent.postMessage(report, "*");
}
addEventListener("load", () => setTimeout(ask));
</script>"""

PHONES = """<!doctype html><body style="margin: 0">
<script>const reports = {{}};
addEventListener("message", (e) => {{
  reports[e.data.name] = e.data;
  if (Object.keys(reports).length === {count}) document.body.append(
    Object.assign(document.createElement("pre"), {{ id: "report", textContent: JSON.stringify(reports) }}));
}});</script>
{frames}</body>"""  # it listens before the first page speaks
FRAME = '<iframe src="{name}.html" style="width: 390px; height: 600px; border: 0"></iframe>'
NOTEBOOK = '<iframe srcdoc="{page}" sandbox="allow-scripts" style="width: 390px; height: 600px; border: 0"></iframe>'
MOVING = "<script>window.matchMedia = () => ({ matches: false, addEventListener() {} });</script>"


class Own(sd.System):
    """A body that states no shape."""

    group = sd.SE3()
    initial = {"Omega": (0.3, 1.0, 0.2), "Y": (0.2, 0.0, 0.1)}

    def lagrangian(self, xi):
        """½ Ω·IΩ + |Y|²."""
        return (xi.Omega[0] ** 2 + 2 * xi.Omega[1] ** 2 + 2.5 * xi.Omega[2] ** 2) / 2 + sd.ops.dot(xi.Y, xi.Y)


def opened(page, folder):
    """What the browser reports of a page, within the first budget of time in which it reports anything."""
    for budget in BUDGETS:
        more = [f"--virtual-time-budget={budget}", f"--user-data-dir={folder / f'profile-{budget}'}"]
        done = subprocess.run([CHROMIUM, *FLAGS, *more, page.as_uri()], capture_output=True, text=True, timeout=240)
        report = re.search(r'<pre id="report">(.*?)</pre>', done.stdout, re.DOTALL)
        if report:
            return json.loads(html.unescape(report[1]))
    pytest.fail(f"the page reports nothing:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


def ending(run, status, at, **data):
    """The run with other ends of its paths, and other values of some quantities."""
    component = np.full(run.paths, -1, np.int16)
    ends = {"status": np.array(status, np.int8), "failed_at": np.array(at, dtype=float), "failed_component": component}
    return sd.Run(dataclasses.replace(run.data, **ends, data={**run.data.data, **data}))


@pytest.fixture(scope="module")
def runs():
    ball = sd.load("routh-sphere", noise=[[0.5, 0, 0], [0, 0, 0.3]])
    short = {"t_end": 0.5, "dt": 0.02, "paths": 4, "seed": 5}
    disk, top = (sd.load(name).simulate(**short) for name in ("rolling-disk", "heavy-top"))
    sizes = [np.nan, np.inf, 0.0, 5e-324, 1e-60, 1e60, 1e308]
    scalars = zip([name for name in top if top[name].ndim == 2], sizes, strict=False)
    values = {name: np.where(top.times > 0.2, size, 1.0) * np.clip(top[name], -1, 1) for name, size in scalars}
    return {
        "ball": sd.load("routh-sphere").simulate(t_end=0.5, dt=0.02, paths=2, seed=5),
        "disk": disk,
        "top": ending(top, [0] * 4, np.full(4, np.nan), **values),
        "sleigh": sd.load("chaplygin-sleigh").simulate(**short),
        "own": Own().simulate(t_end=0.5, dt=0.02),
        "ghosts": ball.simulate(t_end=0.2, dt=0.02, paths=300, seed=5),
        "failed": ending(disk, [0, 5, 1, 3], [np.nan, 0.2, 0.02, 0.1]),
        "at-once": ending(disk, [4, 4, 1, 2], [0.0, 0.0, 0.0, 0.0]),
        "short": sd.load("heavy-top").simulate(t_end=4e-12, dt=1e-12),
    }


@pytest.fixture(scope="module")
def views(runs):
    """The pages. The sleigh and the hoop that hops change their modes, and one page shows an estimate beside the truth."""
    pages = {name: run.view(paths=PATHS.get(name, 20)) for name, run in runs.items()}
    motion = motion_of_run(runs["sleigh"].data, None, 2, 1000)
    mode = np.repeat((motion.times > 0.2)[None].astype(int), 2, axis=0)
    pages["sleigh"] = View.of(with_modes(motion, ("rolling", "flight"), mode, [(0, 0.2, "rolling → flight")]))
    hoop = {}
    exec(compile(HOOP.read_text(encoding="utf-8").partition("run = ")[0], str(HOOP), "exec"), hoop)
    hops = hoop["hoop"].simulate(mode="rolling", t_end=0.6, dt=0.02, paths=2, seed=5, method="lie-heun")
    pages["hoop"] = hops.view()
    truth = runs["disk"]
    data = (truth.times[5::5], np.stack([truth["x"][0, 5::5], truth["y"][0, 5::5]], axis=-1))
    seen = sd.inference.position(["x", "y"], noise=0.05)
    update = sd.ExtendedKalman({"omega": 0.1, "nu": 0.1})
    pages["filter"] = sd.filter(truth.system, seen, data, dt=0.02, update=update).view(truth=truth)
    return pages


@pytest.fixture(scope="module")
def reports(views, tmp_path_factory):
    """What each page reports."""
    folder = tmp_path_factory.mktemp("pages")
    pages = {}
    for name, view in views.items():
        page = view.html.replace("</title>", "</title>" + LISTEN, 1)
        pages[name] = page.replace("</body>", ASK.replace("NAME", name) + "</body>")
    pages["short"] = pages["short"].replace("</title>", "</title>" + MOVING, 1)
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    frames = NOTEBOOK.format(page=html.escape(pages["top"].replace('"top" }', '"notebook" }')))
    frames += "".join(FRAME.format(name=name) for name in pages)
    phones = folder / "phones.html"
    phones.write_text(PHONES.format(frames=frames, count=len(pages) + 1), encoding="utf-8")
    return opened(phones, folder)


def test_no_page_writes_to_the_console_or_scrolls_sideways_on_a_phone(views, reports):
    assert set(reports) == {*views, "notebook"}
    for name, report in reports.items():
        assert report["faults"] == [], name
        assert report["width"] == 390
        assert report["overflow"] <= 0, name
        assert len(report["picture"]) > 5000, name  # an empty canvas makes less


@pytest.mark.parametrize("name", ["ball", "disk", "top", "sleigh", "own", "ghosts"])
def test_what_is_drawn_is_the_data(name, runs, reports):
    """The rotation on the page is that of the run, at three times."""
    run, report = runs[name], reports[name]
    layout, element = run.data.layout(), run.element()
    row, n = min(layout.rotations.values(), key=lambda x: (x[0], -x[1]))
    rotation = np.broadcast_to(np.eye(3), (*element.shape[:2], 3, 3)).copy()
    rotation[..., :n, :n] = element[..., row : row + n, row : row + n]
    for pose in report["poses"]:
        assert np.abs(np.reshape(pose["rotation"], (3, 3)) - rotation[0, pose["frame"]]).max() < 1e-6
        assert float(pose["clock"].split()[0]) == pytest.approx(run.times[pose["frame"]], abs=6e-4)
    assert report["afterKeys"] == "1"
    if run.paths > 1:
        assert np.abs(np.reshape(report["second"]["rotation"], (3, 3)) - rotation[1, 1]).max() < 1e-6
    if "x" in run and run["x"].ndim == 3:
        moved = np.subtract(report["poses"][2]["position"], report["poses"][0]["position"])
        assert np.abs(moved - (run["x"][0, -1] - run["x"][0, 0])).max() < 1e-5


def test_the_frame_of_a_notebook_draws_the_same(reports):
    assert reports["notebook"]["poses"] == reports["top"]["poses"]


def test_it_plays_at_once_unless_motion_is_to_be_reduced(reports):
    assert {name: report["play"] for name, report in reports.items()} == {
        **dict.fromkeys(reports, "Play"),
        "short": "Pause",
    }


def test_a_page_has_a_title_a_legend_and_units(views, reports):
    assert reports["ball"]["title"] == "Routh sphere"
    assert reports["own"]["title"] == "Own"
    assert "energy [J]" in reports["ball"]["charts"]
    assert reports["ball"]["legend"] == ["path 0", "1 other path", "trail of the lowest point", "centre of mass"]
    assert "ellipsoid of its mass and inertia" in reports["own"]["legend"]
    assert "299 other paths" in reports["ghosts"]["legend"]
    for name, view in views.items():
        assert reports[name]["values"] == len(view.scene["series"]), name


def test_the_page_says_how_paths_end(reports):
    failed, at_once = reports["failed"]["word"], reports["at-once"]["word"]
    assert "2 of 4 paths fail" in failed
    assert "Path 1 fails at 0.2 s: a value is beyond its bound." in failed
    assert "Path 1 fails at 0 s: a step rotated by more than π/2." in at_once
    assert "where a path fails" in reports["failed"]["legend"]
    assert "fail" not in reports["disk"]["word"]


def test_modes_are_named(reports):
    assert [pose["mode"] for pose in reports["sleigh"]["poses"]] == ["rolling", "rolling", "flight"]
    assert reports["sleigh"]["legend"][-3:] == ["transitions of this path", "rolling", "flight"]


def test_an_estimate_is_beside_the_truth(runs, reports):
    report = reports["filter"]
    assert report["legend"][:3] == ["estimate", "truth", "its band"]
    assert report["charts"][:2] == ["x [m]", "y [m]"]
    run = runs["disk"]  # the second of the list is the truth, at the second time of the data
    assert np.abs(np.array(report["second"]["position"])[:2] - [run["x"][0, 10], run["y"][0, 10]]).max() < 1e-5


def test_a_path_ends_where_it_fails(runs, views):
    run, scene = runs["failed"], views["failed"].scene
    late = ~run.good[:, None] & (run.times >= np.where(run.good, np.inf, run.data.failed_at)[:, None])
    assert 0 < late.sum() < late.size

    def finite(text):
        return np.isfinite(np.frombuffer(base64.b64decode(text), "<f4").reshape(*late.shape, -1)).all(axis=-1)

    moving = [
        scene["quaternion"],
        scene["position"],
        scene["trail"],
        *scene["vectors"].values(),
        *scene["joints"].values(),
    ]
    for text in [*moving, *(one["change"] for one in scene["series"])]:
        assert not (finite(text) & late).any()
    assert (finite(scene["position"]) == ~late).all()  # and no path before
