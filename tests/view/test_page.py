"""The page of a run: what is in it, how large it is, what is refused."""

import base64
import dataclasses
import hashlib
import json
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

import semidirect as sd
from semidirect.core.errors import InputError, StoreError

VIEWER = files("semidirect.view") / "viewer"


@pytest.fixture(scope="module")
def run():
    return sd.load("routh-sphere").simulate(t_end=0.5, dt=0.01, paths=3, seed=1)


def numbers(text, kind="<f4"):
    return np.frombuffer(base64.b64decode(text), kind)


def test_the_bundle_is_built_from_the_script_beside_it():
    digest = hashlib.sha256((VIEWER / "viewer.js").read_bytes()).hexdigest()
    bundle = (VIEWER / "bundle.js").read_text(encoding="utf-8")
    assert bundle.startswith(f"/* viewer.js sha256 {digest}"), (
        "run npm ci && npm run build in src/semidirect/view/viewer"
    )
    version = json.loads((VIEWER / "package.json").read_text())["devDependencies"]["three"]
    assert f"three.js {version}" in bundle


def test_the_page_is_one_file_with_the_licence_of_three(run):
    page = run.view().html
    assert "Permission is hereby granted, free of charge" in page
    assert "three.js authors" in page
    assert not re.findall(r"<(?:script|link|img)[^>]*(?:src|href)=", page)
    assert "default-src 'none'" in page  # the browser refuses whatever would ask a network
    assert page.count("<script") == page.count("</script>") == 2


def test_twenty_paths_of_a_thousand_frames_are_under_five_megabytes(record_property):
    run = sd.load("rolling-ball").simulate(t_end=10.0, dt=0.01, paths=21, seed=1)
    page = run.view().html
    record_property("page of 20 paths x 1000 frames", f"{len(page.encode()) / 1e6:.2f} MB")
    assert len(page.encode()) < 5e6
    scene = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert numbers(scene["quaternion"]).size == 20 * 1000 * 4
    assert scene["notes"] == ["20 of 21 paths are shown."]


def test_frames_and_paths_are_those_asked_for(run):
    scene = run.view(paths=2, frames=11).scene
    assert scene["numbers"] == [0, 1]
    assert np.allclose(numbers(scene["times"], "<f8"), np.linspace(0, 0.5, 11))
    assert numbers(scene["series"][0]["change"]).size == 2 * 11


def test_observables_keep_their_small_changes(run):
    scene = run.view().scene
    for one in scene["series"]:
        shown = np.array(one["start"])[:, None] + numbers(one["change"]).reshape(3, -1)
        change = np.abs(run[one["name"]] - run[one["name"]][:, :1]).max()
        assert np.abs(shown - run[one["name"]]).max() <= 1e-7 * change + 1e-15


def test_the_run_of_a_store_has_the_shape_of_its_system(run, tmp_path):
    loaded = sd.Run.load(run.save(tmp_path / "ball.zarr"))
    assert loaded.view().scene == run.view().scene


class Bare(sd.System):
    """Free body that states no shape, with </script> in its documentation."""

    group = sd.SO3()
    initial = {"Omega": (1.0, 0.2, 0.1)}

    def lagrangian(self, xi):
        """Kinetic energy."""
        return (xi.Omega[0] ** 2 + 2 * xi.Omega[1] ** 2 + 3 * xi.Omega[2] ** 2) / 2


def test_a_system_without_a_shape_is_drawn_as_three_arrows():
    scene = Bare().simulate(t_end=0.2, dt=0.01).view().scene
    assert [part["kind"] for part in scene["bodies"][0]] == ["cylinder", "cone"] * 3


class Jointed(Bare):
    """A shape with a joint that the group does not have."""

    def shape(self):
        """A wheel."""
        return sd.shapes.Shape(sd.shapes.disc(1.0, joint="theta"))


class NoShape(Bare):
    """A shape of another class."""

    def shape(self):
        """A word."""
        return "a ball"


@pytest.mark.parametrize(("system", "problem"), [(Jointed, "joint 'theta'"), (NoShape, "NoShape.shape")])
def test_a_wrong_shape_is_refused(system, problem):
    with pytest.raises(InputError, match=problem):
        system().simulate(t_end=0.1, dt=0.01).view()


def test_each_path_has_the_body_of_its_parameters(tmp_path):
    system = sd.load("rolling-ball", radius=sd.PerPath(np.array([1.0, 2.0, 3.0])))
    run = system.simulate(t_end=0.1, dt=0.01, paths=3)
    scene = run.view().scene
    assert sd.Run.load(run.save(tmp_path / "balls.zarr")).view().scene == scene
    assert [np.array(parts[0]["linear"])[0, 0] for parts in scene["bodies"]] == [1.0, 2.0, 3.0]
    assert scene["body"] == [0, 1, 2]


def test_runs_that_cannot_be_animated_raise_errors(run):
    still = sd.load("rigid-body").simulate(t_end=0.1, dt=0.01, save="final")
    with pytest.raises(InputError, match="save='all'"):
        still.view()
    lost = sd.load("rigid-body").simulate(t_end=0.1, dt=0.01, formulation=sd.Formulation(reconstruct=False))
    with pytest.raises(InputError, match="reconstruct=True"):
        lost.view()
    for how in ({"paths": 0}, {"frames": 1}, {"paths": "all"}):
        with pytest.raises(InputError, match="whole number"):
            run.view(**how)


def test_a_path_that_failed_is_shown_as_long_as_it_has_values(run):
    data = {name: np.array(values) for name, values in run.data.items()}
    data["g"][1, 20:] = np.nan
    status = np.array(run.data.status)
    status[1] = 1
    scene = sd.Run(dataclasses.replace(run.data, data=data, status=status)).view().scene
    quaternion = numbers(scene["quaternion"]).reshape(3, -1, 4)
    assert scene["failed"] == [False, True, False]
    assert np.all(np.isfinite(quaternion[[0, 2]]))
    assert np.all(np.isfinite(quaternion[1, :20]))
    assert np.all(np.isnan(quaternion[1, 20:]))
    json.dumps(scene, allow_nan=False)


def test_a_page_is_not_overwritten_unless_asked(run, tmp_path):
    view = run.view()
    page = view.save(tmp_path / "ball.html")
    assert page.read_text(encoding="utf-8") == view.html
    with pytest.raises(StoreError, match="force=True"):
        view.save(page)
    page.write_text("old")
    assert view.save(page, force=True).read_text(encoding="utf-8") == view.html
    with pytest.raises(StoreError, match="cannot write"):
        view.save(tmp_path / "nowhere" / "ball.html")


def test_a_notebook_shows_it_in_a_frame_that_reaches_nothing(run):
    shown = run.view()._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert 'sandbox="allow-scripts"' in shown
    assert "<script" not in shown
    assert len(repr(run.view())) < 100


def test_the_code_of_the_page_on_animation_runs(tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "view.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    for block in blocks:
        exec(compile(block, "view.md", "exec"), names)
    assert {p.name for p in tmp_path.iterdir()} == {"ball.html", "marble.html"}
