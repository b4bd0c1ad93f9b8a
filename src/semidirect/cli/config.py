"""Arguments of a command in a TOML file: keys are the names of its flags, and flags that are typed take precedence."""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.cli.arguments import place
from semidirect.core.errors import InputError, StoreError, UnknownNameError
from semidirect.core.shortened import shortened

if TYPE_CHECKING:
    from semidirect.cli.arguments import CommandParser

SYSTEM = "system"
"""The key of the argument NAME."""

APART = ("help", "debug", "verbose", "config", "write-config")
"""Flags that are of a call and not of a file."""


def add_config(parser: CommandParser) -> None:
    """``--config`` and ``--write-config``."""
    group = parser.add_argument_group("arguments in a file")
    group.add_argument(
        "--config", type=place, metavar="FILE.toml",
        help="take the arguments that are not given from a file: system = \"heavy-top\", t-end = 2, tables [set] and [state]",
    )  # fmt: skip
    group.add_argument(
        "--write-config", type=place, metavar="FILE.toml", help="write the arguments of this run to a new file"
    )


def completed(args: argparse.Namespace, required: Sequence[str]) -> argparse.Namespace:
    """The arguments of a call with those of its file, after a check that none of ``required`` is missing."""
    parser: CommandParser = args.parser
    args = merged(args, parser)
    missing = [str(a.metavar) for a in parser.arguments() if a.dest in required and _is_unset(getattr(args, a.dest))]
    if missing:
        parser.error(
            f"the following arguments are required: {', '.join(missing)}, or --config with a file that has them"
        )
    return args


@contextmanager
def written(args: argparse.Namespace) -> Iterator[None]:
    """Write the arguments to the file ``--write-config`` before they are used, so that a call that is interrupted can be
    repeated; an :class:`InputError` within the block removes it, as there is nothing to repeat.
    """
    if args.write_config is not None:
        write(args, args.parser, args.write_config)
    try:
        yield
    except InputError:
        if args.write_config is not None:
            args.write_config.unlink(missing_ok=True)
        raise


def merged(args: argparse.Namespace, parser: CommandParser) -> argparse.Namespace:
    """The arguments of a call, with those of the file ``--config`` where none is given.

    Raises
    ------
    UnknownNameError
        For a key that is no flag; the message names the nearest.
    InputError
        For what is not TOML, and for values of another kind.
    """
    if args.config is None:
        return args
    content = read_toml(args.config)
    flags, positions = _flags(parser), _positions(parser)
    tokens: list[str] = []
    named: dict[str, Any] = {}
    for key, value in content.items():
        if key in positions:
            entries = value if isinstance(value, list) and positions[key].nargs == "*" else [value]
            texts = [_text(args.config, key, entry, "a name") for entry in entries]
            several: list[Any] = texts if positions[key].type is None else [place(text) for text in texts]
            named[positions[key].dest] = several if positions[key].nargs == "*" else several[0]
        elif key in flags:
            tokens += _tokens(args.config, key, value, flags[key])
        else:
            raise UnknownNameError(f"key of {args.config}", key, (*positions, *flags))
    said: argparse.Namespace = parser.parse_of_file(tokens, args.config)
    vars(said).update(named)
    out = argparse.Namespace(**vars(args))
    tables = {action.dest for action in flags.values() if _is_table(action)}
    for dest, value in vars(said).items():
        given = getattr(args, dest, None)
        if dest in tables and given:
            keys = {entry.partition("=")[0].strip() for entry in given}
            setattr(out, dest, [*(e for e in value or () if e.partition("=")[0].strip() not in keys), *given])
        elif _is_unset(given):
            setattr(out, dest, value)
    return out


