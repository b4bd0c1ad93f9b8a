"""Runs as moving pictures: their frames differ, they last as long as the run at its speed, what cannot be written is refused."""

import shutil
from itertools import pairwise

import numpy as np
import pytest
from PIL import Image

import semidirect as sd
from semidirect.core.errors import InputError, StoreError


@pytest.fixture(scope="module")
def view():
    return sd.load("spherical-robot").simulate(t_end=1.0, dt=0.02, paths=2, seed=1).view()


def test_a_gif_moves_and_lasts_as_long_as_the_run(view, tmp_path):
    place = view.animate(tmp_path / "ball.gif", number=1, fps=4)
    with Image.open(place) as picture:
        assert picture.n_frames == int(1.0 / view.scene["speed"] * 4)
        pictures = []
        for frame in range(picture.n_frames):
            picture.seek(frame)
            pictures.append(np.array(picture.convert("RGB")))
    assert all(np.any(a != b) for a, b in pairwise(pictures))
    assert list(tmp_path.iterdir()) == [place]


def test_a_picture_that_cannot_be_written_is_refused(view, tmp_path, monkeypatch):
    with pytest.raises(InputError, match=r"\.gif or \.mp4"):
        view.animate(tmp_path / "ball.png")
    with pytest.raises(InputError, match="number"):
        view.animate(tmp_path / "ball.gif", number=2)
    with pytest.raises(StoreError, match="cannot write"):
        view.animate(tmp_path / "nowhere" / "ball.gif", fps=2)
    (tmp_path / "there.gif").write_text("old")
    with pytest.raises(StoreError, match="force=True"):
        view.animate(tmp_path / "there.gif")
    monkeypatch.setattr(shutil, "which", lambda *a, **k: None)
    with pytest.raises(InputError, match="ffmpeg"):
        view.animate(tmp_path / "ball.mp4")
    assert [p.name for p in tmp_path.iterdir()] == ["there.gif"]


def test_the_command_writes_a_gif_beside_the_run(tmp_path, capsys):
    from semidirect.cli.entry import main

    stored = sd.load("rigid-body").simulate(t_end=0.2, dt=0.02).save(tmp_path / "body.zarr")
    assert main(["animate", str(stored), "--fps", "5"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'body.gif'}\n"
    assert (tmp_path / "body.gif").read_bytes().startswith(b"GIF89a")
