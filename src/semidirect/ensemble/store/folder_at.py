"""The folder at a path or a URL."""

from __future__ import annotations

from pathlib import Path

from semidirect.ensemble.store.folder import Folder
from semidirect.ensemble.store.local_folder import LocalFolder
from semidirect.ensemble.store.remote_folder import RemoteFolder


def folder_at(place: Path | str | Folder) -> Folder:
    """The folder at a path, or at a URL, which is text with ``://``."""
    if isinstance(place, Folder):
        return place
    return RemoteFolder(place) if isinstance(place, str) and "://" in place else LocalFolder(Path(place))
