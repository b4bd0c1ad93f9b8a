"""Files of the cache: what was written or nothing, in a folder that only this user can change."""

import os
import stat
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semidirect.machine.cache import files
from semidirect.machine.cache.private_folder import NotPrivateError, private_folder

posix = pytest.mark.skipif(os.name != "posix", reason="owners and permissions of POSIX")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("SEMIDIRECT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_what_is_written_is_read(place):
    assert files.read("a") is None
    files.write("a", b"content")
    files.write("b", b"")
    assert files.read("a") == b"content"
    assert files.read("b") == b""
    files.write("a", b"other")
    assert files.read("a") == b"other"
    files.remove("a")
    files.remove("a")
    assert files.read("a") is None
    assert sorted(p.name for p in place.iterdir()) == ["b"]
    assert os.name != "posix" or stat.S_IMODE(place.stat().st_mode) == 0o700
    assert os.name != "posix" or stat.S_IMODE((place / "b").stat().st_mode) == 0o600


def test_names_are_of_the_whole_key():
    keys = [["a", "b"], ["ab"], ["a", None], ["a", "None"], ["a", 1], ["a", 1.0], ["a", True], []]
    names = {files.name_of("kind", key) for key in keys} | {files.name_of("other", [])}
    assert len(names) == len(keys) + 1


@given(st.binary(max_size=200), st.data())
def test_damaged_files_are_detected_and_removed(tmp_path_factory, content, data):
    place = tmp_path_factory.mktemp("damage")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SEMIDIRECT_CACHE", str(place))
        files.write("a", content)
        whole = (place / "a").read_bytes()
        kind = data.draw(st.sampled_from(["flip", "cut", "longer", "replaced"]))
        at = data.draw(st.integers(0, len(whole) - 1))
        if kind == "flip":
            damaged = whole[:at] + bytes([whole[at] ^ 1 << data.draw(st.integers(0, 7))]) + whole[at + 1 :]
        elif kind == "cut":
            damaged = whole[:at]
        else:
            more = data.draw(st.binary(min_size=1, max_size=50))
            damaged = whole + more if kind == "longer" else more
        (place / "a").write_bytes(damaged)
        assert files.read("a") is None
        assert not (place / "a").exists()


def test_a_file_under_another_name_is_not_taken(place):
    files.write("a", b"content")
    (place / "a").rename(place / "b")
    assert files.read("b") is None


@pytest.mark.parametrize("variable", ["SEMIDIRECT_CACHE", "XDG_CACHE_HOME"])
@pytest.mark.parametrize("value", ["file", "file/below", "x" * 5000, "missing\nline"])
def test_places_that_cannot_be_used(tmp_path, monkeypatch, variable, value):
    monkeypatch.delenv("SEMIDIRECT_CACHE", raising=False)
    (tmp_path / "file").touch()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, value)
    files.write("a", b"content")
    assert files.read("a") == (b"content" if "line" in value else None)


