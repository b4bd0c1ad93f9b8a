"""The signature of a function, read from its source: help and errors of usage do not import what the function computes with."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, final

from semidirect.core import errors, module_spec, offers

UNKNOWN: Any = object()
"""A default that is no literal."""

_MARK = r":\w+:`~?\.?(?:[^`]*\.)?([^`]*)`|``([^`]*)``"
_SENTENCE = r"(?<!e\.g)\.(?:\s|$)"
_DEFAULT = r"; (?:by )?default:? (.*)$"


@final
class Parameter(NamedTuple):
    """A parameter of a function.

    Attributes
    ----------
    name : str
    required : bool
    default : object
        :data:`UNKNOWN` where it is no literal; ``None`` if it is required.
    annotation : str
        Its type, as it is written, without ``| None``.
    module : str
        Where it is declared, which gives the annotation its meaning.
    help : str
        The first sentence on it in the docstring of the function, as help of a command: "steps; default all" is "steps (default:
        all)".
    """

    name: str
    required: bool
    default: Any
    annotation: str
    module: str
    help: str

    @property
    def choices(self) -> tuple[str, ...]:
        """The texts of an annotation ``Literal["a", "b"]``, or of a name that stands for one."""
        return _choices(self.module, self.annotation)


@cache
def parameters(place: str) -> tuple[Parameter, ...]:
    """The parameters of a function, or of the constructor of a data class, in their order.

    Parameters
    ----------
    place : str
        ``module:function``, ``module:Class.method`` or ``package:module.function``, as in ``semidirect:analysis.compare``. A name
        that is imported is followed to where it is defined, and a method to the class that it is inherited from.

    Raises
    ------
    DefinitionError
        If there is no such function.
    """
    module, _, path = place.partition(":")
    first, *others = path.split(".")
    while others and module_spec(f"{module}.{first}") is not None:
        module, (first, *others) = f"{module}.{first}", others
    module, node = _definition(module, first)
    for name in others:
        module, node = _member(module, node, name)
    texts = {} if node is None else _texts(node)
    if isinstance(node, ast.ClassDef):
        _, constructor = _member(module, node, "__init__")
        if constructor is None:
            annotations = (one for one in node.body if isinstance(one, ast.AnnAssign))
            fields = (one for one in annotations if not ast.unparse(one.annotation).startswith("ClassVar["))
            return tuple(_of_field(module, field, texts) for field in fields)
        node = constructor
    if not isinstance(node, ast.FunctionDef):
        raise errors.DefinitionError(f"no function {place}", expected="module:function", got=place)
    arguments, positional = node.args, [*node.args.posonlyargs, *node.args.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = chain(zip(positional, defaults, strict=True), zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return tuple(
        _parameter(module, one.arg, one.annotation, default, texts) for one, default in pairs if one.arg != "self"
    )


def imported(place: str) -> Any:
    """The function or class at a place, imported now."""
    module, _, path = place.partition(":")
    return attrgetter(path)(import_module(module))


def _of_field(module: str, field: ast.AnnAssign, texts: dict[str, str]) -> Parameter:
    return _parameter(module, ast.unparse(field.target), field.annotation, field.value, texts)


def _parameter(
    module: str, name: str, annotation: ast.expr | None, default: ast.expr | None, texts: dict[str, str]
) -> Parameter:
    text = _literal(annotation) if isinstance(annotation, ast.Constant) else None  # an annotation in quotes
    annotation_text = str(text) if isinstance(text, str) else "" if annotation is None else ast.unparse(annotation)
    annotation_text = annotation_text.removesuffix(" | None")
    value = None if default is None else _literal(default)
    return Parameter(name, default is None, value, annotation_text, module, texts.get(name, ""))


def _literal(node: ast.expr) -> Any:
    try:
        return ast.literal_eval(node)
    except ValueError:
        return UNKNOWN


def _choices(module: str, annotation: str) -> tuple[str, ...]:
    node: ast.AST | None = ast.parse(annotation or "None", mode="eval").body
    if isinstance(node, ast.Name):
        _, node = _definition(module, node.id)
        node = getattr(node, "value", None)
    if not (isinstance(node, ast.Subscript) and ast.unparse(node.value).endswith("Literal")):
        return ()
    entries: Sequence[ast.expr] = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    return tuple(text for entry in entries if isinstance(text := _literal(entry), str))


@cache
def _definition(module: str, name: str) -> tuple[str, Any]:
    """The module that defines a name, and the statement, ``None`` if there is none; names that are imported are followed."""
    for node in _statements(_source(module)):
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name == name:
            return module, node
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and any(_names(one, name) for one in _targets(node)):
            return module, node
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                if (one.asname or one.name) == name:
                    return _definition(_absolute(module, node), one.name)
    place, _ = offers(module).get(name, (module, True))
    return (module, None) if place == module else _definition(place, name)


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Those of a module, and those under a condition such as ``if TYPE_CHECKING``."""
    for node in body:
        yield node
        if isinstance(node, ast.If):
            yield from _statements([*node.body, *node.orelse])


def _names(target: ast.expr, name: str) -> bool:
    return isinstance(target, ast.Name) and target.id == name


def _targets(node: ast.Assign | ast.AnnAssign) -> Sequence[ast.expr]:
    return node.targets if isinstance(node, ast.Assign) else [node.target]


def _member(module: str, node: Any, name: str) -> tuple[str, Any]:
    """The module that defines a method of a class, and the method, ``None`` if there is none; bases are searched, too."""
    if not isinstance(node, ast.ClassDef):
        return module, None
    for one in node.body:
        if isinstance(one, ast.FunctionDef) and one.name == name:
            return module, one
    for base in node.bases:
        if isinstance(base, ast.Name):
            place, method = _member(*_definition(module, base.id), name)
            if method is not None:
                return place, method
    return module, None


def _absolute(module: str, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    spec = module_spec(module)
    parts = module.split(".")[: None if spec is not None and spec.submodule_search_locations else -1]
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, *filter(None, [node.module])])


@cache
def _source(module: str) -> list[ast.stmt]:
    """The statements of a module."""
    spec = module_spec(module)
    loader: Any = None if spec is None else spec.loader  # which may read an archive
    return ast.parse(loader.get_source(module) or "").body if hasattr(loader, "get_source") else []


def _texts(node: ast.FunctionDef | ast.ClassDef) -> dict[str, str]:
    """The help texts of the parameters, from the docstring."""
    _, _, section = (ast.get_docstring(node) or "").partition(
        "\n----------\n"
    )  # Parameters, or Attributes of a data class
    texts: dict[str, str] = {}
    for head, text in re.findall(r"^(\S.*)\n((?:[ \t]+.*\n?|\n(?=[ \t]))+)", section.partition("\n\n")[0], flags=re.M):
        sentence = _first_sentence(text)
        texts |= dict.fromkeys((name.strip() for name in head.partition(" : ")[0].split(",")), sentence)
    return texts


def _first_sentence(text: str) -> str:
    """The first sentence of a text, in lower case and without marks of code."""
    sentence = re.split(_SENTENCE, re.sub(_MARK, lambda m: m[1] or m[2], " ".join(text.split())))[0]
    if sentence[1:2].islower():
        sentence = sentence[:1].lower() + sentence[1:]
    return re.sub(_DEFAULT, r" (default: \1)", sentence)
