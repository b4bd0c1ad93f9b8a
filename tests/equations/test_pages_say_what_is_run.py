"""What is printed is what is run: pages are read back as numbers and held against the derivatives of the derived program."""

from __future__ import annotations

import re
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from page_reader import NAME, SUBSCRIPTS, Reader

import semidirect as sd
from semidirect import ops
from semidirect.equations.emission import numerical_function
from semidirect.laws.derivations import exact_parameters
from semidirect.pages.notation import unicode_name
from semidirect.pages.printing import Equations
from semidirect.testing import definitions

SYSTEMS = sorted(sd.plugins.available())
SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def columns(sde, quantities, inputs):
    """Value and rates of quantities by names: ``{name: {"value": …, "drift": …, "noise1": …}}``, arrays."""
    found = sde.evolution(quantities).function(list(inputs))(*inputs.values())
    return {q: {c: np.array(rows, dtype=float) for c, rows in by.items()} for q, by in found.items()}


class Page:
    """One printed page at one random state."""

    def __init__(self, system, principle="hamilton-pontryagin", within=1e-13):
        self.within = within
        self.system, self.sde = system, system.sde(principle)
        self.lines = [
            line.strip().partition(" = ")[::2] for line in str(Equations(system, principle=principle)).splitlines()[1:]
        ]
        random = Random(1)
        values = {x: float(v) for x, v in exact_parameters(system).items()}
        s = self.sde.setting
        self.inputs = {
            x: values.get(x, random.uniform(0.3, 1.2))
            for x in self.sde.program.inputs
            if x is not s.dt and x not in set(s.dW)
        }
        named = {k: tuple(v) for k, v in self.sde.named.items() if k not in ("multiplier", "reaction")}
        p = self.sde.program.outputs["p"]
        named = {f"p_{k}": p[part] for k, part in self.sde.definition.group.blocks.items()} | named
        named |= {k: (x,) for k, x in self.sde.coordinates.items()}
        self.rates = columns(self.sde, named, self.inputs)
        self.multipliers = self._multipliers()
        velocities = self.sde.setting.xi if self.sde.form == "A" else ()
        self.constrained = {unicode_name(x.name) for x in velocities}  # of ξ₂ = 0, a constraint
        self.reader, self.made = Reader(self._known(), self._inertia()), {}

    def _known(self):
        known = {unicode_name(x.name): v for x, v in self.inputs.items()}
        known |= {unicode_name(k): scalar(v["value"]) for k, v in self.rates.items()}
        for name, symbols in self.system.parameter_symbols.items():
            stem = self.system.parameters()[name].symbol or name
            rows = np.vectorize(lambda x: self.inputs.get(x, 0.0))(symbols) if symbols.size else np.zeros(symbols.shape)
            if symbols.ndim == 1:
                known.setdefault(unicode_name(stem), rows)
            for i, row in enumerate(rows) if symbols.ndim == 2 else ():
                known[unicode_name(f"{stem}{i + 1}")] = row
                if len(row) == self.sde.definition.group.dimension:
                    known |= {f"{unicode_name(f'{stem}{i + 1}')}^{unicode_name(k)}": row[part]
                              for k, part in self.sde.definition.group.blocks.items()}  # fmt: skip
        known |= self._contact()
        for name in self.sde.definition.advected:  # a point and its 1: the letter is the point
            if len(self.rates[name]["value"]) == 4:
                known[unicode_name(name)] = self.rates[name]["value"][:3]
        return known

    def _contact(self):
        """The reaction by blocks, and the force of a contact with its normal part, which the page defines."""
        blocks = self.sde.definition.group.blocks
        rows = {
            f"R_{k}": self.sde.named["reaction"][part] for k, part in blocks.items() if "reaction" in self.sde.named
        }
        if "normal-force" in self.sde.contact:
            name = next(k for k, part in blocks.items() if part == self.sde.setting.contact.part)
            rows |= {f"f_{name}": self.sde.contact["contact-force"], f"N_{name}": self.sde.contact["normal-force"]}
        flat = [e for part in rows.values() for e in part]
        found = iter(numerical_function(self.sde.program, flat, list(self.inputs))(*self.inputs.values()))
        return {unicode_name(k): scalar(np.array([next(found) for _ in part])) for k, part in rows.items()}

    def _inertia(self):
        for name, symbols in self.system.parameter_symbols.items():
            if self.system.parameters()[name].symmetric:
                rows = np.vectorize(lambda x: self.inputs[x])(symbols)
                return np.diag(rows) if rows.ndim == 1 else rows
        return None

    def _multipliers(self):
        """dλ in each column."""
        if self.sde.form != "A":
            return []
        out = []
        for k in range(self.sde.wieners + 1):
            column = self.sde.column(k)
            found = numerical_function(column, list(column.outputs["multiplier"]), list(self.inputs))
            out.append(found(*self.inputs.values()))
        return out

    def measures(self, k):
        """dt, dW^i and dλ in the column k."""
        out = {"dt": float(k == 0)}
        out |= {f"dW{str(i).translate(SUPERSCRIPTS)}": float(i == k) for i in range(1, self.sde.wieners + 1)}
        if self.multipliers:
            dl = self.multipliers[k]
            out |= {"dλ": dl[0]} if len(dl) == 1 else {unicode_name(f"dlambda{j + 1}"): x for j, x in enumerate(dl)}
        return out

    def read(self):
        """Every line is true; the names of those whose left-hand sides were held against something."""
        held = set()
        for left, right in self.lines:
            if "L⁻¹" in right or left == "s′":
                continue
            if re.fullmatch(r"N[₀-₉]+", left):
                self.field(left, right)
            elif left == "ξ̃":
                continue
            elif re.search(r"\bdt\b|dW|dλ", right) or (right == "0" and left.startswith("d") and len(left) > 1):
                name = re.fullmatch(rf"d( |\()?(?P<name>{NAME}|[\w-]+)\)?", left)
                if name is not None:
                    held.add(self.differential(name["name"], right))
                else:
                    self.balance(left, right)
            elif re.fullmatch(rf"(∂l/∂)?{NAME}", left) and left not in self.constrained:
                self.define(left, right)
                held.add(left)
            # else the constraint, which this state does not obey
        return held

    def balance(self, left, right):
        """What stands before dp on the left, and the forces on the right: both sides in each column."""
        for k in range(self.sde.wieners + 1):
            column = "drift" if k == 0 else f"noise{k}"
            self.reader.known |= self.measures(k)
            self.reader.known |= {f"d{unicode_name(name)}": scalar(rates[column]) for name, rates in self.rates.items()}
            np.testing.assert_allclose(
                self.reader.value(left), self.reader.value(right), rtol=self.within, atol=self.within
            )

    def define(self, left, right):
        value, known = self.reader.value(right), self.reader.known
        letter, index = (left[:-1], "₁₂₃".index(left[-1])) if left[-1] in "₁₂₃" else (left, None)
        if left in known or (np.ndim(known.get(letter, 0)) and letter not in self.made):
            np.testing.assert_allclose(value, self.reader.lookup(left), rtol=self.within, atol=self.within)
        elif index is None:
            known[left] = value
        else:
            self.made.setdefault(letter, np.zeros(3))[index] = value
            known |= {left: value, letter: self.made[letter]}
        if left in ("s₃", "s"):
            self.reader.known |= self.slopes()

    def slopes(self):
        """s′ and s′ᵀ, by complex steps through the lines of s."""
        lines = [(left, right) for left, right in self.lines if re.fullmatch(r"s[₁₂₃]?", left)]

        def along(v):
            moved = Reader(
                {**self.reader.known, "Γ": self.reader.known["Γ"] + 1e-30j * np.asarray(v)}, self.reader.inertia
            )
            moved.known |= {f"Γ{'₁₂₃'[i]}": x for i, x in enumerate(moved.known["Γ"])}
            return np.array([moved.value(right) for _, right in lines], dtype=complex).ravel().imag / 1e-30

        jacobian = np.stack([along(e) for e in np.eye(3)], axis=1)
        return {"s′": lambda v: jacobian @ v, "s′ᵀ": lambda v: jacobian.T @ v}

    def differential(self, name, right):
        name = name.strip()
        stem, index = (name, None)
        keys = {unicode_name(k): k for k in self.rates}
        if name not in keys:
            stem, index = name[:-1], int(name[-1].translate(SUBSCRIPTS)) - 1
        for k, column in enumerate(["drift", *(f"noise{i + 1}" for i in range(self.sde.wieners))]):
            self.reader.known |= self.measures(k)
            expected = self.rates[keys[stem]][column]
            value = np.atleast_1d(self.reader.value(right))
            expected = expected if index is None else expected[index : index + 1]
            if len(expected) == 4 and len(value) == 3:
                expected = expected[:3]
            wanted = np.ones(len(expected)) * expected
            np.testing.assert_allclose(value * np.ones(len(wanted)), wanted, rtol=self.within, atol=self.within)
        return stem

    def field(self, left, right):
        """N_i, block by block."""
        inside = right[1:-1] if right.startswith("(") and _whole(right) else right
        parts, blocks = (
            [np.atleast_1d(self.reader.value(part)) for part in _split(inside)],
            self.sde.definition.group.blocks,
        )
        if len(parts) == len(blocks):
            parts = [part * np.ones(b.stop - b.start) for part, b in zip(parts, blocks.values(), strict=True)]
        column = self.sde.column(int(left[1:].translate(SUBSCRIPTS)))
        expected = numerical_function(column, list(column.outputs["v"]), list(self.inputs))(*self.inputs.values())
        np.testing.assert_allclose(np.concatenate(parts), expected, rtol=self.within, atol=self.within)


