"""The size of an installation, from the files that pip recorded: ``python docs/installed_size.py``, in any environment.

Compiled files of Python are left out, since pip and Python write them when they like.
"""

from __future__ import annotations

import re
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

SHOWN = 6
MEGABYTE = 1e6


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
    own = found.pop("semidirect")
    print(f"semidirect {own / MEGABYTE:.1f} MB; with all that it needs {(own + sum(found.values())) / MEGABYTE:.0f} MB")
    largest = sorted(found, key=found.__getitem__, reverse=True)
    for name in largest[:SHOWN]:
        print(f"  {name} {found[name] / MEGABYTE:.0f} MB")
    rest = largest[SHOWN:]
    print(f"  {len(rest)} others {sum(found[name] for name in rest) / MEGABYTE:.0f} MB")


if __name__ == "__main__":
    main()
