"""The page in a browser, headless Chromium: what it draws is the data, nothing is written to its console, it fits a phone.

Pixels of the device are two pixels of the page wide: they are drawn without a graphics card, and a quarter of them are enough.
"""

import base64
import dataclasses
import html
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import semidirect as sd

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--allow-file-access-from-files", "--dump-dom", "--force-device-scale-factor=0.5",
]  # fmt: skip
# Milliseconds of virtual time: on a busy machine a page may not have been drawn within the first.
BUDGETS = 1500, 6000, 24000
CALM = "--force-prefers-reduced-motion"
SYSTEMS = ["routh-sphere", "rolling-disk", "rattleback", "heavy-top", "spherical-robot", "nonholonomic-particle"]

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed: apt-get install chromium")

LISTEN = """<script>
const faults = [];
for (const kind of ["error", "warn"]) console[kind] = (...words) => faults.push(kind + ": " + words.join(" "));
addEventListener("error", (e) => faults.push("error: " + e.message));
addEventListener("securitypolicyviolation", (e) => faults.push("blocked: " + e.blockedURI));
</script>"""

ASK = """<script>
addEventListener("load", () => requestAnimationFrame(() => setTimeout(() => {
const report = { name: "NAME" };
try {
  report.play = document.getElementById("play").getAttribute("aria-label");
  const slider = document.getElementById("time"), last = semidirect.frames - 1;
  report.poses = [0, Math.round(last / 3), last].map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    return { frame: k, ...semidirect.pose(), PICTURE clock: document.getElementById("clock").value };
  });
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  semidirect.pose();
  report.afterKeys = slider.value;
  const path = document.getElementById("path");
  if (path.options.length > 1) {
    path.value = 1;
    path.dispatchEvent(new Event("change"));
    report.second = semidirect.pose();
  }
  report.overflow = document.documentElement.scrollWidth - innerWidth;
  report.width = innerWidth;
} catch (e) { faults.push("error: " + e.stack); }
report.faults = faults;
parent.postMessage(report, "*");
})));
</script>"""

PHONES = """<!doctype html><body style="margin: 0">{frames}
<script>const reports = {{}};
addEventListener("message", (e) => {{
  reports[e.data.name] = e.data;
  if (Object.keys(reports).length === {count}) document.body.append(
    Object.assign(document.createElement("pre"), {{ id: "report", textContent: JSON.stringify(reports) }}));
}});</script></body>"""
FRAME = '<iframe src="{name}.html" style="width: 390px; height: 844px; border: 0"></iframe>'

PICTURE = "picture: semidirect.picture(),"

NOTEBOOK = '<iframe srcdoc="{page}" sandbox="allow-scripts" style="width: 390px; height: 844px; border: 0"></iframe>'


def opened(page, folder, *flags):
    """What the browser reports of a page, within the first budget of time in which it reports anything."""
    for budget in BUDGETS:
        more = [f"--virtual-time-budget={budget}", f"--user-data-dir={folder / f'profile-{budget}'}", *flags]
        done = subprocess.run([CHROMIUM, *FLAGS, *more, page.as_uri()], capture_output=True, text=True, timeout=240)
        found = re.search(r'<pre id="report">(.*?)</pre>', done.stdout, re.DOTALL)
        if found:
            return json.loads(html.unescape(found[1]))
    pytest.fail(f"the page reports nothing:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")


@pytest.fixture(scope="module")
def runs():
    return {
        name: sd.load(name).simulate(t_end=0.5, dt=0.01 if name != "rattleback" else 0.002, paths=2, seed=5)
        for name in SYSTEMS
    }


@pytest.fixture(scope="module")
def reports(runs, tmp_path_factory):
    """What each page reports; all are opened at once, as wide as a phone."""
    folder = tmp_path_factory.mktemp("pages")
    for name, run in runs.items():
        page = run.view().html.replace("</title>", "</title>" + LISTEN, 1)
        page = page.replace("</body>", ASK.replace("NAME", name).replace("PICTURE", PICTURE) + "</body>")
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    frames = "".join(FRAME.format(name=name) for name in runs)
    noted = (folder / "heavy-top.html").read_text(encoding="utf-8").replace('"heavy-top" };', '"notebook" };')
    frames += NOTEBOOK.format(page=html.escape(noted))
    phones = folder / "phones.html"
    phones.write_text(PHONES.format(frames=frames, count=len(runs) + 1), encoding="utf-8")
    return opened(phones, folder, CALM)


@pytest.mark.parametrize("name", SYSTEMS)
def test_what_is_drawn_is_the_data(name, runs, reports):
    """The rotation on the page is that of the run, at three times."""
    run, report = runs[name], reports[name]
    assert report["faults"] == []
    layout, element = run.data.layout(), run.element()
    row, n = min(layout.rotations.values(), key=lambda x: (x[0], -x[1]), default=(0, 0))
    rotation = np.broadcast_to(np.eye(3), (*element.shape[:2], 3, 3)).copy()
    rotation[..., :n, :n] = element[..., row : row + n, row : row + n]
    for pose in report["poses"]:
        assert np.abs(np.reshape(pose["rotation"], (3, 3)) - rotation[0, pose["frame"]]).max() < 1e-6
        assert float(pose["clock"].split()[0]) == pytest.approx(run.times[pose["frame"]], abs=6e-4)
    assert len({pose["picture"] for pose in report["poses"]}) == 3
    assert all(len(pose["picture"]) > 5000 for pose in report["poses"])  # an empty canvas makes less
    assert report["afterKeys"] == "1"
    assert np.abs(np.reshape(report["second"]["rotation"], (3, 3)) - rotation[1, 1]).max() < 1e-6
    if "x" in run and run["x"].ndim == 3:
        moved = np.subtract(report["poses"][2]["position"], report["poses"][0]["position"])
        assert np.abs(moved - (run["x"][0, -1] - run["x"][0, 0])).max() < 1e-5


