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
from semidirect.view import View, motion_of_run, with_modes
from semidirect.view.estimate import motion_of_estimate
from semidirect.view.mass_ellipsoid import mass_shape
from semidirect.view.preset_name import preset_name

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
    assert scene["labels"] == ["0", "1"]
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


def test_a_system_without_a_shape_is_drawn_as_its_mass_ellipsoid_and_axes():
    scene = Bare().simulate(t_end=0.2, dt=0.01).view().scene
    assert not scene["hasShape"]
    first, *others = scene["bodies"][0]
    assert [part["kind"] for part in (first, *others)] == ["sphere", *["cylinder", "cone"] * 3]
    squares = np.linalg.norm(first["linear"], axis=1) ** 2
    assert np.allclose(
        squares, np.array([2, 1, 0.0025 * 2]) / 2
    )  # (I₂ + I₃ − I₁ : …) = 4 : 2 : 0, drawn as thin as it may be


class Hung(Bare):
    """The same body in a field of weight."""

    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(sd.SO3()), (0, 0, 1))}

    def lagrangian(self, xi, a):
        """With a potential energy."""
        return super().lagrangian(xi) - a.Gamma[2]


@pytest.mark.parametrize(("start", "parts"), [((0, 0, 1), 7), (np.tile([0.0, 0.0, 1.0], (2, 1)), 6)])
def test_a_start_per_path_has_no_one_ellipsoid(start, parts):
    """Its record says "per path"; then axes alone are drawn."""
    run = Hung().simulate(t_end=0.02, dt=0.01, paths=2, seed=1, state={"Gamma": start})
    assert len(run.view().scene["bodies"][0]) == parts


class Offset(sd.System):
    """A block of mass 2 kg, whose centre of mass is at (0.3, −0.1, 0.2), turned by 0.4 about the first axis."""

    group = sd.SE3()
    initial = {"Omega": (1.0, 0.2, 0.1), "Y": (0.0, 0.1, 0.0)}

    def lagrangian(self, xi):
        """½ m|Y + Ω × c|² + ½ Ω·IΩ."""
        turn = sd.SO3().exp([0.4, 0, 0]) @ np.diag([0.05, 0.06, 0.07]) @ sd.SO3().exp([-0.4, 0, 0])
        speed = xi.Y + sd.ops.cross(xi.Omega, [0.3, -0.1, 0.2])
        return sd.ops.dot(speed, speed) + sd.ops.dot(xi.Omega, sd.ops.inertia(turn, xi.Omega)) / 2


def test_the_ellipsoid_has_the_mass_the_centre_and_the_moments_of_the_body():
    """Of an ellipsoid with semi-axes a, b, c these are m (b² + c²)/5 and so on."""
    body = mass_shape(Offset(), {}, 1.0, True).parts[0]
    linear, centre = body.placement()
    assert np.allclose(centre, [0.3, -0.1, 0.2], rtol=0, atol=1e-12)
    second = 2.0 / 5 * linear @ linear.T
    inertia = np.trace(second) * np.eye(3) - second
    turn = sd.SO3().exp([0.4, 0, 0])
    assert np.allclose(inertia, turn @ np.diag([0.05, 0.06, 0.07]) @ turn.T, rtol=0, atol=1e-12)


def test_a_sleigh_is_a_disc_about_its_centre_of_mass():
    body = mass_shape(sd.load("chaplygin-sleigh", mass=1.3, inertia=0.7, ahead=0.4), {}, 1.0, True).parts[0]
    linear, centre = body.placement()
    radii = np.sort(np.linalg.norm(linear, axis=0))
    assert np.allclose(centre, [0.4, 0, 0])
    assert np.allclose(radii[1:], np.sqrt(2.5 * 0.7 / 1.3))  # I = m (a² + a²)/5


@pytest.mark.parametrize(
    ("made", "name"),
    [
        (lambda: sd.load("routh-sphere", radius=2.0), "routh-sphere"),
        (lambda: sd.load("routh-sphere", inertia=(1.0, 2.0, 2.5)), "rolling-ball"),
        (lambda: sd.load("chaplygin-ball"), "chaplygin-ball"),
        (Bare, "Bare"),
    ],
)
def test_a_page_has_the_name_of_the_preset_whose_choices_its_system_has(made, name):
    assert preset_name(made()) == name


def test_modes_and_transitions_are_on_the_page(run):
    motion = motion_of_run(run.data, None, 2, 11)
    mode = np.repeat([[0, 1]], 2, axis=0)[:, np.arange(11) // 6]
    hits = [(0, 0.1, "flight → rolling"), (0, 0.2, "rolling → flight"), (2, 0.3, "not shown")]
    scene = View.of(with_modes(motion, ("flight", "rolling"), mode, hits)).scene
    assert scene["modes"] == ["flight", "rolling"]
    assert np.array_equal(numbers(scene["mode"], "<i1").reshape(2, 11), mode)
    assert scene["instants"] == [[[0.1, "flight → rolling"], [0.2, "rolling → flight"]], []]


def test_the_band_of_an_estimate_has_its_covariance(run):
    """Each configuration of the band is as many standard deviations away at all times; the truth is the run."""
    times = run.times[::10]
    system, group = run.system, run.system.group
    roots = 0.05 * np.random.default_rng(1).standard_normal((len(times), 6, 6))
    covariance = roots @ np.swapaxes(roots, 1, 2)
    mean = run.element()[1, ::10]
    speeds = {"energy": (run["energy"][1, ::10], np.full(len(times), 0.1))}
    motion = motion_of_estimate(system, times, mean, covariance, speeds, run.data, 1000)
    assert motion.roles[0] == "path"
    assert motion.roles[-1] == "truth"
    assert set(motion.roles[1:-1]) == {"band"}
    assert np.abs(motion.body.rotation[0] - mean[:, :3, :3]).max() < 1e-12
    assert np.abs(motion.body.position[-1] - run["x"][0, ::10]).max() < 1e-12
    g = np.zeros((len(motion.roles) - 2, len(times), 4, 4))
    g[..., :3, :3], g[..., :3, 3], g[..., 3, 3] = motion.body.rotation[1:-1], motion.body.position[1:-1], 1.0
    eta = group.log(group.inverse(mean) @ g)
    away = np.einsum("kti,tij,ktj->kt", eta, np.linalg.inv(covariance), eta)
    assert np.allclose(away, away[:, :1], rtol=1e-5)
    assert 3 < away[:, 0].mean() < 9  # χ² of 6 degrees of freedom, by 24 of them
    energy = next(curve for curve in motion.curves if curve.name == "energy")
    assert np.allclose(energy.values[1:-1].max(axis=0) - energy.values[0], 0.2)
    assert np.array_equal(energy.values[-1], run["energy"][0, ::10])


def test_the_truth_covers_the_times_of_the_estimate(run):
    times = np.array([0.0, 2.0])
    g = run.element()[0, [0, -1]]
    with pytest.raises(InputError, match="saved the times"):
        motion_of_estimate(run.system, times, g, np.zeros((2, 6, 6)), {}, run.data, 10)


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
