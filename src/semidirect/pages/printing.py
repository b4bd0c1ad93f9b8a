"""Equations as text and LaTeX, in the vector notation of the paper wherever it applies."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from semidirect.core import arguments, display, errors, messages
from semidirect.equations import derived_sde, forecast
from semidirect.pages.described import checked_form, described_equations
from semidirect.pages.line_breaks import aligned
from semidirect.pages.page import Page
from semidirect.pages.structure_page import StructurePage, is_large

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition
    from semidirect.equations import Evolution

_log = logging.getLogger(__name__)
LONGEST = 30_000
"""Operations of a page that is written in seconds and can still be read; of our observables the longest law has 2,300."""


@dataclass(frozen=True, repr=False)
class Equations(display.Brief):
    """The equations of a system, to print or to set: ``print(equations)``, ``equations.latex()``.

    Parameters
    ----------
    components : bool
        Whether to write out the components of a large algebra too, such as so(15); otherwise its page names its structure.
    """

    system: SystemDefinition
    form: str = "stratonovich"
    principle: str = "hamilton-pontryagin"
    components: bool = False

    def __post_init__(self) -> None:
        checked_form(self.form)
        arguments.validated_instance("components of the equations", self.components, bool, expected="True or False")

    def __str__(self) -> str:
        return self._written(latex=False, legend=True)

    def latex(self, *, legend: bool = True) -> str:
        """An ``align*`` environment, and a sentence on what its letters are.

        Parameters
        ----------
        legend : bool
            Whether the sentence follows, "where 𝕀 = …, and m (mass), g (gravity) are parameters."
        """
        return self._written(latex=True, legend=legend)

    def _written(self, *, latex: bool, legend: bool) -> str:
        key = (Equations, self.form, self.principle, self.components, latex, legend)
        return str(self.system.workings.known(key, lambda: self._page(latex=latex, legend=legend)))

    def _page(self, *, latex: bool, legend: bool) -> str:
        if self.system._states_arrays:
            statement = self.system._stated_by_arrays()
            lines = statement.lines(self.form)
            if latex:
                display = aligned([tex for _, tex in lines if tex])
                return "\n".join(filter(None, (display, statement.where(self.form) if legend else "")))
            return "\n".join(text for text, _ in lines if text)
        if (short := self._structure()) is not None:
            return short.latex() if latex else short.text()
        sde = derived_sde(self.system, self.principle, lettered=True)
        if (seconds := forecast.of_page(sde)) < messages.LONG:
            return Page(self.system, sde, latex=latex).page(self.form, legend=legend)
        with messages.announced(_log, "writing the equations of %s", type(self.system).__name__, seconds=seconds,
                                advice="they can be evaluated and run without that."):  # fmt: skip
            return Page(self.system, sde, latex=latex).page(self.form, legend=legend)

    def _structure(self) -> StructurePage | None:
        """The page of a large algebra."""
        if self.components or not is_large(getattr(self.system, "group", None)):
            return None
        return StructurePage(self.system, derived_sde(self.system, self.principle), self.form)

    def described(self) -> dict[str, Any]:
        """Definitions and rates in JSON's types, see :func:`semidirect.pages.described.described_equations`."""
        if self.system._states_arrays:
            return dict(self.system._stated_by_arrays().described(self.form))
        if (short := self._structure()) is not None:
            sde = derived_sde(self.system, self.principle)
            return {"principle": sde.principle, "form": self.form, "lines": [text for text, _ in short.lines()]}
        return described_equations(derived_sde(self.system, self.principle, lettered=True), self.form)

    def _repr_latex_(self) -> str:
        return display.formulas(self.latex())


def evolution_text(
    system: SystemDefinition,
    evolution: Evolution,
    *,
    form: str = "stratonovich",
    latex: bool = False,
    legend: bool = True,
) -> str:
    """Evolution equations of quantities, in Stratonovich's or Itô's form, with the stages that the coefficients use.

    In LaTeX a legend follows, as in :meth:`Equations.latex`.

    Raises
    ------
    InputError
        If that would be too long to be read.
    """
    columns = ("drift" if checked_form(form) == "stratonovich" else "ito", *evolution.columns[2:-1])
    laws = [e for quantity in evolution.quantities for c in columns for e in evolution.of(quantity, c)]
    length = evolution.program.with_outputs(laws=laws).operations()
    if length > LONGEST:
        raise errors.InputError(
            f"the evolution of {', '.join(evolution.quantities)} is too long to be read",
            expected=f"at most {LONGEST} operations",
            got=f"about {length:.2g} in {'Itô' if form == 'ito' else 'Stratonovich'} form",
            hint="Evaluate it by evolution.function(inputs), or ask for the Stratonovich form, or for a part of the quantity.",
        )  # fmt: skip
    return Page(system, evolution.sde, latex=latex).evolution(evolution, form, legend=legend)
