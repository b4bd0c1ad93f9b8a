"""The module that states a new system."""

from __future__ import annotations

from collections.abc import Iterable

from semidirect.scaffold.choices import Choices
from semidirect.scaffold.mechanics import Mechanics, constraint, declaration, mechanics

WIDTH = 120


def definition(c: Choices) -> tuple[str, str]:
    """The text of the module, and the title of the system."""
    m = mechanics(c)
    body = [
        '"""' + m.title, "", f"{m.formula}.", "", "Describe the model here, and name its source.", '"""', "",
        *m.parameters, *_noise_parameters(c, m), "", f"group = {m.group}",
    ]  # fmt: skip
    body[0] += " with transport noise." if c.noise not in ("none", "force") else "."
    if m.advected:
        body += ["advected = {", *(f'    "{name}": {value},' for name, value in m.advected.items()), "}"]
    body += ["initial = {" + ", ".join(f'"{name}": {value}' for name, value in m.initial.items()) + "}", ""]
    body += _lagrangian(m)
    statements, methods = constraint(c)
    body += methods + _noise_methods(c, m)
    body += ["def constraint(self) -> sd.StochasticConstraint:", '    """The distribution and the noise."""']
    body += _indented(_with_noise(c, statements))
    body += ["", *_observables(c, m)]
    head = [f'"""{m.title}."""', "", "from __future__ import annotations", "", "from typing import Any", "",
            "import semidirect as sd", *(["from semidirect import ops"] if "ops." in "\n".join(body) else []), ""]  # fmt: skip
    head += [m.frame, ""] if m.frame else []
    indented = [f"    {line}" if line else "" for part in body for line in _wrapped(part)]
    return "\n".join([*head, "", f"class {c.class_name}(sd.System):", *indented]).rstrip() + "\n", m.title


def _wrapped(line: str) -> list[str]:
    """The line, or if it is long the arguments of its outermost call on a separate line."""
    if len(line) + 4 <= WIDTH or not line.endswith(")"):
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    head, _, rest = line.partition("(")
    return [f"{head}(", f"{indent}    {rest[:-1]}", f"{indent})"]


def _noise_parameters(c: Choices, m: Mechanics) -> list[str]:
    lines = []
    if c.constraint == "affine":
        lines.append(declaration("rate", "0.6", "1/s", "the affine part of the constraint", 'symbol="c0", '))
    row = [0.1, *[0.0] * (m.dimension - 1)]
    shape = f"shape=(None, {m.dimension})"
    symbol = f'symbol="sigma", {shape}, '
    if c.noise in ("constant", "volatility"):
        lines.append(declaration("noise", f"[{row}]", "1/√s", "amplitudes, a row a noise", symbol))
    if c.noise == "volatility":
        lines.append(declaration("spread", f"[{row}]", "1/s", "noise of the amplitudes", f'symbol="beta", {shape}, '))
    if c.noise == "state":
        lines.append(
            declaration("noise", "[0.1]", "1/√s", "amplitudes, one per noise", 'symbol="sigma", shape=(None,), ')
        )
    if c.noise == "force":
        size = 6 if c.group == "se3" else m.dimension
        row = [0.1, *[0.0] * (size - 1)]
        symbol = f'symbol="sigma", shape=(None, {size}), '
        unit = {"so3": "N m √s", "se2": "N m √s, N √s", "se3": "N m √s, N √s"}.get(c.group, "")
        lines.append(declaration("noise", f"[{row}]", unit, "random forces, a row each", symbol))
    return lines


def _lagrangian(m: Mechanics) -> list[str]:
    if not m.potential:
        return ["def lagrangian(self, xi: Any) -> Any:", '    """Kinetic energy."""', *_indented(m.kinetic), ""]
    return [
        "def kinetic(self, xi: Any) -> Any:", '    """Kinetic energy."""', *_indented(m.kinetic), "",
        "def potential(self, a: Any) -> Any:", '    """Potential energy."""', f"    return {m.potential}", "",
        "def lagrangian(self, xi: Any, a: Any) -> Any:", '    """Kinetic energy less potential energy."""',
        "    return self.kinetic(xi) - self.potential(a)", "",
    ]  # fmt: skip


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _noise_methods(c: Choices, m: Mechanics) -> list[str]:
    if c.noise == "state":
        doc = "A field that is a function of advected quantities, and is varied with them."
        lines = ["def amplitudes(self, a: Any) -> list[Any]:"]
        lines += [f"    return [c * ops.array({m.state_noise}) for c in self.noise]"]
    elif c.noise == "force":
        doc = "Forces, each with its own Wiener process."
        lines = ["def independent_force(self) -> list[Any]:", "    return list(self.noise)"]
    elif c.noise == "volatility":
        doc = "As many rows of spread as of noise."
        lines = ["def check(self) -> None:", "    if len(self.spread) != len(self.noise):"]
        lines += [
            '        raise sd.errors.InputError("spread", expected=f"{len(self.noise)} rows, as many as noise has")'
        ]
    else:
        return []
    return [lines[0], f'    """{doc}"""', *lines[1:], ""]


def _with_noise(c: Choices, statements: list[str]) -> list[str]:
    noise = {
        "constant": "noise=self.noise", "state": "noise=sd.StateNoise(self.amplitudes)",
        "volatility": "noise=noise",
    }.get(c.noise, "")  # fmt: skip
    if c.noise == "volatility":
        statements = ['noise = sd.noise.VolatilityNoise(self.noise, diffusion=self.spread, name="zeta")', *statements]
    return [s.replace("<noise>", noise).replace("<, noise>", f", {noise}" if noise else "") for s in statements]


def _observables(c: Choices, m: Mechanics) -> list[str]:
    status = "random" if c.noise != "none" else ("exact" if c.constraint != "affine" else "")
    lines = [f'energy = sd.energy(status="{status}")'] if status else []
    if c.has_gamma:
        lines += ["", '@sd.observable(status="exact")', "def gamma_squared(self, state: Any) -> Any:", '    """|Γ|²."""',
                  "    return ops.dot(state.Gamma, state.Gamma)"]  # fmt: skip
    if casimir_is_kept(c):
        doc, expression = m.casimir
        lines += ["", '@sd.observable(status="exact")', "def casimir(self, state: Any) -> Any:", f'    """{doc}"""',
                  f"    return {expression}"]  # fmt: skip
    return lines


def casimir_is_kept(c: Choices) -> bool:
    """Whether nothing acts but transport, so that the momentum stays on its coadjoint orbit."""
    return c.advected == "none" and c.constraint == "none" and c.noise != "force"