def scalar(rows):
    return float(rows[0]) if len(rows) == 1 else rows


def _split(text):
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _whole(text):
    """Whether the first bracket closes at the end."""
    depth = 0
    for i, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return i == len(text) - 1
    return False


def held(system, principle="hamilton-pontryagin", within=1e-13):
    """Read a page; all that moves has an equation on it."""
    page = Page(system, principle, within)
    found = page.read()
    assert {unicode_name(v.name) for v in page.sde.variables if v.kind in ("momentum", "advected", "internal")} <= found
    return found


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_page_says_what_is_run(name):
    held(sd.load(name))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tippe-top", {"friction": "coulomb"}),
        ("tippe-top", {"friction": "viscous", "friction_noise": [1e-3]}),
        ("routh-sphere", {"coupling": "printed"}),
        ("rolling-disk", {"variant": "rolling-noise"}),
    ],
)
def test_pages_of_options(name, options):
    assert "p_Ω" in held(sd.load(name, **options)) or name != "tippe-top"


class Top(sd.System):
    """A body whose kinetic energy is not quadratic: the state is the velocity, and p = ∂l/∂ξ is not solved for it."""

    stiffness = sd.parameter(0.3, symbol="k")
    noise = sd.parameter(((0.1, 0.2, 0.3),), symbol="xi", shape=(None, 3))
    group = sd.SO3()
    advected = {"Gamma": sd.Advected(sd.VectorRepresentation(group), (0, 0, 1))}

    def lagrangian(self, xi, a):
        square = ops.dot(xi.Omega, xi.Omega)
        return square / 2 + square * square / 4 - self.stiffness * a.Gamma[2]

    def constraint(self):
        return sd.Unconstrained(noise=self.noise)


