"""One writer at a time."""

from __future__ import annotations

import json
import logging
import os
import socket
from pathlib import Path
from types import TracebackType
from typing import Any

from semidirect.core.errors import StoreError

_log = logging.getLogger(__name__)


class Lock:
    """A file beside the store, ``run.zarr.lock``, that names the host and the process that writes it.

    The lock of a process of this host that is dead is taken over, and the log says so; nobody can know of a process of another
    host whether it lives.

    Raises
    ------
    StoreError
        If somebody else writes the store, or the lock cannot be made.
    """

    def __init__(self, store: Path):
        self.store, self.path = store, store.with_name(f"{store.name}.lock")

    def __enter__(self) -> Lock:
        owner = {"host": socket.gethostname(), "pid": os.getpid(), "began": _began(os.getpid())}
        for _ in range(3):
            try:
                number = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
            except FileExistsError:
                self._take_over()
            except OSError as error:
                raise StoreError(
                    f"cannot write {self.store}: {error.strerror or error}", hint="Choose a place you may write to."
                ) from error
            else:
                with os.fdopen(number, "w") as file:
                    json.dump(owner, file)
                return self
        raise StoreError(f"{self.store} is being written by others")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.path.unlink(missing_ok=True)

    def _take_over(self) -> None:
        """Remove the lock of a dead process; refuse any other."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:  # released meanwhile
            return
        owner = _owner(content)
        where = f"process {owner.get('pid')} on {owner.get('host')}"
        if owner.get("host") != socket.gethostname():
            raise StoreError(
                f"{self.store} is being written by {where}, of which it cannot be known here whether it lives",
                hint=f"If it does not, remove {self.path}.",
            )
        if _lives(owner):
            raise StoreError(f"{self.store} is being written by {where}", hint="Wait for it, or stop it.")
        stolen = self.path.with_name(f"{self.path.name}.{os.getpid()}")
        try:
            self.path.rename(stolen)
        except FileNotFoundError:
            return
        if stolen.read_bytes() != content:  # somebody was faster, and this is the lock of one who lives
            os.link(stolen, self.path)
            stolen.unlink()
            return
        stolen.unlink()
        _log.warning("%s: took over the lock of %s, which is dead", self.store, where)


def _owner(content: bytes) -> dict[str, Any]:
    try:
        owner = json.loads(content)
    except ValueError:
        owner = None
    return owner if isinstance(owner, dict) else {}


def _lives(owner: dict[str, Any]) -> bool:
    pid = owner.get("pid")
    if not isinstance(pid, int) or pid <= 0:
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return _began(pid) == owner.get("began")


def _began(pid: int) -> str | None:
    """When a process began, where the system tells: another process may have got the number of a dead one."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except OSError:
        return None
