"""Commands agree with the functions that they call, and each kind of argument is declared once."""

import ast
import inspect
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import get_args

import pytest

import semidirect
from semidirect.cli.answer import FORMAT
from semidirect.cli.commands import BUILT_IN
from semidirect.cli.entry import make_parser
from semidirect.cli.shared import ARGUMENTS
from semidirect.cli.signatures import UNKNOWN, parameters
from semidirect.cli.values import READERS, read_value
from semidirect.core.errors import InputError
from semidirect.core.flag import Flag

PACKAGE = Path(semidirect.__file__).parent
MODULES = {
    **BUILT_IN,
    **{name: import_module(f"semidirect_holm_putkaradze.commands.{name}") for name in ("audit", "reproduce")},
}
COMMANDS = {name: module.COMMAND for name, module in MODULES.items()}
CALLS = [(name, place) for name, command in COMMANDS.items() for place in command.calls]
PARSERS = make_parser().commands


def function_of(place):
    module, _, path = place.partition(":")
    function = import_module(module)
    for name in path.split("."):
        function = getattr(function, name)
    return function


def taken(place):
    """The parameters that Python reports."""
    every = inspect.signature(function_of(place)).parameters.values()
    return {p.name: p for p in every if p.name != "self" and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL)}


@pytest.mark.parametrize(("name", "place"), CALLS)
def test_each_parameter_is_an_option_or_is_left_out_with_a_reason(name, place):
    command, names = COMMANDS[name], set(taken(place))
    assert names - set(command.by_parameter) - set(command.left_out) == set()
    assert not set(command.by_parameter) & set(command.left_out)


@pytest.mark.parametrize("name", COMMANDS)
def test_what_is_declared_and_left_out_are_parameters(name):
    command = COMMANDS[name]
    names = {one for place in command.calls for one in taken(place)}
    assert {*command.arguments, *command.defaults, *command.left_out} <= names
    assert all(len(reason) > 5 for reason in command.left_out.values())
    flags = {flag.name for flag, _, _ in command.rows()}
    assert {*command.help, *(one for names in command.exclusive for one in names)} <= flags


@pytest.mark.parametrize("place", sorted({place for _, place in CALLS}))
def test_a_signature_is_read_from_its_source_as_python_reads_it(place):
    read, expected = {one.name: one for one in parameters(place)}, taken(place)
    assert list(read) == list(expected)
    for name, one in read.items():
        default = expected[name].default
        assert one.required == (default is inspect.Parameter.empty)
        assert one.required or one.default is UNKNOWN or one.default == default


@pytest.mark.parametrize("name", COMMANDS)
def test_the_parser_has_what_the_command_declares(name):
    parser, command = PARSERS[name], COMMANDS[name]
    own = {action.dest for action in parser.arguments()} - {"help", "verbose", "debug"}
    assert own - {"panels"} == {flag.key for flag, _, _ in command.rows()}
    required = {a.dest for a in parser.arguments() if a.required and a.option_strings}
    assert required == {flag.key for flag, _, needed in command.rows() if needed}
    for function in range(len(command.calls)):
        for one in parameters(command.calls[function]):
            if one.required and one.name in command.by_parameter and one.name not in command.defaults:
                flags = command.by_parameter[one.name].all_flags()
                assert command.from_file or any(flag.key in required or flag.position for flag in flags), one.name


def test_a_default_in_help_is_that_of_the_function():
    checked = Counter()
    for name, command in COMMANDS.items():
        for parameter, argument in command.by_parameter.items():
            default = command.defaults.get(parameter, command.parameters[parameter].default)
            for flag, _, _ in command.rows():
                text = flag.help() if callable(flag.help) else flag.help
                stated = re.search(r"\(default: ([\w.-]+)\)", text)
                if (
                    [flag.key] == [one.key for one in argument.all_flags()]
                    and stated
                    and isinstance(default, (int, float))
                ):
                    assert float(stated[1]) == default, f"{name} --{flag.name}"
                    checked[name] += 1
    assert len(checked) >= 8


SEVERAL = {
    "quantity": "an additional quantity; the scalar whose mean is estimated; what a filter reports",
    "seed": "of a run it may be random", "path": "of the data; of an animation", "noise": "errors of data; of a new system",
    "output": "files of several kinds", "format": "a page as well", "latex": "equations; momentum equations",
    "t-end": "of a run it has a default that follows from the start", "config": "parameters of the figures of a paper",
    "every": "steps between re-orthonormalisations; which times of the data",
    "variables": "of a run; of invariants", "observable": "the one that evolves; some of those that are compared",
    "form": "of the equations; of the constraint", "name": "of a new system; the prefix of names in an exported file",
}  # fmt: skip
"""Names of flags that are declared more than once, as they mean different things."""


def declarations():
    """File and name of each ``Flag(…)`` that is written."""
    files = [
        *sorted(PACKAGE.rglob("*.py")),
        *(Path(module.__file__) for name, module in MODULES.items() if name not in BUILT_IN),
    ]
    for file in files:
        text = file.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "Flag(" in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Flag" and node.args:
                if isinstance(node.args[0], ast.Constant):
                    yield file.name, node.args[0].value


