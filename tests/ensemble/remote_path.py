"""Names of objects, by fsspec, that tests use as they use paths of files."""

import os
import shutil
import uuid
from pathlib import Path

import pytest

AT = os.environ.get("SEMIDIRECT_TEST_STORES", "")
"""Where the tests of stores have them: ``memory://tests`` or ``s3://bucket``, say; by default in folders."""

on_a_disk = pytest.mark.skipif(bool(AT), reason="about the files and locks of a file system")


class RemotePath(str):
    """The URL of an object, or of all objects below it."""

    listed = False
    """Whether it comes from a list of objects, which are not asked for again."""

    @property
    def files(self):
        import fsspec

        files, name = fsspec.core.url_to_fs(str(self))
        files.invalidate_cache()
        return files, name

    def __truediv__(self, name):
        return RemotePath(f"{self}/{name}")

    def __hash__(self):
        return hash(str(self))

    @property
    def parent(self):
        return RemotePath(self.rpartition("/")[0])

    @property
    def name(self):
        return self.rpartition("/")[2]

    def with_name(self, name):
        return self.parent / name

    def relative_to(self, folder):
        return Path(self.removeprefix(f"{folder}/"))

    def exists(self):
        files, name = self.files
        return files.exists(name)

    def is_file(self):
        if self.listed:
            return True
        files, name = self.files
        return files.isfile(name)

    def is_dir(self):
        return False

    is_symlink = is_dir

    def rglob(self, pattern):
        files, name = self.files
        objects = [self / one.removeprefix(f"{name}/") for one in files.find(name) if Path(one).match(pattern)]
        for one in objects:
            one.listed = True
        return objects

    def glob(self, pattern):
        return [one for one in self.rglob(pattern) if one.parent == self]

    def iterdir(self):
        return {self / one.removeprefix(f"{self}/").split("/")[0] for one in self.rglob("*")}

    def read_bytes(self):
        files, name = self.files
        try:
            return files.cat_file(name, start=0, end=2**40)  # without an end, some ask for the size first
        except OSError:  # an empty object has no first byte
            return files.cat_file(name)

    def read_text(self):
        return self.read_bytes().decode()

    def write_bytes(self, content):
        files, name = self.files
        files.pipe_file(name, bytes(content))

    def write_text(self, text):
        self.write_bytes(text.encode())

    def unlink(self, missing_ok=False):
        files, name = self.files
        if self.exists() or not missing_ok:
            files.rm_file(name)

    def rename(self, other):
        """One object."""
        content = self.read_bytes()
        self.unlink()
        other.write_bytes(content)

    def stat(self):
        files, name = self.files
        return os.stat_result((0, 0, 0, 0, 0, 0, files.size(name), 0, 0, 0))


def folder(path):
    """A place for the stores of a test: the path, or one of its own at :data:`AT`."""
    return RemotePath(f"{AT}/{uuid.uuid4().hex[:12]}") if AT else path


def folder_for(place):
    """Make a folder where it must be made before its files."""
    if isinstance(place, Path):
        place.mkdir()


def copied(source, target):
    """Copy all files below a place to another one."""
    if isinstance(source, Path) and isinstance(target, Path):
        shutil.copytree(source, target)
    else:
        for file in source.rglob("*"):
            if file.is_file():
                (target / file.relative_to(source).as_posix()).write_bytes(file.read_bytes())


def removed(place):
    """Remove all files below a place."""
    if isinstance(place, Path):
        shutil.rmtree(place)
    else:
        for file in place.rglob("*"):
            file.unlink()
