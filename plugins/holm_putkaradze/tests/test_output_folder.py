import os

import pytest
from semidirect_holm_putkaradze.output_folder import OutputFolder

import semidirect as sd
from semidirect.core import errors

NAMES = ["a.txt", "data/b.txt", "data/runs/c.zarr"]


@pytest.fixture
def out(tmp_path):
    """A folder beside something precious."""
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious/mine").write_text("mine")
    return tmp_path / "new" / "out"


@pytest.fixture(scope="module")
def run():
    return sd.load("rigid-body").simulate(t_end=0.1, dt=0.1)


def write_all(folder, run, text):
    folder.claim(NAMES)
    folder.write("a.txt", text)
    folder.write("data/b.txt", text)
    run.save(folder.place("data/runs/c.zarr"))


def precious(out):
    return (out.parents[1] / "precious/mine").read_text() == "mine" and len(
        list((out.parents[1] / "precious").iterdir())
    ) == 1


def test_nothing_is_replaced_unless_that_is_asked_for(out, run):
    write_all(OutputFolder(out), run, "first")
    (out / "thesis.tex").write_text("mine")
    with pytest.raises(
        errors.StoreError, match=r"holds 'a\.txt' already\. Choose another folder, or replace .* --force"
    ):
        OutputFolder(out).claim(NAMES)
    with pytest.raises(errors.StoreError, match=r"holds 'a\.txt' already"):
        OutputFolder(out).write("a.txt", "second")
    assert (out / "a.txt").read_text() == "first"
    write_all(OutputFolder(out, force=True), run, "second")
    assert (out / "data/b.txt").read_text() == "second"
    assert sd.Run.load(out / "data/runs/c.zarr").paths == 1
    assert (out / "thesis.tex").read_text() == "mine"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["folder", "link to a folder", "link to a file", "link to nothing", "pipe"])
@pytest.mark.parametrize("force", [False, True])
def test_what_is_in_the_way(out, run, name, kind, force):
    """A link is replaced, what it leads to is not; a folder is only replaced if it is a run."""
    target = out / name
    target.parent.mkdir(parents=True)
    outside = out.parents[1] / "precious"
    if kind == "folder":
        target.mkdir()
        (target / "mine").write_text("mine")
    elif kind == "pipe":
        os.mkfifo(target)
    else:
        target.symlink_to(
            {"folder": outside, "file": outside / "mine"}.get(kind.rpartition(" ")[2], outside / "nothing")
        )
    if force and kind != "folder":
        write_all(OutputFolder(out, force), run, "new")
        assert not target.is_symlink()
        assert target.is_dir() == name.endswith(".zarr")
    else:
        with pytest.raises(errors.StoreError, match=r"is a folder\. Choose another|already\. Choose another"):
            OutputFolder(out, force).claim(NAMES)
        with pytest.raises(errors.StoreError, match=r"is a folder\. Choose another|already\. Choose another"):
            OutputFolder(out, force).place(name)
        assert kind != "folder" or (target / "mine").read_text() == "mine"
    assert precious(out)


@pytest.mark.parametrize("folder", ["data", "data/runs"])
@pytest.mark.parametrize("force", [False, True])
def test_nothing_is_written_through_a_link(out, folder, force):
    (out / folder).parent.mkdir(parents=True)
    (out / folder).symlink_to(out.parents[1] / "precious")
    with pytest.raises(errors.StoreError, match=rf"{folder} is not a folder, or a link to one"):
        OutputFolder(out, force).claim(NAMES)
    with pytest.raises(errors.StoreError, match=rf"{folder} is not a folder, or a link to one"):
        OutputFolder(out, force).place("data/runs/c.zarr")
    assert precious(out)


@pytest.mark.parametrize("listed", [["."], [".."], ["../../precious"], ["link/mine"], ["thesis.tex"], [""]])
def test_a_list_of_files_that_lies_there_is_not_believed(out, run, listed):
    """Whatever is called a manifest: it may be anybody's."""
    out.mkdir(parents=True)
    (out / "link").symlink_to(out.parents[1] / "precious")
    (out / "thesis.tex").write_text("mine")
    text = f'{{"format": "semidirect reproduce 1", "files": {listed}}}'.replace("'", '"')
    (out / "manifest.json").write_text(text)
    write_all(OutputFolder(out), run, "first")
    write_all(OutputFolder(out, force=True), run, "second")
    assert (out / "thesis.tex").read_text() == "mine"
    assert (out / "manifest.json").read_text() == text
    assert precious(out)


def test_not_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(errors.StoreError, match="is not a folder"):
        OutputFolder(tmp_path / "file").claim(["a"])
    with pytest.raises(errors.StoreError, match="cannot write"):
        OutputFolder(tmp_path / "file" / "below").claim(["a"])
    (tmp_path / "data").write_text("mine")
    with pytest.raises(errors.StoreError, match="data is not a folder, or a link to one"):
        OutputFolder(tmp_path, force=True).claim(["data/a"])
