"""The mechanics of each choice, as the lines of a definition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

from semidirect.scaffold.choices import Choices

_LEANING = "((1.2, 0.0, 0.3), (0.0, 1.5, -0.2), (0.3, -0.2, 1.1))"


@final
@dataclass(frozen=True)
class Mechanics:
    """The data of a definition in words and code.

    Attributes
    ----------
    title, formula : str
        A description, and S, l, D in a line.
    parameters : list of str
        Declarations.
    group : str
        Its constructor.
    frame : str
        A statement before the class; empty for none.
    advected : dict name → str
        Constructors.
    initial : dict name → str
        The recommended state.
    kinetic : list of str
        Statements that return the kinetic energy of ``xi``.
    potential : str
        An expression in ``a``; empty for none.
    dimension : int
        Of an amplitude of the noise.
    state_noise : str
        A field as a function of advected quantities, an expression in ``a`` of that dimension.
    casimir : tuple of str
        Documentation and expression of a quantity that nothing but forces changes.
    """

    title: str
    formula: str
    parameters: list[str]
    group: str
    kinetic: list[str]
    dimension: int
    initial: dict[str, str]
    frame: str = ""
    advected: dict[str, str] = field(default_factory=dict)
    potential: str = ""
    state_noise: str = ""
    casimir: tuple[str, str] = ("", "")


def mechanics(c: Choices) -> Mechanics:
    """The mechanics of a choice."""
    return {"so3": _so3, "se3": _se3, "se2": _se2, "so2": _so2, "heisenberg": _heisenberg, "r3": _r3}[c.group](c)


def declaration(name: str, default: str, unit: str, doc: str, more: str = "") -> str:
    """The line that declares a parameter."""
    return f'{name}: sd.Parameter = sd.parameter({default}, unit="{unit}", {more}doc="{doc}")'


_MASS = declaration("mass", "1.3", "kg", "mass", 'symbol="m", positive=True, ')
_PULL = declaration("pull", "0.7", "J", "energy of the direction", 'symbol="w", ')
_STIFFNESS = declaration(
    "stiffness", "0.4", "N/m", "stiffness of the spring to the origin", 'symbol="k", nonnegative=True, '
)


def _potential(c: Choices, axis: str, point: str, size: int) -> tuple[str, list[str], str]:
    """The expression, its parameters, and its words."""
    terms, parameters, words = [], [], []
    if c.has_gamma:
        terms.append(f"self.pull * a.Gamma[{axis}]")
        parameters.append(_PULL)
        words.append(f"wΓ{'₁₂₃'[int(axis)]}")
    if c.has_point:
        terms.append(f"self.stiffness * ops.dot(a.{point}[:{size}], a.{point}[:{size}]) / 2")
        parameters.append(_STIFFNESS)
        words.append(f"½k|{point}|²")
    return " + ".join(terms), parameters, "".join(f" − {w}" for w in words)


def _so3(c: Choices) -> Mechanics:
    potential, more, words = _potential(c, "2", "b", 3)
    constrained = c.constraint != "none"
    inertia = _LEANING if constrained else "(1.0, 2.0, 2.5)"
    third = {"affine": "Ω₃ = rate"}.get(c.constraint, "Ω₃ = 0") if constrained else "no constraint"
    velocity = {"none": ("Omega", "(1.0, 0.5, -0.3)"), "covector": ("Omega", "(1.0, 0.5, 0.0)")}
    name, value = velocity.get(c.constraint, ("u", "(1.0, 0.5)"))
    return Mechanics(
        "A rigid body about a fixed point", f"S = SO(3), l = ½Ω·𝕀Ω{words}, {third}",
        [f'inertia: sd.Parameter = sd.inertia({inertia}, doc="moment of inertia")', *more], "sd.SO3()",
        ["return ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2"], 3,
        {name: value, **({"Gamma": "(0.6, 0.0, 0.8)"} if c.has_gamma else {})},
        advected={"Gamma": "sd.Advected(sd.VectorRepresentation(group), reference=(0, 0, 1))"} if c.has_gamma else {},
        potential=potential, state_noise="a.Gamma",
        casimir=("|M|², a Casimir.", "ops.dot(state.M, state.M)"),
    )  # fmt: skip


def _se3(c: Choices) -> Mechanics:
    potential, more, words = _potential(c, "0" if c.rolls else "2", "b", 3)
    if c.rolls:
        constraint = "Y = Ω × s + rate Γ × (X − s)" if c.constraint == "affine" else "Y = Ω × s"
        constraint += ", s = rΓ" + (", X = −b" if c.constraint == "affine" else "")
    elif c.constraint == "none":
        constraint = "no constraint"
    elif c.has_gamma:
        constraint = "Γ·Y = 0"
    else:
        constraint = {"basis": "Y₂ = Y₃ = 0", "covector": "Y₂ = Y₃ = 0", "affine": "Y₂ = 0, Y₃ = rate"}[c.constraint]
    radius = [declaration("radius", "0.5", "m", "radius", 'symbol="r", positive=True, ')] if c.rolls else []
    initial = {"Omega": "(0.4, -0.2, 1.5)"}
    if not c.rolls and c.constraint != "none":
        along = {"basis": ("speed", "0.8"), "affine": ("speed", "0.8"), "covector": ("Y", "(0.8, 0.0, 0.0)")}
        name, value = along[c.constraint]
        initial[name] = value
    elif c.constraint == "none":
        initial["Y"] = "(0.3, 0.1, -0.2)"
    if c.has_gamma:
        initial["Gamma"] = "(0.0, 0.0, 1.0)"
    if c.has_point:
        initial["b"] = "(-1.0, 0.0, -0.5, 1.0)"
    frame = "sd.AdvectedFrame(sd.SE3())"
    advected = {name: f'_FRAME["{name}"]' for name, there in (("Gamma", c.has_gamma), ("b", c.has_point)) if there}
    state = "a.Gamma" if c.rolls else "[*a.Gamma, 0, 0, 0]" if c.has_gamma else "[0, 0, 0, *a.b[:3]]"
    return Mechanics(
        "A ball that rolls" if c.rolls else "A rigid body in space",
        f"S = SE(3), ξ = (Ω, Y), l = ½Ω·𝕀Ω + ½m|Y|²{words}, {constraint}",
        ['inertia: sd.Parameter = sd.inertia((0.3, 0.4, 0.5), doc="moment of inertia")', _MASS, *radius, *more], "sd.SE3()",
        ["turning = ops.dot(xi.Omega, ops.inertia(self.inertia, xi.Omega)) / 2",
         "return turning + self.mass * ops.dot(xi.Y, xi.Y) / 2"], 3 if c.rolls else 6, initial,
        frame=f"_FRAME = {frame}" if advected else "", advected=advected, potential=potential, state_noise=state,
        casimir=("|p_Y|², a Casimir.", "ops.dot(state.p_Y, state.p_Y)"),
    )  # fmt: skip


def _se2(c: Choices) -> Mechanics:
    potential, more, words = _potential(c, "0", "b", 2)
    side = {"none": "no constraint", "affine": "v₂ = rate"}.get(c.constraint, "v₂ = 0")
    initial = {"nu": "0.7", **({"v": "(0.5, 0.0)"} if c.constraint in ("none", "covector") else {"speed": "0.5"})}
    advected = {}
    if c.has_gamma:
        advected["Gamma"] = (
            'sd.Advected(sd.Pullback(sd.VectorRepresentation(sd.SO2(blocks=("nu",))), group, "nu"), reference=(0, 1))'
        )
        if not c.has_point:
            initial["Gamma"] = "(0.6, 0.8)"
    if c.has_point:
        advected["b"] = "sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 0, 1))"
    state = "[0, *a.Gamma]" if c.has_gamma else "[0, *a.b[:2]]"
    return Mechanics(
        "A body in the plane", f"S = SE(2), ξ = (ν, v), l = ½Iν² + ½m(v₁² + (v₂ + aν)²){words}, {side}",
        [declaration("inertia", "0.7", "kg m²", "about the centre of mass", 'symbol="I", positive=True, '), _MASS,
         declaration("ahead", "0.4", "m", "distance of the centre of mass ahead of the origin", 'symbol="l", '), *more],
        "sd.SE2()",
        ["side = xi.v[1] + self.ahead * xi.nu",
         "return (self.inertia * xi.nu**2 + self.mass * (xi.v[0] ** 2 + side**2)) / 2"], 3, initial,
        advected=advected, potential=potential, state_noise=state,
        casimir=("|p_v|², a Casimir.", "ops.dot(state.p_v, state.p_v)"),
    )  # fmt: skip


def _so2(c: Choices) -> Mechanics:
    potential, more, words = _potential(c, "1", "b", 2)
    return Mechanics(
        "A wheel about a fixed axis", f"S = SO(2), l = ½Iν²{words}",
        [declaration("inertia", "0.7", "kg m²", "about the axis", 'symbol="I", positive=True, '), *more],
        'sd.SO2(blocks=("nu",))', ["return self.inertia * xi.nu**2 / 2"], 1,
        {"nu": "0.7", **({"Gamma": "(0.6, 0.8)"} if c.has_gamma else {})},
        advected={"Gamma": "sd.Advected(sd.VectorRepresentation(group), reference=(0, 1))"} if c.has_gamma else {},
        potential=potential, state_noise="[a.Gamma[0]]", casimir=("p, conserved without forces.", "state.p_nu"),
    )  # fmt: skip


def _heisenberg(c: Choices) -> Mechanics:
    potential, more, words = _potential(c, "0", "b", 2)
    third = {"none": "no constraint", "affine": "ξ_z = rate"}.get(c.constraint, "ξ_z = 0")
    name, value = {"none": ("xi", "(0.8, 0.6, 0.3)"), "covector": ("xi", "(0.8, 0.6, 0.0)")}.get(
        c.constraint, ("u", "(0.8, 0.6)")
    )
    point = {"b": "sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 0, 1))"} if c.has_point else {}
    return Mechanics(
        "A particle on the Heisenberg group",
        f"S the Heisenberg group, ẋ = ξ_x, ẏ = ξ_y, ż = ξ_z + yξ_x, l = ½m|ξ|²{words}, {third}",
        [_MASS, *more], "sd.groups.Heisenberg()", ["return self.mass * ops.dot(xi.xi, xi.xi) / 2"], 3, {name: value},
        advected=point, potential=potential, state_noise="[0, 0, a.b[1]]",
        casimir=("p_z, a Casimir.", "state.p_xi[2]"),
    )  # fmt: skip


def _r3(c: Choices) -> Mechanics:
    potential, more, words = _potential(c, "0", "b", 3)
    third = {"none": "no constraint", "affine": "ż = yẋ + rate"}.get(c.constraint, "ż = yẋ")
    name, value = {"none": ("v", "(0.8, 0.6, 0.3)"), "covector": ("v", "(0.8, 0.6, 0.0)")}.get(
        c.constraint, ("u", "(0.8, 0.6)")
    )
    point = {"b": "sd.Advected(sd.HomogeneousRepresentation(group), reference=(0, 0, 0, 1))"} if c.has_point else {}
    return Mechanics(
        "A particle in space", f"S = R³, l = ½m|v|²{words}, {third}" + (", b = (−x, 1)" if c.has_point else ""),
        [_MASS, *more], 'sd.RealSpace(3, coordinates=("x", "y", "z"))', ["return self.mass * ops.dot(xi.v, xi.v) / 2"], 3,
        {name: value}, advected=point, potential=potential, state_noise="[a.b[1], -a.b[0], 0]",
        casimir=("p, conserved without forces.", "state.p_v"),
    )  # fmt: skip


def constraint(c: Choices) -> tuple[list[str], list[str]]:
    """The statements of ``constraint`` with <noise> and <, noise> for the noise, and methods that they need."""
    if c.constraint == "none":
        return ["return sd.Unconstrained(<noise>)"], []
    if c.rolls:
        contact = ["def contact(self, a: Any) -> Any:", '    """s = rΓ, from the contact to the centre."""',
                   "    return self.radius * a.Gamma", ""]  # fmt: skip
        if c.constraint == "basis":
            return ["return sd.Rolling(self.contact, normal=lambda a: a.Gamma<, noise>)"], contact
        ground = ["def ground(self, a: Any) -> Any:", '    """Velocity of the ground under the contact, in the body."""',
                  "    return self.rate * ops.cross(a.Gamma, -a.b[:3] - self.contact(a))", ""]  # fmt: skip
        statement = "return sd.Rolling(self.contact, offset=self.ground, normal=lambda a: a.Gamma<, noise>)"
        return [statement], [*contact, *ground]
    if c.group == "se3" and c.has_gamma:
        covectors = ["def covectors(self, a: Any) -> Any:", '    """(0, Γ): the height of the origin stays."""',
                     "    return [[0, 0, 0, *a.Gamma]]", ""]  # fmt: skip
        return ["return sd.CovectorConstraint(self.covectors<, noise>)"], covectors
    return _constant(c) if c.group != "r3" else _of_the_place(c)


def _constant(c: Choices) -> tuple[list[str], list[str]]:
    """Some components of ξ vanish, or one has a given rate."""
    free: Sequence[int]
    if c.group == "se3":
        n, free, names = 6, (0, 1, 2, 3), '{"Omega": 3, "speed": 1}'
    elif c.group == "se2":
        n, free, names = 3, (0, 1), '{"nu": 1, "speed": 1}'
    else:
        n, free, names = 3, (0, 1), '{"u": 2}'
    basis = [[int(i == j) for j in free] for i in range(n)]
    if c.constraint == "covector":
        rows = [[int(i == j) for j in range(n)] for i in range(n) if i not in free]
        return [f"return sd.CovectorConstraint({rows}<, noise>)"], []
    offset = f", offset=[{', '.join(['0'] * (n - 1))}, self.rate]" if c.constraint == "affine" else ""
    return [f"basis = {basis}", f"return sd.DistributionConstraint(basis, {names}{offset}<, noise>)"], []


def _of_the_place(c: Choices) -> tuple[list[str], list[str]]:
    """ż = yẋ, y = −b₂."""
    if c.constraint == "covector":
        covectors = ["def covectors(self, a: Any) -> Any:", '    """(−y, 0, 1)."""', "    return [[a.b[1], 0, 1]]", ""]
        return ["return sd.CovectorConstraint(self.covectors<, noise>)"], covectors
    basis = ["def basis(self, a: Any) -> Any:", '    """Columns (1, 0, y) and (0, 1, 0)."""',
             "    return [[1, 0], [0, 1], [-a.b[1], 0]]", ""]  # fmt: skip
    offset = ", offset=[0, 0, self.rate]" if c.constraint == "affine" else ""
    return [f'return sd.DistributionConstraint(self.basis, {{"u": 2}}{offset}<, noise>)'], basis
