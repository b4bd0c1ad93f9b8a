"""Another package adds commands by one file and an entry point each, from the signature of a function or by hand."""

import os
import subprocess
import sys
import textwrap

import pytest

FILES = {
    "spun/spin.py": '''
        """How fast a system spins."""

        from __future__ import annotations

        from dataclasses import dataclass
        from typing import Literal

        from semidirect.cli import Answer, Command

        Unit = Literal["radians", "degrees"]


        @dataclass(frozen=True)
        class Spin:
            text: str

            def __str__(self):
                return self.text

            def described(self):
                return {"spin": self.text}


        def spin(system, label: str, *, t_end: float, dt: float = 0.1, state=None, driver=None, execution=None, method=None,
                 turns: int = 4, names: Sequence[str] = (), unit: Unit = "radians", loud: bool = False, hook=None) -> Spin:
            """How fast a system spins.

            Parameters
            ----------
            system : System
            label : str
                What to print first.
            t_end : float
                When it is looked at [s].
            turns : int
                How often it turns, e.g. ``turns=2``. More is slower.
            names : sequence of str, optional
                Quantities to print; default the angular velocity.
            loud : bool
                Whether to print it in capitals.
            """
            run = system.simulate(t_end=t_end, dt=dt, state=state, driver=driver, execution=execution, method=method)
            values = {name: run.final[name][0].tolist() for name in names or ["Omega"]}
            text = f"{label} {turns} {unit} {values} {run.config['method']} {run.config['noise']['kind']}"
            return Spin(text.upper() if loud else text)


        COMMAND = Command("spin", "print how fast a system spins", ["spun.spin:spin"], left_out={"hook": "a function"},
                          from_file=True, examples=("spin rigid-body now --t-end 1",),
                          answer=Answer(status=lambda result: 1 if "FAST" in result.text else 0))
        add = COMMAND.add
        ''',
    "spun/by_hand.py": """
        from semidirect.cli.arguments import add_command, add_system, number, place, whole


        def add(commands):
            parser = add_command(commands, "by-hand", "print the group of a system", execute)
            add_system(parser)
            parser.add_argument("--often", type=whole, default=1)
            parser.add_argument("--at", type=number)
            parser.add_argument("--where", type=place)


        def execute(args):
            from semidirect.cli.values import load

            system = load(args.name, args.settings)
            print(args.often * f"{system.group.name} {system.values['inertia'].tolist()} ", args.at, args.where)
            return 0
        """,
    "spun/unclear.py": """
        from semidirect.cli.command import Command


        def unclear(system, shape: tuple[int, ...] = ()):
            pass


        add = Command("unclear", "do something", ["spun.unclear:unclear"]).add
        """,
    "spun/absent.py": """
        from semidirect.cli.command import Command

        add = Command("absent", "do something", ["spun.absent:nothing"]).add
        """,
    "spun/__init__.py": "",
}
NAMES = {"spin": "spin", "by-hand": "by_hand", "unclear": "unclear", "absent": "absent"}
SCALED = ["--set", "inertia=[1, 1, 1]", "--state", "Omega=[0, 0, 2]"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("spun")
    for name, text in FILES.items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_text(textwrap.dedent(text), encoding="utf-8")
    info = place / "spun-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: spun\nVersion: 1.0\n")
    entries = "\n".join(f"{name} = spun.{module}" for name, module in NAMES.items())
    (info / "entry_points.txt").write_text(f"[semidirect.commands]\n{entries}\n")
    return place


@pytest.fixture
def call(folder, monkeypatch, semidirect):
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("COLUMNS", "120")
    yield semidirect
    for name in [name for name in sys.modules if name.partition(".")[0] == "spun"]:
        del sys.modules[name]