class Veselova(Top):
    """Ω·Γ = 0, by covectors."""

    def constraint(self):
        return sd.CovectorConstraint(lambda a: [a.Gamma], noise=self.noise)


class Across(Top):
    """Ω in a plane that turns with Γ, and reactions that are not ideal."""

    def constraint(self):
        def basis(a):
            return ops.array([[1, 0], [0, 1], [a.Gamma[0], a.Gamma[1] / 2]])

        return sd.DistributionConstraint(basis, {"u": 2}, test=[[1, 0], [0, 1], [0, 0]], noise=self.noise)


class Along(Top):
    """The same, ideal."""

    def constraint(self):
        return sd.DistributionConstraint(lambda a: ops.array([[1, 0], [0, 1], [a.Gamma[0], a.Gamma[1] / 2]]), {"u": 2},
                                         noise=self.noise)  # fmt: skip


@pytest.mark.parametrize("principle", ["hamilton-pontryagin", "lagrange-dalembert"])
@pytest.mark.parametrize(("system", "moved"), [(Top, "M"), (Veselova, "p_Ω"), (Along, "p_u")])
def test_where_the_state_is_a_velocity_what_moves_is_its_momentum(system, moved, principle):
    assert moved in held(system(), principle)


def test_where_reactions_are_not_ideal_the_balance_is_tested():
    lines = [line.strip() for line in str(Across().equations()).splitlines()]
    assert "dp_Ω₁ = (k Γ₂ + p_Ω₂ Ω₃ - p_Ω₃ u₂) dt + (p_Ω₂ ξ₁₃ - p_Ω₃ ξ₁₂)∘dW¹" in lines
    assert "dp_Ω₂ = (-k Γ₁ - p_Ω₁ Ω₃ + p_Ω₃ u₁) dt + (-p_Ω₁ ξ₁₃ + p_Ω₃ ξ₁₁)∘dW¹" in lines


