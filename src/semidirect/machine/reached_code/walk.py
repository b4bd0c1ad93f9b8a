"""The code that a function or a class reaches, as a digest."""

from __future__ import annotations

import dis
import hashlib
import sys
import sysconfig
import types
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from importlib.util import resolve_name
from pathlib import Path
from typing import Any, final

import numpy as np

from semidirect.core import Results
from semidirect.machine.reached_code.packages import package_digest

LIBRARIES = frozenset(("semidirect", "numpy", "sympy", "scipy", "mpmath", "llvmlite", "builtins"))
_IMPORT = dis.opmap["IMPORT_NAME"]
_STANDARD = Path(sysconfig.get_path("stdlib"))
_INSTALLED = frozenset(("site-packages", "dist-packages"))
_OF_EVERY_CLASS = frozenset(
    ("__dict__", "__weakref__", "__doc__", "__module__", "__qualname__", "__annotations__", "__abstractmethods__", "_abc_impl",
     "__firstlineno__", "__static_attributes__", "__parameters__", "__orig_bases__", "__slotnames__", "__signature__")
)  # fmt: skip
END = "\x1e"
_ATOMS = frozenset((type(None), bool, int, float, complex, str, bytes, type(Ellipsis), type(NotImplemented), range))


class UnknownCodeError(Exception):
    """An object that cannot be compared with its copy in another process."""


def reached_code(*objects: Any, own: Iterable[type] = ()) -> str:
    """A digest of objects and of the code that they reach; equal in two processes where both are the same.

    Parameters
    ----------
    own : types
        Classes whose packages are read wherever they are installed.

    Raises
    ------
    UnknownCodeError
        If an object without a digest is reached, such as an open file.
    """
    walk = _Walk(frozenset(kind.__module__.partition(".")[0] for kind in own) - LIBRARIES)
    try:
        for x in objects:
            walk.visit(x)
    except UnknownCodeError:
        raise
    except Exception as error:  # exceptions of foreign objects whose state is read
        raise UnknownCodeError(f"{type(error).__name__}: {error}") from error
    walk.raw(b"")
    return walk.digest.hexdigest()


@final
class _Walk:
    def __init__(self, own: frozenset[str]):
        self.own, self.digest = own, hashlib.sha256()
        self.words: list[str] = []
        self.numbers: dict[int, int] = {}
        self.alive: list[Any] = []
        self.members: set[tuple[int, str]] = set()

    def write(self, *words: object) -> None:
        self.words += map(str, words)
        self.words.append(END)

    def raw(self, data: bytes) -> None:
        """Digest the words until now, and these bytes."""
        self.digest.update("\x1f".join(self.words).encode("utf-8", "surrogatepass") + data)
        self.words.clear()

    def visit(self, x: Any, names: frozenset[str] = frozenset()) -> None:
        """Write an object; ``names`` are the names used by the code that reached it, which select the members of a module."""
        if type(x) in _ATOMS:
            self.write(type(x).__name__, repr(x))
        elif id(x) in self.numbers:
            self.write("again", self.numbers[id(x)])
        elif isinstance(x, types.ModuleType):
            self.module(x, names)
        else:
            self.numbers[id(x)] = len(self.numbers)
            self.alive.append(x)  # so that no other object takes its id
            self.new(x)

    def each(self, values: Iterable[Any]) -> None:
        words = self.words
        for value in values:
            kind = type(value)
            if kind in _ATOMS:  # most of them: numbers of groups and names of code
                words += (kind.__name__, repr(value), END)
            else:
                self.visit(value)
        words += ("end", END)

    def new(self, x: Any) -> None:
        """Write an object that was not written before."""
        kind = type(x)
        if kind is tuple or kind is list:  # the most frequent
            self.words += (kind.__name__, str(len(x)), END)
            self.each(x)
        elif kind is types.FunctionType:
            self.function(x)
        elif kind is types.CodeType:
            self.code(x)
        elif kind is dict or kind is types.MappingProxyType:
            items = [item for item in x.items() if type(item[1]) is not Results]  # they follow from the rest
            self.write("mapping", len(items))
            self.each(part for item in items for part in item)
        elif kind is set or kind is frozenset:
            if not all(type(e) in _ATOMS for e in x):
                raise UnknownCodeError("the order of a set")
            self.write("set", *sorted(f"{type(e).__name__} {e!r}" for e in x))
        elif isinstance(x, type):
            self.type(x)
        elif isinstance(x, np.ndarray):
            self.write("array", x.dtype.str, x.shape)
            self.each(x.flat) if x.dtype == object else self.raw(np.ascontiguousarray(x).tobytes())
        elif isinstance(x, (staticmethod, classmethod)):
            self.write(type(x).__name__)
            self.visit(x.__func__)
        elif isinstance(x, property):
            self.write("property")
            self.each((x.fget, x.fset, x.fdel))
        elif isinstance(x, cached_property):  # which has a lock before Python 3.12
            self.write("cached property")
            self.visit(x.func)
        elif isinstance(x, types.MethodType):
            self.write("method")
            self.each((x.__func__, x.__self__))
        elif isinstance(x, types.BuiltinFunctionType):
            self.write("builtin", x.__module__, x.__qualname__)
            self.visit(None if isinstance(x.__self__, types.ModuleType) else x.__self__)
        elif isinstance(x, types.CellType):
            self.write("cell")
            self.each([x.cell_contents] if _filled(x) else ())
        elif "__wrapped__" in getattr(x, "__dict__", ()):  # made by functools.cache, and pickled by its name
            self.write("wrapper")
            self.each((type(x), x.__wrapped__))
        else:
            self.instance(x)

    def instance(self, x: Any) -> None:
        """Any other object by its class and by the state that pickle would save."""
        self.visit(type(x))
        state = x.__reduce_ex__(4)
        if isinstance(state, str):
            self.write("global", type(x).__module__, state)
            return
        make, arguments, *rest = state
        self.write("instance", getattr(make, "__module__", ""), getattr(make, "__qualname__", repr(type(make))))
        self.each(arguments)
        for part in rest:
            self.each(part) if isinstance(part, Iterator) else self.visit(_without_cached(part, type(x)))

    def module(self, module: types.ModuleType, names: frozenset[str]) -> None:
        """A module by the members whose names occur in the code that uses it."""
        self.write("module", module.__name__)
        if self.by_version(module.__name__):
            return
        for name in sorted(names | {"__getattr__"}):
            if name in vars(module) and (id(module), name) not in self.members:
                self.members.add((id(module), name))
                self.write(name)
                self.visit(vars(module)[name], names)

    def function(self, f: types.FunctionType) -> None:
        """A function by its code and everything that its code names."""
        self.write("function", f.__qualname__)
        self.each((f.__defaults__, f.__kwdefaults__, *(f.__closure__ or ()), *(f.__dict__.values())))
        module = f.__globals__.get("__name__")
        if module and f.__globals__ is getattr(sys.modules.get(module), "__dict__", None) and self.by_version(module):
            self.write(module)
            return
        self.visit(f.__code__)
        names = frozenset(_names(f.__code__))
        for name in sorted(names):
            if name in f.__globals__:
                self.write(name)
                self.visit(f.__globals__[name], names)
        for imported in _imports(f.__code__, f.__globals__.get("__package__") or ""):
            if imported not in sys.modules:
                raise UnknownCodeError(f"the module {imported} is imported later")
            self.visit(sys.modules[imported], names)
            for name in sorted(names):
                if isinstance(below := sys.modules.get(f"{imported}.{name}"), types.ModuleType):
                    self.visit(below, names)

    def code(self, code: types.CodeType) -> None:
        """Instructions and constants, without line numbers."""
        self.write(
            "code", code.co_code.hex(), code.co_flags, code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount
        )
        self.each((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars, code.co_consts))
        self.write(getattr(code, "co_exceptiontable", b"").hex())

    def type(self, kind: type) -> None:
        """A class by its members and bases."""
        self.write("class", kind.__qualname__)
        if self.by_version(kind.__module__) and _found(kind) is kind:
            self.write(kind.__module__)
            return
        for name, value in vars(kind).items():
            if name not in _OF_EVERY_CLASS and type(value) is not Results:
                self.write(name)
                self.visit(value)
        self.each((type(kind), *kind.__bases__))

    def by_version(self, module: str) -> bool:
        """Whether a module is identified by name and version; they are then written."""
        root = module.partition(".")[0]
        if root in self.own:
            return False
        version = _version(module, root)
        if version is not None:
            self.write(root, version)
        return version is not None


