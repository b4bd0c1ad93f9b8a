"""``semidirect view``: the page is written beside the run or where it is asked for."""

import pytest

import semidirect as sd


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    run = sd.load("heavy-top").simulate(t_end=0.2, dt=0.01, paths=3)
    return run.save(tmp_path_factory.mktemp("runs") / "top.zarr")


def test_a_page_beside_the_run(semidirect, stored):
    done = semidirect("view", stored)
    page = stored.with_suffix(".html")
    assert (done.code, done.err, done.out) == (0, "", f"{page}\n")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    again = semidirect("view", stored)
    assert again.code != 0
    assert "exists already" in again.err
    assert semidirect("view", stored, "--force").code == 0


def test_fewer_paths_and_frames_make_a_smaller_page(semidirect, stored, tmp_path):
    large, small = tmp_path / "large.html", tmp_path / "small.html"
    assert semidirect("view", stored, "-o", large).code == 0
    assert semidirect("view", stored, "-o", small, "--paths", 1, "--frames", 3).code == 0
    assert small.stat().st_size < large.stat().st_size
    refused = semidirect("view", stored, "-o", tmp_path / "none.html", "--paths", 0)
    assert refused.code != 0
    assert "whole number" in refused.err
