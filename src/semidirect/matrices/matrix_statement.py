"""Equations, pages and proofs of a matrix system; a page prints its structure, and not its entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

import numpy as np

from semidirect.definition import ArrayStatement
from semidirect.matrices.matrix_functions import MatrixFunctions
from semidirect.matrices.matrix_proofs import prove_of_matrices
from semidirect.matrices.matrix_sde import MatrixSDE
from semidirect.matrices.traces import trace_of_power

if TYPE_CHECKING:
    from semidirect.definition import SystemDefinition

PAIRINGS = {
    -0.5: ("−½ tr(AB)", r"-\tfrac12\operatorname{tr}(AB)"),
    -1.0: ("−Re tr(AB)", r"-\operatorname{Re}\operatorname{tr}(AB)"),
    1.0: ("tr(AB)", r"\operatorname{tr}(AB)"),
}


@final
class MatrixStatement(ArrayStatement):
    """The derived parts of a matrix system."""

    instead = (
        "The page 'Matrices' says what a matrix system offers; system.written_out() makes one sd.System of a small one, whose "
        "equations are written out."
    )

    has_scalars = True

    def __init__(self, system: SystemDefinition):
        self.system: Any = system

    def written_out(self) -> Any:
        """One system in the free entries of W."""
        return self.system.written_out()

    def start_written_out(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """By the names of the free entries."""
        return self.written_out()._plan.start(state)

    @property
    def space(self) -> str:
        """The algebra."""
        return f"algebra {self._functions().algebra!r}"

    def model(self) -> MatrixSDE:
        """The equations as array functions."""
        return MatrixSDE(self.system)

    def prove(self, quantity: Any, along: Any) -> Any:
        """Traces of powers by the bracket, the energy by the pairing."""
        return prove_of_matrices(self.system, quantity, along)

    def laws(self) -> Iterator[tuple[str, bool, str]]:
        """The comparisons made with the system, the spectrum in a short run, and proofs of what is declared exact."""
        system, algebra = self.system, self._functions().algebra
        stated = "velocity and fields are in the algebra" + (", dH = ⟨P, dW⟩" if system._has_energy else "")
        yield "functions", True, f"{stated}, at random elements of {algebra.label}"
        W = algebra.draw(np.random.default_rng(3), 2)
        largest = max(float(np.max(np.abs(self._functions().velocity(W, 0.0)))), 1.0)
        dt = 0.02 / largest
        run = system.simulate(t_end=8 * dt, dt=dt, state={"W": W}, seed=1, save="final")
        ends = algebra.flat.shaped(run.data["W"][:, -1])
        off = 0.0
        for k in range(1, algebra.size + 1):
            before, after = (trace_of_power(x, k) for x in (W, ends))
            scale = np.max(np.linalg.norm(W, axis=(-2, -1))) ** k
            off = max(off, float(np.max(np.abs(after - before)) / scale))
        yield "spectrum", off < 1e-12, f"traces of powers change by {off:.1g} of their size in 8 steps"
        for name, quantity in system.observables().items():
            if quantity.status == "exact":
                proof = prove_of_matrices(system, name)
                yield f"declared: {name}", proof.holds, "conserved" if proof.holds else str(proof.verdicts[0])

    def described(self, form: str) -> Mapping[str, Any]:
        """The structure."""
        functions = self._functions()
        algebra, lines = functions.algebra, [text for text, _ in self.lines(form)]
        return {"principle": "lie-poisson", "form": form, "algebra": algebra.name, "size": algebra.size,
                "pairing": algebra.pairing_factor, "noises": len(functions.fields), "lines": lines}  # fmt: skip

    def derivation(self) -> Sequence[str]:
        """By the bracket."""
        algebra = self._functions().algebra
        return (
            f"W in {algebra.label} stands for the momentum ⟨W, ·⟩, with ⟨A, B⟩ = {_pairing(algebra.pairing_factor)[0]}.",
            "The Lie–Poisson bracket is {F, G} = ⟨W, [∂F/∂W, ∂G/∂W]⟩, and ⟨A, [B, C]⟩ = ⟨[A, B], C⟩.",
            "So dF = ⟨∂F/∂W, [W, P]⟩ dt for P = ∂H/∂W, which says dW = [W, P] dt.",
            "A field X_k is the velocity of the Hamiltonian ⟨W, X_k⟩, driven by Wᵏ: dW = [W, P] dt + Σ [W, X_k]∘dWᵏ.",
            "d tr Wᵏ = k tr(Wᵏ⁻¹[W, X]) = 0 for every X: the spectrum of W does not change.",
        )

    def _functions(self) -> MatrixFunctions:
        one = self.system.workings.of_one_path
        return MatrixFunctions(one, one.lie_algebra())

    def lines(self, form: str) -> Sequence[tuple[str, str]]:
        """Text and LaTeX of each line."""
        functions, energy = self._functions(), self.system._has_energy
        algebra, count, ito = functions.algebra, len(functions.fields), form == "ito"
        name, size = algebra.name, algebra.size
        pairing = _pairing(algebra.pairing_factor)
        lines = [
            (f"algebra {algebra.label}, {algebra.described} matrices W, dimension {algebra.dimension}",
             rf"&W\in\mathfrak{{{name}}}({size}),\quad \dim = {algebra.dimension}"),
            (f"⟨A, B⟩ = {pairing[0]}", rf"&\langle A, B\rangle = {pairing[1]}"),
        ]  # fmt: skip
        if energy:
            lines.append(("P = ∂H/∂W, dH = ⟨P, dW⟩", r"&P = \partial H/\partial W,\quad dH = \langle P, dW\rangle"))
        noise = ("", "")
        if count:
            of = "(W)" if any(callable(x) for x in functions.fields) else ""
            index = f"k = 1 … {count}"
            lines.append((f"X_k{of}, {index}, in {algebra.label}", rf"&X_k{of},\ k = 1\dots {count}"))
            noise = (
                f" + Σ [W, X_k]{' ' if ito else '∘'}dWᵏ",
                rf" + \sum_k [W, X_k]{'' if ito else chr(92) + 'circ '}dW^k",
            )
        drift, tex = "[W, P(W)]", "[W, P(W)]"
        if ito and count:
            if any(callable(x) for x in functions.fields):
                drift, tex = (
                    "([W, P(W)] + ½ Σ (D[W, X_k])[W, X_k])",
                    r"\bigl([W, P(W)] + \tfrac12\sum_k D_{[W, X_k]}[W, X_k]\bigr)",
                )
            else:
                drift, tex = (
                    "([W, P(W)] + ½ Σ [[W, X_k], X_k])",
                    r"\bigl([W, P(W)] + \tfrac12\sum_k [[W, X_k], X_k]\bigr)",
                )
        lines.append((f"dW = {drift} dt{noise[0]}", rf"dW &= {tex}\,dt{noise[1]}"))
        lines.append(("d tr Wᵏ = 0", r"d\operatorname{tr} W^k &= 0"))
        if energy:
            change = "dH = Σ ⟨P, [W, X_k]⟩∘dWᵏ" if count else "dH = 0"
            latex = r"dH &= \sum_k\langle P, [W, X_k]\rangle\circ dW^k" if count else "dH &= 0"
            lines.append((change, latex))
        return lines


def _pairing(factor: float) -> tuple[str, str]:
    """⟨A, B⟩ as text and in LaTeX."""
    return PAIRINGS.get(factor, (f"{factor:g} Re tr(AB)", rf"{factor:g}\operatorname{{Re}}\operatorname{{tr}}(AB)"))