def test_help_follows_from_signature_docstring_and_declarations(call):
    done = call("spin", "--help")
    assert (done.code, done.err) == (0, "")
    text = " ".join(done.out.split())
    for line in (
        "LABEL what to print first", "NAME an installed system, 'semidirect list' shows them",
        "--t-end S when it is looked at [s] ", "--turns N how often it turns, e.g. turns=2 (default: 4)",
        "--names NAMES quantities to print (default: the angular velocity)", "--loud whether to print it in capitals",
        "--unit {radians,degrees}", "--set KEY=JSON a parameter or option", "--state KEY=JSON a state variable", "--noise-dt S",
        "--engine NAME", "--format {table,json}", "--config FILE.toml",
        "noise of the run:", "example: semidirect spin rigid-body now --t-end 1",
    ):  # fmt: skip
        assert line in text
    assert "--hook" not in text


def test_it_is_called_with_what_is_typed(call):
    done = call(
        "spin", "rigid-body", "now", "--t-end", "0.2", "--turns", "2", "--unit=degrees", "--driver", "0", *SCALED
    )
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("now 2 degrees {'Omega': [0.0, 0.0, 2.0")
    done = call("spin", "rigid-body", "fast", "--t-end", "0.1", "--loud", "--names", "g,Omega", "--format", "json")
    assert (done.code, done.err) == (1, "")
    assert '"spin": "FAST 4 RADIANS {\'G\': ' in done.out


def test_its_arguments_may_be_in_a_file(call, tmp_path):
    file, copy = tmp_path / "spin.toml", tmp_path / "copy.toml"
    file.write_text('system = "rigid-body"\nlabel = "filed"\nt-end = 0.2\nnames = ["g"]\n[state]\nOmega = [0, 0, 2]\n')
    done = call("spin", "--config", str(file), "--turns", "7", "--driver", "0", "--write-config", str(copy))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("filed 7 radians {'g': ")
    assert call("spin", "--config", str(copy)).out == done.out
    assert "NAME, LABEL, or --config with a file" in " ".join(call("spin").err.split())
    file.write_text("trns = 2\n")
    assert "Did you mean 'turns'?" in call("spin", "--config", str(file)).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--turn", "2"], "unrecognized arguments: --turn 2. Did you mean '--turns'?"),
        (["--turns", "two"], "argument --turns: expected a whole number, got 'two'"),
        (["--unit", "degree"], "Did you mean 'degrees'?"),
        (["--names", ","], "--names: expected names of quantities"),
        (["--state", "Omega=abc"], "--state Omega: expected JSON"),
        (["--set", "mas=1"], "unknown parameter or option of RigidBody 'mas'"),
    ],
)
def test_what_cannot_be_used_is_explained(call, arguments, message):
    done = call("spin", "rigid-body", "now", "--t-end", "0.1", *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.split())


def test_a_command_may_be_declared_by_hand(call):
    done = call("by-hand", "rigid-body", "--set", "inertia=[1, 1, 1]", "--often", "2", "--at", "0.5", "--where", "x")
    assert (done.code, done.err) == (0, "")
    assert done.out.split() == [*["SO3", "[1.0,", "1.0,", "1.0]"] * 2, "0.5", "x"]


def test_what_a_signature_does_not_say_is_asked_for(call):
    done = call("unclear", "rigid-body")
    assert done.code == 2
    text = " ".join(done.err.split())
    assert "the parameter 'shape' of spun.unclear:unclear cannot be an option" in text
    assert "or leave it out with a reason in Command(left_out=…)" in text
    assert "no function spun.absent:nothing" in " ".join(call("absent").err.split())
    assert call("--help").code == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_its_arguments_are_completed(folder, tmp_path):
    line = "semidirect spin rigid-body now --state Om"
    asked = {
        "_ARGCOMPLETE": "1", "_ARGCOMPLETE_IFS": "\n", "_ARGCOMPLETE_SUPPRESS_SPACE": "1", "COMP_LINE": line,
        "COMP_POINT": str(len(line)), "_ARGCOMPLETE_STDOUT_FILENAME": str(tmp_path / "answer"),
    }  # fmt: skip
    environment = {
        **os.environ,
        **asked,
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
    }
    program = [sys.executable, "-c", "from semidirect.cli.entry import main; main()"]
    assert subprocess.run(program, env=environment).returncode == 0
    assert (tmp_path / "answer").read_text(encoding="utf-8") == "Omega="
