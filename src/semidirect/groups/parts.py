"""The named parts of an algebra vector, and the quotient groups that belong to some of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from semidirect.core import arguments, errors
from semidirect.groups.coordinates import require_unique

Key = TypeVar("Key")
Value = TypeVar("Value")
Group = TypeVar("Group")


class Frozen(Mapping[Key, Value], Generic[Key, Value]):
    """An ordered read-only mapping which, unlike a mapping proxy, can be pickled."""

    def __init__(self, items: Mapping[Key, Value]):
        self._items = dict(items)

    def __getitem__(self, key: Key) -> Value:
        return self._items[key]

    def __iter__(self) -> Iterator[Key]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)


@dataclass(frozen=True)
class Quotient(Generic[Group]):
    """A group of sub-matrices that start at ``row``; its algebra consists of the blocks of its key."""

    group: Group
    row: int


@dataclass(frozen=True)
class Parts(Generic[Group]):
    """The named blocks of a group.

    Attributes
    ----------
    owner : str
        The group's name, for messages.
    slices : mapping of names to slices of an algebra vector, in order
    quotients : mapping of tuples of names to quotients
    """

    owner: str
    slices: Mapping[str, slice]
    quotients: Mapping[tuple[str, ...], Quotient[Group]]

    @classmethod
    def divide(
        cls,
        owner: str,
        dimension: int,
        sizes: Mapping[str, int],
        quotients: Mapping[tuple[str, ...], Quotient[Group]],
        names: Sequence[str] | None,
    ) -> Parts[Group]:
        """The blocks of these sizes, renamed to ``names`` if given."""
        if names is not None:
            if (
                isinstance(names, str)
                or not isinstance(names, Collection)
                or getattr(names, "ndim", 1) != 1
                or len(names) != len(sizes)
                or not all(isinstance(n, str) for n in names)
            ):
                expected = f"{len(sizes)} of them, for {', '.join(sizes)}"
                raise errors.DefinitionError(
                    f"{owner} cannot take these block names", expected=expected, got=repr(names)
                )
            require_unique(list(names), "block", owner)
            new = dict(zip(sizes, names, strict=True))
            quotients = {tuple(new[b] for b in key): q for key, q in quotients.items()}
            sizes = {new[b]: size for b, size in sizes.items()}
        if sum(sizes.values()) != dimension or any(size < 1 for size in sizes.values()):
            raise errors.DefinitionError(
                f"the blocks of {owner} do not fill its algebra",
                expected=f"{dimension} components",
                got=repr(dict(sizes)),
            )
        slices, start = {}, 0
        for block, size in sizes.items():
            slices[block] = slice(start, start + size)
            start += size
        return cls(owner, Frozen(slices), Frozen(quotients))

    def named(self, block: str | Sequence[str]) -> tuple[str, ...]:
        """The names of one block or of several; raises an UnknownNameError if there is no such block."""
        names = (block,) if isinstance(block, str) or not isinstance(block, Sequence) else tuple(block)
        if not names:
            raise errors.InputError(f"blocks of {self.owner}", expected=f"some of {', '.join(self.slices)}", got="none")
        return tuple(arguments.validated_name(f"block of {self.owner}", name, self.slices) for name in names)

    def quotient(self, block: str | Sequence[str], whole: Group) -> Quotient[Group]:
        """The quotient of one block or of several; ``whole`` for all of them."""
        names = self.named(block)
        if names == tuple(self.slices):
            return Quotient(whole, 0)
        if names in self.quotients:
            return self.quotients[names]
        choices = [", ".join(key) for key in (*self.quotients, tuple(self.slices))]
        what = f"{', '.join(names)} is not a factor of {self.owner}"
        raise errors.DefinitionError(what, expected="one of " + " | ".join(choices))
