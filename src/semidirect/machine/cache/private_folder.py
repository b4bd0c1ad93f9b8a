"""A folder of the user that nobody else can write to or redirect; it stays open while its files are read and written.

Every component of its path is opened in the one before it, without following links. A link is followed only if it belongs to
this user or to the administrator; a folder above is accepted only if others cannot rename what is in it. Files are opened in
the folder that was checked, so that nothing can be exchanged between the check and the use.

On a system without such calls (Windows), the folder belongs to the user by its location and is used by name.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import final

BY_DESCRIPTOR = hasattr(os, "getuid") and {os.open, os.mkdir, os.stat, os.unlink, os.readlink} <= os.supports_dir_fd
LINKS_FOLLOWED = 40
"""The most links that are followed, as in the Linux kernel."""


class NotPrivateError(OSError):
    """Other users can write to a folder, or redirect its path."""


@final
class PrivateFolder:
    """An open folder; see :func:`private_folder`."""

    def __init__(self, path: Path, descriptor: int | None):
        self._path, self._descriptor = path, descriptor

    def read(self, name: str) -> bytes:
        """The content of a file of the folder.

        Raises
        ------
        OSError
            If it does not exist, or is not a regular file that only this user can write.
        """
        with os.fdopen(self._open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or (self._descriptor is not None and not _private(status)):
                raise NotPrivateError(f"{name} is not a private file")
            return file.read()

    def write(self, name: str, content: bytes) -> None:
        """Write a file and give it its name when it is complete, so that nobody reads a part of it."""
        part = f"{secrets.token_hex(8)}.part"
        try:
            with os.fdopen(self._open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:
                file.write(content)
            if self._descriptor is None:
                os.replace(self._path / part, self._path / name)
            else:
                os.replace(part, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except BaseException:
            self.remove(part)
            raise

    def remove(self, name: str) -> None:
        """Remove a file, if it exists and can be removed."""
        with suppress(OSError):
            os.unlink(self._path / name if self._descriptor is None else name, dir_fd=self._descriptor)

    def _open(self, name: str, flags: int) -> int:
        if self._descriptor is None:
            return os.open(self._path / name, flags | getattr(os, "O_BINARY", 0), 0o600)
        return os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=self._descriptor)


@contextmanager
def private_folder(path: Path, *, create: bool = False) -> Iterator[PrivateFolder]:
    """Open a private folder of the user.

    Parameters
    ----------
    create : bool
        Whether to create the missing folders of its path, for this user alone.

    Raises
    ------
    NotPrivateError
        If others can write to it or to a folder above it, or if the path follows a link of another user.
    OSError
        If it does not exist or cannot be opened.
    """
    path = Path(os.path.join(os.getcwd(), path))
    if not BY_DESCRIPTOR:
        if create:
            path.mkdir(parents=True, exist_ok=True)
        if not path.is_dir():
            raise NotADirectoryError(str(path))
        yield PrivateFolder(path, None)
        return
    descriptor = _descend(path, create)
    try:
        if not _private(os.fstat(descriptor)):
            raise NotPrivateError(f"others can write to {path}")
        yield PrivateFolder(path, descriptor)
    finally:
        os.close(descriptor)


def _descend(path: Path, create: bool) -> int:
    """A descriptor of the folder, reached only through folders that others cannot change."""
    at = os.open(path.anchor, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        rest, links = list(path.parts[1:]), 0
        while rest:
            name = rest.pop(0)
            if not _steady(os.fstat(at)):
                raise NotPrivateError(f"others can rename {name} on the way to {path}")
            try:
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
            except FileNotFoundError:
                if not create:
                    raise
                with suppress(FileExistsError):  # another process created it first
                    os.mkdir(name, 0o700, dir_fd=at)
                status = os.stat(name, dir_fd=at, follow_symlinks=False)
            if stat.S_ISLNK(status.st_mode):
                links += 1
                if status.st_uid not in (0, os.getuid()) or links > LINKS_FOLLOWED:
                    raise NotPrivateError(f"the link {name} on the way to {path} is not to be followed")
                target = Path(os.readlink(name, dir_fd=at))
                rest[:0] = target.parts[1:] if target.is_absolute() else target.parts
                name = target.anchor or "."
            below = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=at)
            os.close(at)
            at = below
        return at
    except BaseException:
        os.close(at)
        raise


def _private(status: os.stat_result) -> bool:
    """Whether it belongs to this user and nobody else may write to it."""
    return status.st_uid == os.getuid() and not _others_write(status)


def _steady(status: os.stat_result) -> bool:
    """Whether others cannot rename entries of this folder that are not theirs."""
    return status.st_uid in (0, os.getuid()) and (not _others_write(status) or bool(status.st_mode & stat.S_ISVTX))


def _others_write(status: os.stat_result) -> bool:
    group = status.st_mode & 0o020 and not _own_group(status.st_gid)
    return bool(status.st_mode & 0o002 or group)


def _own_group(gid: int) -> bool:
    """Whether this user is the only member of a group, as on systems where every user has a group of the same name."""
    import grp
    import pwd

    try:
        user, group = pwd.getpwuid(os.getuid()), grp.getgrgid(gid)
    except KeyError:
        return False
    return user.pw_gid == gid and group.gr_name == user.pw_name and set(group.gr_mem) <= {user.pw_name}
