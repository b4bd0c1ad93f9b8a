"""Arguments of a command in a TOML file: keys are the names of its flags, and flags that are typed take precedence."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semidirect.cli.argument import Argument
from semidirect.cli.values import READERS, is_unset
from semidirect.core import Flag, errors, messages

if TYPE_CHECKING:
    from semidirect.cli.parser import CommandParser

CONFIG = Argument(
    (
        Flag("config", "take the arguments that are not given from a file: system = \"heavy-top\", t-end = 2, tables [set] and "
             "[state]", "place", "FILE.toml"),
        Flag("write-config", "write the arguments of this run to a new file", "place", "FILE.toml"),
    ),
    title="arguments in a file",
)  # fmt: skip


def completed(args: argparse.Namespace) -> argparse.Namespace:
    """The arguments of a call with those of its file, after a check that none without a flag is missing."""
    parser: CommandParser = args.parser
    args = merged(args, parser)
    missing = [str(one.metavar) for one in _positions(parser).values() if is_unset(getattr(args, one.key))]
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
    except errors.InputError:
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
    positional: dict[str, Any] = {}
    # flags of the file are parsed as if they were typed, so that both have the same checks and messages
    for key, value in content.items():
        if key in positions:
            flag = positions[key]
            several = flag.position == "several"
            texts = [
                _text(args.config, key, one, "a name")
                for one in (value if isinstance(value, list) and several else [value])
            ]
            parse = READERS[flag.kind].parse
            entries: list[Any] = list(texts if parse is None else map(parse, texts))
            positional[flag.key] = entries if several else entries[0]
        elif key in flags:
            tokens += _tokens(args.config, key, value, flags[key])
        else:
            raise errors.UnknownNameError(f"key of {args.config}", key, (*positions, *flags))
    from_file: argparse.Namespace = parser.parse_of_file(tokens, args.config)
    vars(from_file).update(positional)
    # what is typed wins over the file; tables are merged entry by entry
    out = argparse.Namespace(**vars(args))
    tables = {flag.key for flag in flags.values() if flag.is_table}
    for key, value in vars(from_file).items():
        own = getattr(args, key, None)
        if key in tables and own:
            names = {entry.partition("=")[0].strip() for entry in own}
            setattr(out, key, [*(e for e in value or () if e.partition("=")[0].strip() not in names), *own])
        elif is_unset(own):
            setattr(out, key, value)
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
    values: dict[str, Any] = {key: _texts(getattr(args, flag.key)) for key, flag in _positions(parser).items()}
    tables: dict[str, dict[str, Any]] = {}
    for name, flag in _flags(parser).items():
        value = getattr(args, flag.key)
        if is_unset(value):
            continue
        if flag.is_table:
            tables[name] = {key.strip(): _json(text) for key, _, text in (entry.partition("=") for entry in value)}
        else:
            several = isinstance(value, list) and any(isinstance(entry, Path) for entry in value)
            values[name] = _texts(value) if several or isinstance(value, Path) else value
    lines = [f"{_key(key)} = {_toml(value)}" for key, value in values.items()]
    for name, table in tables.items():
        lines += ["", f"[{name}]", *(f"{_key(key)} = {_toml(value)}" for key, value in table.items())]
    text = "\n".join(lines) + "\n"
    import tomllib

    try:
        tomllib.loads(text.encode().decode())
    except (tomllib.TOMLDecodeError, UnicodeEncodeError) as error:
        raise errors.InputError(
            f"cannot write {path}", expected="arguments that TOML can hold", got=str(error)
        ) from None
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise errors.StoreError(f"{path} exists already", hint="Choose another name.") from None
    except OSError as error:
        raise errors.cannot_write(path, error) from error


def _texts(value: Any) -> str | list[str]:
    """A value as text, or the values of a list, of which a single one is not in a list."""
    texts = [str(entry) for entry in value] if isinstance(value, list) else [str(value)]
    return texts[0] if len(texts) == 1 else texts


def read_toml(path: Path) -> dict[str, Any]:
    """The content of a file of TOML; raises an :class:`InputError` if it cannot be read."""
    import tomllib

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise errors.InputError(f"{path} cannot be read", expected="TOML in UTF-8", got=str(error)) from None
    except OSError as error:
        raise errors.InputError(
            f"cannot read {path}: {error.strerror or error}", hint="Give a file of TOML."
        ) from error


def _positions(parser: CommandParser) -> dict[str, Flag]:
    """The arguments without flags, by their keys in a file."""
    return {flag.name: flag for flag in parser.flags.values() if flag.position}


def _flags(parser: CommandParser) -> dict[str, Flag]:
    """The flags that a file may hold, by their names."""
    return {flag.name: flag for flag in parser.flags.values() if not flag.position and flag not in CONFIG.all_flags()}


def _tokens(path: Path, key: str, value: Any, flag: Flag) -> Iterator[str]:
    """A key of a file, as it is typed."""
    if flag.kind == "switch":
        if not isinstance(value, bool):
            raise errors.InputError(f"{key} in {path}", expected="true or false", got=messages.shortened(str(value)))
        if value:
            yield f"--{key}"
    elif isinstance(value, Mapping):
        if not flag.is_table:
            raise errors.InputError(f"{key} in {path}", expected="no table here", got=messages.shortened(str(value)))
        for name, entry in value.items():
            if isinstance(entry, Mapping):
                raise errors.InputError(
                    f"{key} in {path}", expected="no table here", got=messages.shortened(str(value))
                )
            yield f"--{key}={name}={_text(path, f'{key}.{name}', entry, 'a value of JSON')}"
    elif isinstance(value, list) and flag.repeatable:
        for entry in value:
            yield f"--{key}={_text(path, key, entry, 'texts')}"
    else:
        yield f"--{key}={_text(path, key, value, 'text or a number')}"


def _text(path: Path, key: str, value: Any, expected: str) -> str:
    """A value as text: what is no text is JSON."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value)
    except (TypeError, ValueError, RecursionError):
        raise errors.InputError(f"{key} in {path}", expected=expected, got=messages.shortened(str(value))) from None


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
