"""Printed pages held against what is run: every line of them, at one random state."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import copy
from random import Random
from typing import Any, ClassVar

import numpy as np
import sympy as sp
from latex_reader import lines_of
from library_pages import start_turned
from page_reader import NAME, SLOPE, SUBSCRIPTS, SUPERSCRIPTS, Reader, Tuple, component

import semidirect as sd
from semidirect.equations.emission import numerical_function
from semidirect.equations.evolution import Evolution
from semidirect.equations.sde import StratonovichSDE
from semidirect.pages.notation import component_name, split_tags, unicode_name
from semidirect.pages.page import Page
from semidirect.pages.printing import Equations, evolution_text
from semidirect.testing.laws.derivations import exact_parameters

BELOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


class Printed:
    """A page, its lines and the truth about every name on it.

    Attributes
    ----------
    worst : float
        The largest error of a line, relative to the larger of 1 and the value.
    held : set of str
        Names whose differentials, values or definitions were read.
    """

    _last: ClassVar[tuple[Any, dict[str, Any]]] = (None, {})

    def __init__(self, system: sd.System, form: str = "stratonovich", *, principle: str = "hamilton-pontryagin",
                 quantity: str = "", within: float = 1e-13, sde: StratonovichSDE | None = None):  # fmt: skip
        self.system, self.form, self.within = system, form, within
        self.evolution: Evolution | None = None
        if quantity:
            self.evolution = system.evolution(quantity)
            self.sde = self.evolution.sde
            self.pages = [evolution_text(system, self.evolution, form=form, latex=latex) for latex in (False, True)]
        else:
            self.sde = sde or system.sde(principle)  # the truth
            equations = Equations(system, form, principle)
            self.pages = [str(equations), equations.latex()]
        self.writer = Page(system, self.sde, latex=False).writer
        self.worst = 0.0
        self._inputs()
        of = (self.sde, quantity, type(system), self.inputs)
        if Printed._last[0] != of:
            self._truth(quantity)
            Printed._last = (of, self._known_now())
        vars(self).update(Printed._last[1])
        vars(self).update(self._known_now())

    # -- the truth -------------------------------------------------------------------------------------------------

    def _known_now(self) -> dict[str, Any]:
        """The truth, which is the same for the pages in both forms, with dictionaries of its own."""
        reader = copy(self.reader)
        reader.known, reader.matrices = dict(reader.known), dict(reader.matrices)
        kept = {k: v for k, v in vars(self).items() if k in ("rates", "multipliers", "inertia")}
        return {**kept, "rates": dict(self.rates), "reader": reader}

    def _inputs(self) -> None:
        random, s = Random(1), self.sde.setting
        values = {x: float(v) for x, v in exact_parameters(self.system).items()}
        self.inputs = {
            x: values.get(x, random.uniform(0.3, 1.2))
            for x in self.sde.program.inputs
            if x is not s.dt and x not in set(s.dW)
        }
        group = self.sde.definition.group
        g = group.exp(np.random.default_rng(3).uniform(-0.5, 0.5, group.dimension))  # what is advected is on its orbit
        self.inputs |= dict(zip(self.sde.coordinates.values(), map(float, group.store(g)), strict=True))
        if self.sde.definition.by_hamiltonian:
            momenta = [x for v in self.sde.variables if v.kind == "momentum" for x in v.symbols]
            self.inputs |= dict(zip(momenta, map(float, start_turned(self.system)), strict=True))
        for name, part in self.sde.definition.advected_layout.items():
            values = self.sde.definition.advected[name].at(g)
            self.inputs |= dict(zip(s.a[part], map(float, values), strict=True))

    def _columns(self, quantities: Mapping[str, Sequence[sp.Expr]]) -> dict[str, dict[str, np.ndarray]]:
        found = self.sde.evolution(quantities).function(list(self.inputs))(*self.inputs.values())
        return {q: {c: np.array(rows, dtype=float) for c, rows in by.items()} for q, by in found.items()}

    def _numbers(self, program: Any, expressions: Sequence[sp.Expr]) -> np.ndarray:
        expressions = [sp.sympify(e) for e in expressions]
        return np.array(numerical_function(program, expressions, list(self.inputs))(*self.inputs.values()), dtype=float)

    def _truth(self, quantity: str) -> None:
        sde, d = self.sde, self.sde.definition
        named = {k: tuple(v) for k, v in sde.named.items() if k not in ("multiplier", "reaction")}
        p = sde.program.outputs["p"]
        named |= {f"~p_{k}": p[part] for k, part in d.group.blocks.items()}
        named |= {k: sde.program.outputs["xi"][part] for k, part in d.group.blocks.items()}
        named |= {k: (x,) for k, x in sde.coordinates.items()}
        if quantity:
            named[quantity] = tuple(self.system.workings.expression(self.system.observables()[quantity], sde)) \
                if quantity in self.system.observables() else tuple(sde.named[quantity])  # fmt: skip
        rates = self._columns(named)
        self.rates: dict[str, dict[str, np.ndarray]] = {}
        self.reader = Reader({})
        for name, columns in rates.items():
            if name == quantity and name not in sde.named:
                size, names = len(columns["value"]), (f" {name}", f"({name})")
                self.rates |= dict.fromkeys(names, columns)
                for i in range(size if size > 1 else 0):
                    part = {c: x[i : i + 1] for c, x in columns.items()}
                    self.rates |= {f"{x}{str(i + 1).translate(BELOW)}": part for x in names}
                continue
            self._know(name, columns["value"])
            shown = self.writer.name(name) if len(columns["value"]) > 1 else self.writer.symbol(name)
            self.rates[shown] = columns
            if (
                len(columns["value"]) == 4 and name in self.writer.families
            ):  # a point and its 1: the letter is the point
                self.rates[shown] = {c: x[:3] for c, x in columns.items()}
                self.reader.known[shown] = columns["value"][:3]
                self.rates[self.writer.symbol(f"{name}4")] = {c: x[3:] for c, x in columns.items()}
            for i in range(len(columns["value"])):
                if len(columns["value"]) > 1:
                    part = {c: x[i : i + 1] for c, x in columns.items()}
                    self.rates[self.writer.symbol(component_name(name, i + 1))] = part
        for x, value in self.inputs.items():
            self._know(x.name, np.array([value]))
        for name, array in self.system.workings.parameter_symbols.items():
            self._know_parameter(self.system.workings.parameters()[name].symbol or name, array)
        self._know_statements()
        self._know_contact()
        self._know_matrices()
        self.multipliers = self._multipliers()

    def _know(self, name: str, values: np.ndarray) -> None:
        """A number or a vector by its printed names; two things of one name are a fault."""
        parts = {self.writer.symbol(name): float(values[0])} if len(values) == 1 else {
            self.writer.name(name): values,
            **{self.writer.symbol(component_name(name, i + 1)): float(x) for i, x in enumerate(values)},
        }  # fmt: skip
        for shown, value in parts.items():
            if shown in self.reader.known:
                np.testing.assert_allclose(self.reader.known[shown], value, rtol=1e-9, err_msg=f"{shown} is two things")
            self.reader.known[shown] = value

    def _know_parameter(self, stem: str, array: np.ndarray) -> None:
        values = np.vectorize(lambda x: self.inputs.get(x, 0.0), otypes=[float])(array)
        if array.ndim == 1 and array.size:
            self.reader.known[self.writer.name(stem)] = values
        for i, row in enumerate(values) if array.ndim == 2 else ():
            self.reader.known[self.writer.name(f"{stem}{i + 1}")] = row
            if len(row) == self.sde.definition.group.dimension:
                for block, part in self.sde.definition.group.blocks.items():
                    self._know(f"{stem}{i + 1}_{block}", row[part])

    @property
    def forced(self) -> bool:
        """Whether a force acts along the drift."""
        return any(e != 0 for e in self.sde.setting.forces[0])

    def _know_contact(self) -> None:
        """The reaction by blocks, and the force of a contact with its normal part."""
        blocks, rows = self.sde.definition.group.blocks, {}
        if "reaction" in self.sde.named:
            rows |= {f"{self.writer.fixed['R']}_{k}": self.sde.named["reaction"][part] for k, part in blocks.items()}
        if "normal-force" in self.sde.contact:
            name = next(k for k, part in blocks.items() if part == self.sde.setting.contact.part)
            rows |= {f"f_{name}": self.sde.contact["contact-force"], f"N_{name}": self.sde.contact["normal-force"]}
        for name, expressions in rows.items():
            self.reader.known.pop(self.writer.name(name), None)  # components that are 0 are no statements
            self._know(name, self._numbers(self.sde.program, np.ravel(np.asarray(expressions, dtype=object))))

    def _know_statements(self) -> None:
        """Every name that the program defines."""
        moving = {v.name: v.symbols for v in self.sde.variables} | {k: (x,) for k, x in self.sde.coordinates.items()}
        programs = [(self.evolution or self.sde.evolution(moving)).program]
        for program in programs:
            rates = {self.sde.setting.dt, *self.sde.setting.dW}
            names = []
            for statement in program.statements:  # those for any dt, dW are on no page
                if statement.reads & rates:
                    rates |= set(statement.names)
                else:
                    names += statement.names
            values = self._numbers(program, names)
            families: dict[str, dict[int, float]] = {}
            for name, value in zip(names, values, strict=True):
                base, tags = split_tags(name.name)
                self._know(name.name, np.array([value]))
                stem = re.sub(r"\d+$", "", base)
                if stem != base and not re.match("~L", base):
                    families.setdefault(stem + "".join(tags), {})[int(base[len(stem) :])] = value
            for stem, found in families.items():
                if sorted(found) == list(range(1, len(found) + 1)):
                    values = np.array(
                        [found[i] for i in sorted(found)]
                    )  # a block may have more components than statements
                    self.reader.known.setdefault(self.writer.name(stem), values)
            self._slopes_of_inertia(program)

    def _slopes_of_inertia(self, program: Any) -> None:
        """D₁L of the locked inertia."""
        locked = {n.name: n for s in program.statements for n in s.names if re.match(r"~L\d+_\d+['\"]", n.name)}
        m = max((int(x) for name in locked for x in re.findall(r"\d+", split_tags(name)[0])), default=0)
        m = max(m, len(self.sde.program.outputs["u"]))
        for tags in {"".join(split_tags(name)[1]) for name in locked}:
            matrix = np.zeros((m, m))
            for i in range(1, m + 1):
                for j in range(i, m + 1):
                    if (name := f"~L{i}_{j}{tags}") in locked:
                        matrix[i - 1, j - 1] = matrix[j - 1, i - 1] = self._numbers(program, [locked[name]])[0]
            self.reader.matrices[f"({self.writer.name('~L' + tags)})"] = matrix

    def _know_matrices(self) -> None:
        """𝕀, and the matrices that are inverted, from the definition."""
        s, writer = self.sde.setting, self.writer
        given = dict(zip(s.xi, self.sde.program.outputs["xi"], strict=True))

        def numbers(array: np.ndarray) -> np.ndarray:
            flat = [sp.sympify(e).xreplace(given) for e in array.flat]
            return self._numbers(self.sde.program, flat).reshape(array.shape)

        if writer.inertia is not None:
            moments = self.system.workings.parameter_symbols[writer.inertia]
            values = numbers(moments)
            self.inertia = np.diag(values) if moments.ndim == 1 else values
            for name, value in list(self.reader.known.items()):
                if np.shape(value) == (3,):
                    self._know_turned(name, self.inertia @ value)
        L, H, B, C, A = (writer.name(writer.fixed[k]) for k in "LHBCA")
        hessian = numbers(s.hessian)
        if self.sde.form == "A":
            covectors, directions = numbers(s.annihilator.covectors), numbers(s.annihilator.directions)
            zero = np.zeros((len(covectors),) * 2)
            whole = np.block([[hessian, -directions], [covectors, zero]])
            self.reader.matrices[f"[{H} −{C}; {A} 0]⁻¹"] = np.linalg.inv(whole)
            self.reader.matrices[A] = covectors
            return
        if s.hamiltonian is not None:
            self._know(writer.fixed["h"], self._numbers(self.sde.program, [s.hamiltonian]))
        for i, h in enumerate(s.noise_hamiltonians, 1):
            if h is not None:
                self._know(f"{writer.fixed['h']}{i}", self._numbers(self.sde.program, [h]))
        if s.hamiltonian is not None:  # nothing is inverted
            return
        basis = numbers(s.distribution.basis)
        self.reader.matrices[f"{L}⁻¹"] = np.linalg.inv(basis.T @ hessian @ basis)
        self.reader.matrices[f"({B}ᵀ{H}{B})⁻¹"] = self.reader.matrices[f"{L}⁻¹"]
        if s.distribution.test is not None:
            test = numbers(s.distribution.test)
            self.reader.matrices[f"({B}_Vᵀ{H}{B})⁻¹"] = np.linalg.inv(test.T @ hessian @ basis)

    def _know_turned(self, name: str, value: np.ndarray) -> None:
        turned = f"{re.match('(D[₀-₉]*)?', name)[0]}𝕀{re.sub('^D[₀-₉]+', '', name)}"
        self.reader.known[turned] = value

    def _multipliers(self) -> list[np.ndarray]:
        """dλ in each column."""
        if self.sde.form != "A":
            return []
        columns = [self.sde.column(k) for k in range(self.sde.wieners + 1)]
        return [self._numbers(column, column.outputs["multiplier"]) for column in columns]

    def measures(self, k: int) -> dict[str, Any]:
        """dt, dW^i and dλ in the column k, and what moves."""
        column = self._column(k)
        out: dict[str, Any] = {"dt": float(k == 0)}
        out |= {f"dW{str(i).translate(SUPERSCRIPTS)}": float(i == k) for i in range(1, self.sde.wieners + 1)}
        if self.multipliers:
            dl, shown = self.multipliers[k], self.writer.name("~dlambda")
            out |= {shown: dl[0]} if len(dl) == 1 else {
                self.writer.name(f"~dlambda{j + 1}"): x for j, x in enumerate(dl)
            }  # fmt: skip
        for name, rates in self.rates.items():
            x = rates[column]
            out[f"d{name}"] = float(x[0]) if len(x) == 1 else x
        return out

    def _column(self, k: int) -> str:
        return f"noise{k}" if k else ("drift" if self.form == "stratonovich" else "ito")

    # -- reading ---------------------------------------------------------------------------------------------------

    def read(self) -> Printed:
        """Read every line of the text, then of the LaTeX."""
        known = dict(self.reader.known)
        text, latex = self.pages
        lines = [line.strip() for line in text.splitlines()]
        if self.evolution is None:
            self._header(lines.pop(0))
        for page, found in ((text, lines), (latex, lines_of(latex))):
            self.held, self.defined, self.made = set(), {}, {}
            self.reader.known, self.reader.slope = dict(known), self._slope
            self._read(page, found)
        return self

    def _header(self, line: str) -> None:
        """System: group; velocity; what is advected; internal states; principle and form."""
        d, name = self.sde.definition, self.writer.name
        velocity = [name(k) for k in d.group.blocks]
        parts = [f"{type(self.system).__name__}: S = {d.group.name}",
                 f"velocity {_tuple(velocity)}"]  # fmt: skip
        parts += [f"advected {', '.join(map(name, d.advected))}"] * bool(d.advected)
        internal = [name(x.name) for x in d.internal_states]
        parts += [f"internal {', '.join(internal)}"] * bool(internal)
        if line.rpartition("; ")[2].startswith("kinematics alone"):
            assert not any(v.kind in ("velocity", "momentum") for v in self.sde.variables)
            assert line.startswith("; ".join([*parts, "kinematics alone, d"]))
            return
        assert line == "; ".join([*parts, f"{self.sde.principle}, {self.sde.form} form"])

    def _read(self, page: str, lines: list[str]) -> None:
        joined = (
            {} if page.startswith("\\begin") and self.sde.form != "A" else self._joined()
        )  # LaTeX has D solved alone
        residuals = [] if joined else list(self._residuals())
        axes = [line for line in lines if re.match(r"E[₁-₃] = \(\d", line)]  # the legend, which stands last
        for line in (*axes, *(line for line in lines if line not in axes)):
            if line.startswith("parameters"):
                self._parameters(line)
                continue
            if line.startswith("variables"):
                chosen = dict(re.findall(r"(\S+) \((\w+)\)", line))
                assert {unicode_name(self.system.symbols[name]): name for name in chosen.values()} == chosen
                continue
            assert line.count(" = ") >= 1, line
            equation, _, suffix = line.partition(",  ")
            try:
                left, right = (side.strip() for side in equation.split(" = "))
                if suffix.strip() in joined:
                    residual = joined[suffix.strip()].pop(0)
                    self.same(self.reader.value(left) - self.reader.value(right), residual)
                    continue
                self._meaning(suffix)
                self._line(left, right, residuals)
            except (ValueError, AssertionError, KeyError, TypeError, IndexError) as error:
                raise AssertionError(f"{line}\n{error}\n{page}") from error
        assert not residuals or self.evolution is not None, f"a row of the constraint is missing\n{page}"
        assert self.evolution is not None or not any(joined.values()), f"a row of a constraint is missing\n{page}"

    def _joined(self) -> dict[str, list[float]]:
        """A ξ − b of each row of several constraints, by their names on the page."""
        parts, out = self.sde.setting.parts, dict[str, list[float]]()
        for name, where in {} if parts is None else parts.rows.items():
            left = parts.covectors[where] @ np.array(self.sde.program.outputs["xi"], dtype=object) - parts.values[where]
            rows = list(self._numbers(self.sde.program, left))
            texts = [tuple(map(str, row)) for row in np.column_stack([parts.covectors[where], parts.values[where]])]
            out[f"({name})"] = list(dict(zip(texts, rows, strict=True)).values())
        return {name: rows for name, rows in out.items() if rows}

    def _residuals(self) -> np.ndarray:
        if self.sde.form != "A" or self.evolution is not None:
            return np.zeros(0)
        return self._numbers(self.sde.program, self.sde.program.outputs["residual"])

    def _line(self, left: str, right: str, residuals: list[float]) -> None:
        d, known = self.sde.definition, self.reader.known
        velocity = [self.writer.name(k) for k in d.group.blocks]
        fixed = {k: self.writer.name(name) for k, name in self.writer.fixed.items()}
        constrained = {self.writer.symbol(x.name) for x in self.sde.setting.xi} | set(velocity)
        sizes = [part.stop - part.start for part in d.group.blocks.values()]
        self.reader.sizes = sizes
        tuple_ = _tuple(velocity)
        if left == "state":
            assert {x.strip() for x in right.strip("()").split(",")} <= set(known)
        elif left == "𝕀":
            self._inertia(right)
        elif re.fullmatch("E[₁-₃]", left) and right in ("(1, 0, 0)", "(0, 1, 0)", "(0, 0, 1)"):
            self.same(np.array(self.reader.value(right)), np.eye(3)[int(left[1].translate(SUBSCRIPTS)) - 1])
            known[left] = np.array(self.reader.value(right))
        elif left == fixed["H"] and "∂" in right:
            assert right == f"∂²l/∂{tuple_}²"
        elif left == fixed["B"] and "∂" in right:
            u = [self.writer.name(k) for k in d.constraint.coordinates(d.group)]
            assert right == f"∂{tuple_}/∂{_tuple(u)}"
        elif left == fixed["R"]:
            state = _tuple([self.writer.name(k) for k in d.advected])
            terms = ["dp/dt", f"ad*_{tuple_} p", *[f"∂l/∂{state} ◇ {state}"] * bool(d.advected)]
            assert right == " - ".join([*terms, *[fixed["F"]] * self.forced])
        elif left == f"{fixed['A']} {tuple_}":
            assert "constraint" in right
        elif re.fullmatch(rf"{fixed['N']}[₀-₉]+", left):
            column = self.sde.column(int(re.search("[₀-₉]+$", left)[0].translate(SUBSCRIPTS)))
            value = self.reader.flat(self._open(right), sizes)
            self.same(value, self._numbers(column, column.outputs["v"]))
            known[left] = value if len(value) > 1 else float(value[0])
        elif re.fullmatch(rf"{fixed['C']}[₀-₉]+", left):
            j = int(left[len(fixed["C"]) :].translate(SUBSCRIPTS)) - 1
            self.same(self.reader.flat(self._open(right), sizes),
                      self._numbers(self.sde.program, self.sde.setting.annihilator.directions[:, j]))  # fmt: skip
        elif "\u0303" in left and "⁽" not in left:
            for k in range(self.sde.wieners + 1):
                known |= self.measures(k)
                column = self.sde.column(k)
                value = self.reader.value(right)
                self.same(self.reader.flat(value, sizes), self._numbers(column, column.outputs["v"]))
        elif left.startswith("d") and left[1:] in self.rates:
            self.differential(left[1:], right)
        elif "⁽" not in left and (
            re.search(rf"\b(dt|dW|{self.writer.name('~dlambda')}\b)", f"{left} {right}")
            or (" " in left and any(f"d{name}" in left for name in self.rates))  # what is tested vanishes: … = 0
        ):
            self.balance(left, right)
        elif "⁻¹" in right.split(" ")[0] or right.startswith("["):
            self.solution(left, right)
        elif self.sde.form == "A" and (left in constrained or not re.fullmatch(rf"{SLOPE}|{NAME}", left)):
            self.same(self.reader.value(left) - self.reader.value(right), residuals.pop(0))
        else:
            self.define(left, right)

    def _open(self, right: str) -> Any:
        return self.reader.value(right)

    def same(self, value: Any, expected: Any, *, together: bool = False) -> None:
        """Equal to within the tolerance, relative to each component or to the largest of them."""
        value, expected = np.asarray(value, dtype=float), np.asarray(expected, dtype=float)
        assert value.shape == expected.shape or value.size == 1, (value, expected)
        within = 10 * self.within if together else self.within  # tippe-top, with its multiplier: 3.1e-13
        scale = np.maximum(1.0, np.abs(expected))
        scale = np.max(scale, initial=1.0) if together else scale
        error = float(np.max(np.abs(value - expected) / scale, initial=0.0))
        self.worst = max(self.worst, error)
        assert error < within, f"{value} is not {expected}: {error:.1e}"

    def balance(self, left: str, right: str) -> None:
        """What stands before dp on the left, and the forces on the right: both sides in each column."""
        for k in range(self.sde.wieners + 1):
            self.reader.known |= self.measures(k)
            self.same(self.reader.value(left), self.reader.value(right))
        self.held |= {name for name in self.rates if f"d{name}" in left}

    def differential(self, name: str, right: str) -> None:
        """dX, column by column."""
        for k in range(self.sde.wieners + 1):
            self.reader.known |= self.measures(k)
            expected = self.rates[name][self._column(k)]
            value = self.reader.value(right)
            self.same(value * np.ones(len(expected)) if np.ndim(value) == 0 else value, expected)
        self.held |= {name, component(name)[0]}

    def solution(self, left: str, right: str) -> None:
        """(X, Y) = L⁻¹ (…)."""
        names = [x.strip() for x in left.strip("()").split(",")]
        values = [self._known(x) for x in names]
        self.reader.sizes = [np.size(x) for x in values]
        expected = np.concatenate([np.atleast_1d(x) for x in values])
        self.same(self.reader.value(right), expected, together=True)  # as a solution of a linear system
        self.held |= set(names)

    def _known(self, name: str) -> Any:
        if name in self.reader.known:
            return self.reader.known[name]
        if name.startswith(self.writer.name("~dlambda")):
            return self.reader.known[name]
        return self.reader.lookup(name)

    def define(self, left: str, right: str) -> None:
        """A name is what the program says, or new and from now on known."""
        assert re.fullmatch(rf"{SLOPE}|{NAME}", left), left
        known = self.reader.known
        assert left not in self.defined or self.defined[left] == right, f"{left} is defined twice"
        self.defined[left] = right
        value = self.reader.value(right)
        letter, index = component(left)
        if np.ndim(value) == 1 and index is not None and left not in known:  # dE₁, a vector with a number in its name
            base, column = re.fullmatch(r"(.*?)((?:⁽[⁰¹²³⁴-⁹]+⁾)?)", left).groups()
            parts = [f"{base}{i}{column}" for i in "₁₂₃"]
            known[left] = np.array([known[x] for x in parts]) if set(parts) <= set(known) else value
            self.same(value, known[left])
            self.held.add(left)
            return
        try:
            expected = known[left] if left in known and left not in self.made else None
            expected = self.reader.lookup(left) if expected is None and letter not in self.made else expected
        except KeyError:
            expected = None
        if expected is not None:
            if np.shape(value) == (3,) and np.shape(expected) == (2,):
                expected = known[left] = np.append(expected, 0.0)  # a component that is 0 is no statement
            if isinstance(value, Tuple):
                value = self.reader.flat(value, [np.size(expected)])
            self.same(value, expected)
        elif index is None:
            known[left] = np.array(value, dtype=float) if isinstance(value, Tuple) else value
            if np.shape(value) == (3,) and hasattr(self, "inertia"):
                self._know_turned(left, self.inertia @ value)
        else:
            vector = self.made.setdefault(letter, np.zeros(3))
            vector[index] = value
            known |= {left: value, letter: vector}
        self.held.add(left)

    def _slope(self, name: str) -> np.ndarray:
        """∂s/∂Γ by complex steps through the lines of s; D₁∂s/∂Γ by the lines of its components."""
        marks, s, a = re.fullmatch(r"((?:D[₀-₉]*)*)∂(.+)/∂(.+)", name).groups()
        if marks:
            rows = [[self.reader.known.get(f"{marks}∂{s}{i}/∂{a}{j}", 0.0) for j in "₁₂₃"] for i in "₁₂₃"]
            assert np.any(rows), name
            return np.array(rows)
        lines = [text for left, text in self.defined.items() if left == s or component(left)[0] == s]
        assert lines, f"{s} is not defined"

        def along(v: np.ndarray) -> np.ndarray:
            moved = Reader({**self.reader.known, a: self.reader.lookup(a) + 1e-30j * v})
            moved.known |= (
                {f"{a}{'₁₂₃'[i]}": x for i, x in enumerate(np.ravel(moved.known[a]))} if np.size(v) > 1 else {}
            )
            return np.array([moved.value(text) for text in lines], dtype=complex).ravel().imag / 1e-30

        size = np.size(self.reader.lookup(a))
        return np.stack([along(e if size > 1 else 1.0) for e in np.eye(size)], axis=1)

    def _inertia(self, right: str) -> None:
        if right.startswith("diag"):
            value = np.diag([self.reader.value(x) for x in right.removeprefix("diag").strip("()").split(",")])
        else:
            value = np.array([[self.reader.value(x) for x in row.split()] for row in right.strip("()").split(";")])
        self.same(value, self.inertia)

    def _parameters(self, line: str) -> None:
        """Each is a parameter of that name."""
        self.legend = dict(re.findall(r"(\S+) \((\w+)\)", line))
        names = self.system.workings.parameters()
        for shown, code in self.legend.items():
            assert code in names
            stem = names[code].symbol or code
            assert shown in (self.writer.symbol(stem), self.writer.name(stem))

    def _meaning(self, suffix: str) -> None:
        if suffix:
            L, H, B = (self.writer.name(self.writer.fixed[k]) for k in "LHB")
            d = self.sde.definition
            momentum = f"p = ∂l/∂{_tuple([self.writer.name(k) for k in d.group.blocks])}"
            momentum += f", {self.writer.name(self.writer.fixed['F'])} the force" * self.forced
            assert suffix.strip() in (f"{L} = {B}ᵀ{H}{B}", f"{L} = {B}_Vᵀ{H}{B}", momentum)


def _tuple(names: list[str]) -> str:
    return f"({', '.join(names)})" if len(names) > 1 else names[0]
