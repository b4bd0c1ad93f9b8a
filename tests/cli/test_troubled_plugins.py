"""Plugins that end the program, print, are slow or raise texts with escape sequences leave the command line usable."""

import json
import os
import subprocess
import sys

import pytest

MODULES = {
    "ends": "import sys\nsys.exit(7)\n",
    "ends_quietly": "raise SystemExit\n",
    "odd": "class Odd(BaseException):\n    pass\nraise Odd('neither error nor exit')\n",
    "escapes": "raise ValueError('red \\x1b[31mtext\\x07 \\x9b2J \\u202eright to left')\n",
    "prints": "import sys\nprint('hello from a plugin')\nsys.stdout.write('more\\n')\n"
    "from semidirect_rigid_body import RigidBody as System\nfrom semidirect.cli import list as add_to\n",
    "slow": "import time\ntime.sleep(1.5)\nfrom semidirect_rigid_body import RigidBody as System\n",
    "ends_when_made": "import sys\nimport semidirect as sd\nclass System(sd.System):\n    group = sd.SO3()\n"
    "    def __init__(self, **given):\n        print('made')\n        sys.exit(0)\n",
}


class Plugins:
    """A folder with installed distributions, one for each module."""

    def __init__(self, folder, group):
        self.folder, self.group = folder, group

    def run(self, names, *arguments):
        for name in names:
            (self.folder / f"{name}.py").write_text(MODULES[name])
            info = self.folder / f"{name}-1.0.dist-info"
            info.mkdir()
            (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
            value = name if self.group == "commands" else f"{name}:System"
            (info / "entry_points.txt").write_text(f"[semidirect.{self.group}]\nx-{name} = {value}\n")
        path = os.pathsep.join([str(self.folder), *filter(None, [os.environ.get("PYTHONPATH")])])
        program = "import sys; from semidirect.cli.entry import main; sys.exit(main())"
        return subprocess.run(
            [sys.executable, "-c", program, *arguments],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
        )


@pytest.fixture
def systems(tmp_path):
    return Plugins(tmp_path, "systems")


@pytest.fixture
def commands(tmp_path):
    return Plugins(tmp_path, "commands")


def test_list_is_whole_and_json_whatever_plugins_do(systems):
    done = systems.run(MODULES, "list", "--format", "json")
    assert done.returncode == 0, done.stderr
    names = {one["name"] for one in json.loads(done.stdout)}
    assert {"rigid-body", "x-prints", "x-slow"} <= names
    assert not {"x-ends", "x-ends_quietly", "x-odd", "x-escapes", "x-ends_when_made"} & names
    assert "hello from a plugin\nmore\n" in done.stderr
    texts = {"ends": "sys.exit(7)", "ends_quietly": "sys.exit(None)", "odd": "Odd: neither error",
                       "ends_when_made": "sys.exit(0)", "escapes": r"red \x1b[31mtext\x07 \x9b2J \u202eright"}  # fmt: skip
    for name, text in texts.items():
        line = next(x for x in done.stderr.split("\n") if f"'x-{name}' of '{name}'" in x)
        assert text in line
        assert line.isprintable()
    assert "importing slow:x-slow" in done.stderr
    assert "importing prints:x-prints" not in done.stderr  # quick


@pytest.mark.parametrize("arguments", [("--help",), ("--version",), ()], ids=" ".join)
def test_help_is_whole_whatever_commands_do(commands, arguments):
    done = commands.run(["ends", "odd", "escapes", "prints"], *arguments)
    assert done.returncode == (0 if arguments else 2)
    assert "rigid" not in done.stdout
    assert ("multilevel" in done.stdout + done.stderr) or arguments == ("--version",)
    assert "hello" not in done.stdout
    for name in ("ends", "odd", "escapes"):
        line = next(x for x in done.stderr.split("\n") if f"the command 'x-{name}' of '{name}' is left out" in x)
        assert line.isprintable()


@pytest.mark.parametrize("name", ["ends", "odd", "escapes"])
def test_a_plugin_that_is_asked_for_is_an_error(systems, name):
    done = systems.run([name], "show", f"x-{name}")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"the plugin 'x-{name}' of '{name}' cannot be loaded" in done.stderr
    assert done.stderr.rstrip("\n").isprintable()
