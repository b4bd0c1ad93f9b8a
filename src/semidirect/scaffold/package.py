"""The files of a plugin package."""

from __future__ import annotations

from pathlib import Path

from semidirect.core import __version__
from semidirect.scaffold.choices import Choices
from semidirect.scaffold.definition import definition
from semidirect.scaffold.tests import tests

PYPROJECT = """[build-system]
requires = ["hatchling>=1.26"]
build-backend = "hatchling.build"

[project]
name = "{name}"
version = "0.1.0"
description = "{title}, for semidirect"
requires-python = ">=3.11"
dependencies = ["semidirect>={semidirect}"]

[project.optional-dependencies]
test = ["semidirect[test]"]

[project.entry-points."semidirect.systems"]
{name} = "{module}:{class_name}"

[tool.hatch.build.targets.wheel]
packages = ["{module}"]
"""

INIT = '''"""{title}."""

from {module}.{module} import {class_name}

__all__ = ["{class_name}"]
'''

README = """# {name}

{title}, a system for semidirect.

```
pip install -e ".[test]"
semidirect list
semidirect check {name}
semidirect equations {name}
semidirect run {name} --t-end 10 --dt 0.01 --paths 100
pytest
```

`{module}/{module}.py` states the group, the advected quantities, the Lagrangian, the constraint and the noise. Change it, and let
`semidirect check {name}` say whether it still is a system. The tests hold it against the contract and assert what is known
about it exactly.
"""


def package(choices: Choices) -> dict[str, str]:
    """The files of a package by their paths, as text."""
    text, title = definition(choices)
    names = {
        "name": choices.name,
        "module": choices.module,
        "class_name": choices.class_name,
        "title": title,
        "semidirect": __version__,
    }  # pip takes a release candidate only where a requirement names one
    return {
        "pyproject.toml": PYPROJECT.format(**names), "README.md": README.format(**names),
        f"{choices.module}/__init__.py": INIT.format(**names), f"{choices.module}/{choices.module}.py": text,
        f"tests/test_{choices.module}.py": tests(choices),
    }  # fmt: skip


def write(choices: Choices, folder: Path) -> list[Path]:
    """Write the package into a new folder; the paths of its files.

    Raises
    ------
    StoreError
        If the path exists already, or cannot be created.
    """
    from semidirect.text import printing

    printing.new_folder(folder)
    paths = []
    for name, text in package(choices).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths
