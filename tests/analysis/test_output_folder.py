import json

import pytest
from semidirect_holm_putkaradze.output_folder import MANIFEST, OutputFolder

from semidirect.core.errors import StoreError


@pytest.fixture
def folder(tmp_path):
    return OutputFolder(tmp_path / "new" / "out", "a test 1")


def test_own_files_are_replaced_and_old_ones_removed(folder):
    folder.claim(["a.txt", "old/b.txt"])
    folder.write("a.txt", "first")
    folder.write("old/b.txt", "first")
    folder.finish(["a.txt", "old/b.txt"])
    assert sorted(folder.listed()) == ["a.txt", MANIFEST, "old/b.txt"]

    folder.claim(["a.txt"])
    folder.write("a.txt", "second")
    folder.finish(["a.txt"])
    assert (folder.path / "a.txt").read_text() == "second"
    assert not (folder.path / "old" / "b.txt").exists()
    assert sorted(folder.listed()) == ["a.txt", MANIFEST]


def test_an_interrupted_run_may_be_repeated(folder):
    folder.claim(["a.txt", "b.txt"])
    folder.write("a.txt", "half")
    folder.claim(["a.txt", "b.txt"])
    assert folder.write("a.txt", "whole").read_text() == "whole"


@pytest.mark.parametrize("foreign", ["a.txt", MANIFEST])
def test_files_of_others_are_refused_and_kept(folder, foreign):
    folder.path.mkdir(parents=True)
    (folder.path / foreign).write_text("mine")
    with pytest.raises(StoreError, match=f"holds '{foreign}', which this command has not written"):
        folder.claim(["a.txt"])
    assert (folder.path / foreign).read_text() == "mine"


def test_a_manifest_of_something_else_is_foreign(folder):
    folder.path.mkdir(parents=True)
    (folder.path / MANIFEST).write_text(json.dumps({"format": "another 1", "files": ["a.txt"]}))
    with pytest.raises(StoreError, match=MANIFEST):
        folder.claim(["a.txt"])


def test_a_manifest_never_reaches_outside(folder):
    folder.path.mkdir(parents=True)
    outside = folder.path.parent / "precious"
    outside.write_text("mine")
    listed = ["../precious", str(outside)]
    (folder.path / MANIFEST).write_text(json.dumps({"format": folder.format, "files": listed}))
    folder.claim(["a.txt"])
    folder.finish(["a.txt"])
    assert outside.read_text() == "mine"


def test_other_files_stay(folder):
    folder.path.mkdir(parents=True)
    (folder.path / "thesis.tex").write_text("mine")
    folder.claim(["a.txt"])
    folder.write("a.txt", "")
    folder.finish(["a.txt"])
    assert (folder.path / "thesis.tex").read_text() == "mine"


def test_not_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="is not a folder"):
        OutputFolder(tmp_path / "file", "a test 1").claim(["a"])
    with pytest.raises(StoreError, match="cannot write"):
        OutputFolder(tmp_path / "file" / "below", "a test 1").claim(["a"])