class Convex(sd.System):
    """A body that rolls on the surface of a gradient, s = r∇h(Γ)/√(Γ·AΓ)."""

    kind = sd.option("ellipsoid", choices=("ellipsoid", "tilted", "tethered"))
    inertia = sd.inertia((2.0, 3.0, 4.0))
    noise = sd.parameter(((0.1, 0.2, 0.3),), symbol="xi", shape=(None, 3))
    group = sd.SE3()
    advected = {k: v for k, v in sd.AdvectedFrame(group).items() if k in ("Gamma", "b")}

    def contact(self, a):
        g = a.Gamma
        if self.kind != "tilted":
            return ops.array([g[0], 2 * g[1], 3 * g[2]]) / ops.sqrt(g[0] ** 2 + 2 * g[1] ** 2 + 3 * g[2] ** 2)
        return ops.array(
            [g[0] ** 3, g[1] * g[2] ** 2, ops.exp(g[0])]
        )  # no surface; the equations are those of the theorem

    def lagrangian(self, xi, a):
        kinetic = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2 + ops.dot(xi.Y, xi.Y)
        tether = ops.dot(a.b[:3], a.b[:3]) if self.kind == "tethered" else 0
        return kinetic - ops.dot(self.contact(a), a.Gamma) - tether

    def force(self, xi, a):
        return [*ops.cross(a.Gamma, xi.Omega), *xi.Y]

    def noise_force(self, a):
        return [[*a.Gamma, 0, 0, 1]]

    def constraint(self):
        return sd.Rolling(self.contact, noise=self.noise)


@pytest.mark.parametrize("kind", ["ellipsoid", "tilted", "tethered"])
def test_bodies_that_roll_on_any_surface(kind):
    """In s and s′, also with forces, and where ∂l/∂Γ is not a multiple of s; not where l depends on more than Γ."""
    system = Convex(kind=kind)
    text = str(system.equations())
    assert ("s′(Γ × Ω)" in text) == (kind != "tethered")
    assert ("∂l/∂Γ₁ = " in text) == (kind == "tilted")
    held(system)


@settings(max_examples=15)
@given(definitions())
def test_pages_of_random_definitions(definition):
    """Any group, representation, Lagrangian, constraint, noise and force."""
    forces = {"force": definition.forces.drift, "noise_force": definition.forces.noise,
              "independent_force": definition.forces.independent}  # fmt: skip
    drawn = {"__doc__": "Drawn.", "group": definition.group, "advected": definition.advected,
             "lagrangian": definition.lagrangian, "constraint": lambda self: definition.constraint,
             "internal": lambda self: definition.internal, **forces}  # fmt: skip
    held(type("Drawn", (sd.System,), drawn)(), within=1e-10)  # polynomials of degree 8; measured 5e-13 over 500