def test_without_a_home_directory_nothing_is_cached(monkeypatch):
    for variable in ("SEMIDIRECT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)

    def home():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr("pathlib.Path.home", home)
    files.write("a", b"content")
    assert files.read("a") is None


@posix
@pytest.mark.parametrize("mode", [0o777, 0o702, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(place, mode, caplog):
    files.write("a", b"content")
    place.chmod(mode)
    assert not caplog.records
    assert files.read("a") is None
    files.write("b", b"content")
    files.remove("a")
    assert [p.name for p in place.iterdir()] == ["a"]
    (message,) = caplog.messages  # once, not for each file
    assert message.startswith(f"the cache on disk is not used: others can write to {place}; set SEMIDIRECT_CACHE")
    place.chmod(0o755)
    assert files.read("a") == b"content"


@posix
def test_a_folder_below_one_that_others_can_write_is_not_used(place):
    below = place / "one" / "two"
    with private_folder(below, create=True) as folder:
        folder.write("a", b"content")
    place.chmod(0o777)
    with pytest.raises(NotPrivateError), private_folder(below):
        pass
    place.chmod(0o1777)  # others can write there, and cannot rename what is not theirs
    with private_folder(below) as folder:
        assert folder.read("a") == b"content"


@posix
def test_links_and_other_kinds_of_files_are_not_read(place, tmp_path):
    files.write("a", b"content")
    (place / "b").symlink_to(place / "a")
    os.mkfifo(place / "c")
    (place / "d").mkdir()
    (place / "e").write_bytes((place / "a").read_bytes())
    (place / "e").chmod(0o666)
    with private_folder(place) as folder:
        for name in "bcde":
            with pytest.raises(OSError):
                folder.read(name)
        folder.write("b", b"own")  # the link is replaced; what it led to stays
        assert folder.read("b") == b"own"
    assert files.read("a") == b"content"


def chowned(path, uid):
    os.chown(path, uid, uid, follow_symlinks=False)


@pytest.mark.skipif(os.name != "posix" or os.getuid() != 0, reason="only root makes files of others")
def test_files_of_another_user_are_not_used(place, tmp_path):
    files.write("a", b"content")
    chowned(place / "a", 12345)
    assert files.read("a") is None
    chowned(place / "a", 0)
    assert files.read("a") == b"content"
    chowned(place, 12345)
    assert files.read("a") is None
    chowned(place, 0)
    link = tmp_path / "link"
    link.symlink_to(place)
    with private_folder(link) as folder:  # a link of this user
        assert folder.read("a")
    chowned(link, 12345)
    with pytest.raises(NotPrivateError), private_folder(link):
        pass
    between = tmp_path / "between"
    between.mkdir()
    (between / "cache").symlink_to(place)
    chowned(between, 12345)
    with pytest.raises(NotPrivateError), private_folder(between / "cache"):
        pass


@posix
def test_links_of_this_user_are_followed_wherever_they_lead(place, tmp_path):
    files.write("a", b"content")
    (tmp_path / "inner").mkdir(mode=0o700)
    (tmp_path / "inner" / "up").symlink_to("../other")
    (tmp_path / "other").symlink_to(place)
    with private_folder(tmp_path / "inner" / "up") as folder:
        assert folder.read("a")
    (tmp_path / "round").symlink_to("round")
    with pytest.raises(NotPrivateError), private_folder(tmp_path / "round"):
        pass


@posix
def test_a_folder_exchanged_after_it_was_opened_is_not_written(place, tmp_path):
    """What C3 is about: the check and the use are of one folder, not of one name."""
    files.write("a", b"content")
    other = tmp_path / "other"
    other.mkdir()
    with private_folder(place) as folder:
        place.rename(tmp_path / "moved")
        place.symlink_to(other)
        folder.write("b", b"content")
        assert folder.read("b") == b"content"
    assert not list(other.iterdir())
    assert (tmp_path / "moved" / "b").exists()


def test_descriptors_are_closed(place):
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("no list of open files")
    files.write("a", b"content")
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(20):
        files.read("a")
        files.read("missing")
        files.write("b", b"content")
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_descriptors_the_folder_is_used_by_name(place, monkeypatch):
    """As on Windows, where the user's folder is protected by its place."""
    monkeypatch.setattr("semidirect.machine.cache.private_folder.BY_DESCRIPTOR", False)
    files.write("a", b"content")
    assert files.read("a") == b"content"
    files.remove("a")
    assert files.read("a") is None
    assert not list(place.iterdir())


def test_writers_and_readers_at_once(place):
    """A reader sees the one or the other, never a part."""
    seen, contents = set(), [bytes([i]) * 100_000 for i in range(3)]
    threads = [threading.Thread(target=lambda c=c: [files.write("a", c) for _ in range(20)]) for c in contents]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        seen.add(files.read("a"))
    assert seen <= {None, *contents}
    assert files.read("a") in contents
    assert [p.name for p in place.iterdir()] == ["a"]