def test_each_kind_of_argument_is_declared_once():
    every = list(declarations())
    count = Counter(name for _, name in every)
    assert len(count) > 80
    assert {name for name, n in count.items() if n > 1} == set(SEVERAL)
    shared = {flag.name for argument in ARGUMENTS.values() if hasattr(argument, "position") for flag in [argument]}
    assert {"dt", "t-start", "paths", "method", "levels", "on", "state"} <= shared
    assert shared & set(SEVERAL) == {"quantity", "seed", "t-end", "form"}


def test_arguments_reach_the_parser_by_declarations_alone():
    places = {
        file.name: len(re.findall(r"\.add_argument\(", file.read_text(encoding="utf-8")))
        for file in (PACKAGE / "cli").glob("*.py")
    }
    assert {name: n for name, n in places.items() if n} == {"parser.py": 4, "plot.py": 1, "entry.py": 1}
    raising = {
        file.name for file in (PACKAGE / "cli").glob("*.py") if "ArgumentTypeError(" in file.read_text(encoding="utf-8")
    }
    assert raising == {"values.py"}


# -- values that cannot be used ----------------------------------------------------------------------------------------

HOSTILE = {
    "number": ["x", "", "1,5", "[1]", "1_0_", "--"],
    "number-each": ["x", "", "1,5", "--"],
    "whole": ["x", "", "1.5", "1e3", "nan", "9" * 5000, "--"],
    "whole-each": ["x", "", "1.5", "nan"],
    "seed": ["x", "", "1.5", "Random", "none"],
    "place": ["", "\ud800", "a\0b"],
    "places": ["", "\ud800", "a\0b"],
    "location": ["", "\ud800", "a\0b"],
    "levels": ["x", "=1", "energy=x", "energy=", " =0"],
    "numbers": ["x", "", "[1,", "NaN", "[true]", "{}", "[" * 9999],
    "arrays": ["x", "=1", "a=x", "a=", "a=NaN", "a=null", "a=[1,", "a={}", "a=true", "a=" + "[" * 9999],
    "sizes": ["x", "=1", "a=x", "a=", "a=NaN", "a=null"],
    "names": ["", ",", " , "],
    "methods": ["", ",", " ,, "],
    "columns": ["x", "=", "x=", "=y", "x=a,x=b"],
}
"""Kind → texts of which none is a value. Whatever else is text may be one: the function that is called decides."""
ANYTHING = {"text", "texts", "switch", "settings"}


def of_kind(kind):
    return [
        (name, flag)
        for name, parser in PARSERS.items()
        if parser.arguments()
        for flag in parser.flags.values()
        if flag.kind == kind and not flag.choices
    ]


def test_every_kind_of_value_has_a_reader_and_is_used():
    assert set(READERS) == set(get_args(Flag.Kind)) == set(HOSTILE) | ANYTHING
    assert [kind for kind in READERS if not of_kind(kind)] == []


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_is_no_value_of_a_kind_is_an_error_that_names_the_flag(kind, capsys):
    for command, flag in of_kind(kind):
        parser = PARSERS[command]
        before = [x for a in parser.arguments() if a.required and a.option_strings and a.dest != flag.key
                  for x in (a.option_strings[-1], "heun" if a.dest == "methods" else "1")]  # fmt: skip
        positions = [
            "x" for a in parser.arguments() if not a.option_strings and a.nargs in (None, "?") and a.dest != flag.key
        ]
        for text in HOSTILE[kind]:
            typed = [text] if flag.position else [f"--{flag.name}={text}"]
            if flag.position and text == "--":
                continue  # which ends the options
            capsys.readouterr()
            try:
                args = parser.parse_args([*before, *positions, *typed])
            except SystemExit:
                message = capsys.readouterr().err
                assert "error: " in message
                assert flag.name in message or str(flag.metavar) in message
                continue
            with pytest.raises(InputError) as caught:
                read_value(flag, getattr(args, flag.key))
            assert f"--{flag.name}" in str(caught.value), (command, flag.name, text)


@pytest.mark.parametrize("name", [name for name in BUILT_IN if "format" in PARSERS[name].flags or name == "list"])
def test_choices_are_named_with_the_one_that_may_be_meant(semidirect, name):
    parser = PARSERS[name]
    assert parser.flags["format"] == FORMAT
    for flag in (one for one in parser.flags.values() if one.choices):
        typed = f"{flag.choices[0]}x"
        done = semidirect(name, typed) if flag.position else semidirect(name, f"--{flag.name}={typed}")
        assert done.code == 2
        assert f"Did you mean {flag.choices[0]!r}?" in done.err


def test_help_of_a_command_does_not_import_what_it_computes_with():
    """SciPy is loaded by help of ``filter`` and ``fit``, which list the updates of filters."""
    code = """
    import sys
    from semidirect.cli.entry import make_parser
    loaded = {}
    for name, parser in make_parser(["list"]).commands.items():
        if name not in ("filter", "fit"):
            parser.format_help()
            loaded[name] = [m for m in ("sympy", "scipy", "llvmlite", "xarray", "matplotlib", "pandas") if m in sys.modules]
    assert len(loaded) == 20
    print({name: modules for name, modules in loaded.items() if modules})
    """
    done = subprocess.run([sys.executable, "-c", inspect.cleandoc(code)], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("{}\n", "")