@cache
def _version(module: str, root: str) -> str | None:
    """The version of the package of a module, ``None`` if it is not an installed package."""
    if root == "semidirect":
        return package_digest()
    if root in sys.builtin_module_names or root == "builtins":
        return sys.version
    file = getattr(sys.modules.get(module), "__file__", None) or getattr(sys.modules.get(root), "__file__", None)
    if file is None:
        frozen = getattr(getattr(sys.modules.get(module), "__spec__", None), "origin", None) == "frozen"
        return sys.version if frozen else None
    if _INSTALLED.intersection(Path(file).parts) or root in LIBRARIES:
        try:
            return version(root)
        except PackageNotFoundError:
            return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return sys.version if _STANDARD in Path(file).parents else None


def _found(kind: type) -> Any:
    """The object that the module of a class has under its name."""
    value: Any = sys.modules.get(kind.__module__)
    for part in kind.__qualname__.split("."):
        value = getattr(value, "__dict__", {}).get(part)
    return value


def _without_cached(state: Any, kind: type) -> Any:
    """The state of an instance without properties that are cached in it: they follow from the rest, and come with their use."""
    if type(state) is not dict:
        return state
    names = {name for base in kind.__mro__ for name, x in vars(base).items() if isinstance(x, cached_property)}
    return {name: value for name, value in state.items() if name not in names} if names & state.keys() else state


def _filled(cell: types.CellType) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _codes(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _codes(constant)


def _names(code: types.CodeType) -> Iterator[str]:
    """Names of globals and attributes, and constants that may be names, of a function and of those within it."""
    for part in _codes(code):
        yield from part.co_names
        yield from (c for c in part.co_consts if isinstance(c, str) and c.isidentifier())


def _imports(code: types.CodeType, package: str) -> Iterator[str]:
    """Full names of the modules that a function imports when it is called."""
    for part in _codes(code):
        if _IMPORT in part.co_code[::2]:
            steps = list(dis.get_instructions(part))
            for i, step in enumerate(steps):
                if step.opcode == _IMPORT:
                    level = int(steps[i - 2].argval or 0)
                    yield resolve_name("." * level + str(step.argval), package) if level else str(step.argval)
