"""The page in a browser, headless Chromium: what it draws is the data, nothing is written to its console, it fits a phone."""

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
    "--allow-file-access-from-files", "--dump-dom",
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
  const slider = document.getElementById("time"), last = semidirect.frames - 1;
  report.poses = [0, Math.round(last / 3), last].map((k) => {
    slider.value = k;
    slider.dispatchEvent(new Event("input"));
    return { frame: k, ...semidirect.pose(), picture: semidirect.picture(), clock: document.getElementById("clock").value };
  });
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
  semidirect.picture();
  report.afterKeys = slider.value;
  const path = document.getElementById("path");
  if (path.options.length > 1) {
    path.value = 1;
    path.dispatchEvent(new Event("change"));
    semidirect.picture();
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
        page = page.replace("</body>", ASK.replace("NAME", name) + "</body>")
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
    layout, element = run.layout(), run.element()
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


def test_it_plays_at_once_unless_motion_is_to_be_reduced(tmp_path):
    run = sd.load("heavy-top").simulate(t_end=0.5, dt=0.02, seed=5)
    place = tmp_path / "page.html"
    ask = """<script>addEventListener("load", () => document.body.append(Object.assign(document.createElement("pre"),
        { id: "report", textContent: JSON.stringify(document.getElementById("play").getAttribute("aria-label")) })));</script>"""
    place.write_text(run.view().html.replace("</body>", ask + "</body>"), encoding="utf-8")
    assert opened(place, tmp_path) == "Pause"
    assert opened(place, tmp_path, CALM) == "Play"