def test_the_frame_of_a_notebook_draws_the_same(reports):
    assert reports["notebook"]["faults"] == []
    assert len({pose["picture"] for pose in reports["notebook"]["poses"]}) == 3
    assert reports["notebook"]["poses"][2]["rotation"] == reports["heavy-top"]["poses"][2]["rotation"]


@pytest.mark.parametrize("name", SYSTEMS)
def test_it_does_not_scroll_sideways_on_a_phone(name, reports):
    assert reports[name]["width"] == 390
    assert reports[name]["overflow"] <= 0


def with_values(run, change):
    """The run with other values of its scalar quantities."""
    data = {name: change(values) if values.ndim == 2 else np.array(values) for name, values in run.data.items()}
    return sd.Run(dataclasses.replace(run.data, data=data))


def failing(run, status, at):
    """The run with other ends of its paths."""
    component = np.full(run.paths, -1, np.int16)
    ends = {"status": np.array(status, np.int8), "failed_at": np.array(at, dtype=float), "failed_component": component}
    return sd.Run(dataclasses.replace(run.data, **ends))


@pytest.fixture(scope="module")
def odd_runs():
    """Runs with paths that fail, all of them or some, at once or late, or that are stopped, and with values of any size."""
    disk = sd.load("rolling-disk")
    short = {"t_end": 0.5, "dt": 0.02, "paths": 3, "seed": 5}
    run = disk.simulate(**short)
    with pytest.warns(sd.errors.FailedPathsWarning):
        rattleback = sd.load("rattleback").simulate(t_end=1, dt=0.02, paths=12, seed=1)
    return {
        "failed": rattleback,
        "all": failing(run, [1, 5, 6], [0.1, 0.2, 0.3]),
        "at-once": failing(run, [1, 4, 2], [0.0, 0.0, 0.0]),
        "some": failing(run, [0, 1, 5], [np.nan, 0.02, 0.5]),
        "stopped": disk.simulate(**short, stop=sd.Stop("energy", above=-100.0)),
        "one-step": disk.simulate(t_end=0.02, dt=0.02),
        "resumed": disk.simulate(t_end=1.0, dt=0.02, paths=3, state=run.final),
        "short": sd.load("heavy-top").simulate(t_end=4e-12, dt=1e-12),
        "nan": with_values(run, lambda x: np.full(x.shape, np.nan)),
        "infinite": with_values(run, lambda x: np.where(x > np.median(x), np.inf, x)),
        "constant": with_values(run, lambda x: np.full(x.shape, 3.0)),
        **{f"{size:g}": with_values(run, lambda x, s=size: s * np.clip(x, -1, 1)) for size in (5e-324, 1e-60, 1e60, 1e308)},
    }  # fmt: skip


@pytest.fixture(scope="module")
def odd_reports(odd_runs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("odd")
    ask = ASK.replace("PICTURE", "").replace(
        "report.overflow", 'report.words = document.getElementById("word").textContent;\n  report.overflow'
    )
    ask = ask.replace(
        "report.words", 'report.shown = document.querySelectorAll(".chart span").length;\n  report.words', 1
    )
    for name, run in odd_runs.items():
        page = run.view().html.replace("</title>", "</title>" + LISTEN, 1)
        page = page.replace("</body>", ask.replace("NAME", name) + "</body>")
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    phones = folder / "phones.html"
    frames = "".join(FRAME.format(name=name) for name in odd_runs)
    phones.write_text(PHONES.format(frames=frames, count=len(odd_runs)), encoding="utf-8")
    return opened(phones, folder, CALM)


def test_paths_that_end_early_and_values_of_any_size_leave_the_page_alive(odd_runs, odd_reports):
    for name, run in odd_runs.items():
        report = odd_reports[name]
        assert report["faults"] == [], name
        assert report["shown"] == len(run.view().scene["series"]), name


def test_the_page_says_how_a_path_ends(odd_reports):
    second = {name: odd_reports[name]["words"] for name in ("all", "at-once", "some", "stopped")}
    assert "Path 1 fails at 0.2 s: a value is beyond its bound." in second["all"]
    assert "Path 1 fails at 0 s: a step rotated by more than π/2." in second["at-once"]
    assert "Path 1 fails at 0.02 s: a value is not finite." in second["some"]
    assert "Path 1 stopped at 0 s." in second["stopped"]
    assert "fail" not in odd_reports["resumed"]["words"]


def test_a_path_ends_where_it_fails(odd_runs):
    run = odd_runs["failed"]
    scene = run.view().scene
    late = ~run.good[:, None] & (run.times >= np.where(run.good, np.inf, run.data.failed_at)[:, None])
    assert late.any()
    assert not late.all()

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


def test_it_plays_at_once_unless_motion_is_to_be_reduced(tmp_path, reports):
    run = sd.load("heavy-top").simulate(t_end=0.5, dt=0.02, seed=5)
    place = tmp_path / "page.html"
    ask = """<script>addEventListener("load", () => document.body.append(Object.assign(document.createElement("pre"),
        { id: "report", textContent: JSON.stringify(document.getElementById("play").getAttribute("aria-label")) })));</script>"""
    place.write_text(run.view().html.replace("</body>", ask + "</body>"), encoding="utf-8")
    assert opened(place, tmp_path) == "Pause"
    assert {report["play"] for report in reports.values()} == {"Play"}  # where it is
