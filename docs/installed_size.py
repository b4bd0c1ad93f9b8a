"""The size of an installation: ``python docs/installed_size.py``, in an environment in which the package is installed.

That of the package is the size of its folders, that of others of the files that pip recorded, without compiled files of Python.
"""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

SHOWN = 6
MEGABYTE = 1e6


def own_size() -> int:
    """Bytes of the package with its systems."""
    modules = {"semidirect", *(point.value.partition(":")[0].partition(".")[0] for point in entry_points_of_package())}
    folders = [Path(place) for module in modules for place in find_spec(module).submodule_search_locations or ()]  # type: ignore[union-attr]
    files = [file for folder in folders for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    return sum(file.stat().st_size for file in files)


def entry_points_of_package() -> list[EntryPoint]:
    """Systems and commands that are installed with the package."""
    return [point for point in distribution("semidirect").entry_points if point.group.startswith("semidirect.")]


def sizes(name: str) -> dict[str, int]:
    """Bytes of a distribution and of all that it needs without extras, by name."""
    found: dict[str, int] = {}
    waiting = [name]
    while waiting:
        one = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if one in found:
            continue
        try:
            there = distribution(one)
        except PackageNotFoundError:  # of another platform
            continue
        files = [Path(str(there.locate_file(file))) for file in there.files or () if file.suffix != ".pyc"]
        found[one] = sum(file.stat().st_size for file in files if file.is_file())
        for requirement in there.requires or ():
            package, _, marker = requirement.partition(";")
            if "extra" not in marker:
                waiting.append(re.match(r"[\w.-]+", package)[0])  # type: ignore[index]
    return found


def main() -> None:
    """Print the table."""
    found = sizes("semidirect")
    del found["semidirect"]
    own = own_size()
    print(f"semidirect {own / MEGABYTE:.1f} MB; with all that it needs {(own + sum(found.values())) / MEGABYTE:.0f} MB")
    largest = sorted(found, key=found.__getitem__, reverse=True)
    for name in largest[:SHOWN]:
        print(f"  {name} {found[name] / MEGABYTE:.0f} MB")
    rest = largest[SHOWN:]
    print(f"  {len(rest)} others {sum(found[name] for name in rest) / MEGABYTE:.0f} MB")


if __name__ == "__main__":
    main()