def write(args: argparse.Namespace, parser: CommandParser, path: Path) -> None:
    """Write the arguments of a call to a file from which :func:`merged` reads them.

    Raises
    ------
    StoreError
        If there is something already, or it cannot be written.
    InputError
        For arguments that no TOML can hold.
    """
    values: dict[str, Any] = {key: _texts(getattr(args, action.dest)) for key, action in _positions(parser).items()}
    tables: dict[str, dict[str, Any]] = {}
    for name, action in _flags(parser).items():
        value = getattr(args, action.dest)
        if _is_unset(value):
            continue
        if _is_table(action):
            tables[name] = {key.strip(): _json(text) for key, _, text in (entry.partition("=") for entry in value)}
        else:
            several = isinstance(value, list) and any(isinstance(entry, Path) for entry in value)
            values[name] = _texts(value) if several or isinstance(value, Path) else value
    lines = [f"{_key(key)} = {_toml(value)}" for key, value in values.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in table.items())]
    text = "\n".join(lines) + "\n"
    try:
        tomllib.loads(text.encode().decode())
    except (tomllib.TOMLDecodeError, UnicodeEncodeError) as error:
        raise InputError(f"cannot write {path}", expected="arguments that TOML can hold", got=str(error)) from None
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise StoreError(f"{path} exists already", hint="Choose another name.") from None
    except OSError as error:
        raise StoreError(f"cannot write {path}: {error.strerror or error}") from error


def _texts(value: Any) -> str | list[str]:
    """A value as text, or the values of a list, of which a single one is not in a list."""
    texts = [str(entry) for entry in value] if isinstance(value, list) else [str(value)]
    return texts[0] if len(texts) == 1 else texts


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a file of TOML; raises an :class:`InputError` if it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} cannot be read", expected="TOML in UTF-8", got=str(error)) from None
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}", hint="Give a file of TOML.") from error


def _positions(parser: CommandParser) -> dict[str, argparse.Action]:
    """The arguments without flags, by their keys in a file."""
    return {SYSTEM if a.dest == "name" else a.dest: a for a in parser.arguments() if not a.option_strings}


def _flags(parser: CommandParser) -> dict[str, argparse.Action]:
    """The flags that a file may hold, by their long names."""
    found = {}
    for action in parser.arguments():
        for flag in action.option_strings:
            if flag.startswith("--") and flag[2:] not in APART:
                found[flag[2:]] = action
    return found


def _tokens(path: Path, key: str, value: Any, action: argparse.Action) -> Iterator[str]:
    """A key of a file, as it is typed."""
    if action.nargs == 0:
        if not isinstance(value, bool):
            raise InputError(f"{key} in {path}", expected="true or false", got=shortened(str(value)))
        if value:
            yield f"--{key}"
    elif isinstance(value, Mapping):
        if not _is_table(action):
            raise InputError(f"{key} in {path}", expected="no table here", got=shortened(str(value)))
        for name, entry in value.items():
            if isinstance(entry, Mapping):
                raise InputError(f"{key} in {path}", expected="no table here", got=shortened(str(value)))
            yield f"--{key}={name}={_text(path, f'{key}.{name}', entry, 'a value of JSON')}"
    elif isinstance(value, list) and _repeatable(action):
        for entry in value:
            yield f"--{key}={_text(path, key, entry, 'texts')}"
    else:
        yield f"--{key}={_text(path, key, value, 'text or a number')}"


def _repeatable(action: argparse.Action) -> bool:
    return isinstance(action, argparse._AppendAction)


def _text(path: Path, key: str, value: Any, expected: str) -> str:
    """A value as text: what is no text is JSON."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        raise InputError(f"{key} in {path}", expected=expected, got=shortened(str(value))) from None


def _is_unset(value: Any) -> bool:
    """Whether a value says that its flag is not given; 0 is a value."""
    return value is None or value is False or value == []


def _is_table(action: argparse.Action) -> bool:
    """Whether a flag is given once for each of some names, which makes it a table in a file."""
    return _repeatable(action) and action.metavar in ("KEY=JSON", "NAME=SIZE")


def _json(text: str) -> Any:
    try:
        value = json.loads(text)
        return text if "null" in text or "{" in text else value  # which are not of TOML
    except (ValueError, RecursionError):
        return text


def _key(key: str) -> str:
    return key if re.fullmatch("[A-Za-z0-9_-]+", key) else _toml(key)


def _toml(value: Any) -> str:
    """A value of JSON's types as TOML writes it."""
    if isinstance(value, float):
        return repr(value)
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
