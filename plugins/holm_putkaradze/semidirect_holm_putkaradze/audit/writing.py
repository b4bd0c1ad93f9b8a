"""Formulas as people write them: ``cross(Omega, m*Y)`` is Ω × mY."""

from __future__ import annotations

import ast

from semidirect_holm_putkaradze.audit.formula import Formula

_NAMES = {
    "Omega": "Ω", "Gamma": "Γ", "Omega_t": "Ω̃", "Y_t": "Ỹ", "chi": "χ", "xi": "ξ", "eta": "η", "lam": "λ", "kappa": "κ",
    "Pi": "Π", "Lambda": "Λ", "ell": "ℓ", "vertical": "e₃", "gE3": "(g⁻¹e₃)", "theta": "θ", "phi": "φ", "omega": "ω",
    "nu": "ν", "alpha": "α", "beta": "β", "kappa_Gamma": "κ", "l_Omega": "∂l/∂Ω", "l_Y": "∂l/∂Y", "l_Gamma": "∂l/∂Γ",
    "p_Omega": "∂l/∂Ω", "p_Y": "∂l/∂Y", "Omega_dt": "(Ω dt)", "Y_dt": "(Y dt)", "R_squared": "R²", "Omega3": "Ω₃", "Y3": "Y₃",
    "s3": "s₃", "I1": "I₁", "I3": "I₃", "lagrangian": "l", "energy": "⟨p, ξ⟩ − l", "P": "Bᵀp", "slip": "(rΓ × mY)",
    "Xi_variational": "Ξ", "Xi_printed": "Ξ", "ito_Omega": "a_Ω(Itô)", "ito_Gamma": "a_Γ(Itô)", "mu1": "μ₁", "mu2": "μ₂",
    "pi1": "π₁", "pi2": "π₂", "xi1": "ξ₁", "xi2": "ξ₂", "W1": "W₁", "W2": "W₂", "dW1": "dW₁", "dW2": "dW₂", "p1": "p₁",
    "p2": "p₂", "theta_t": "θ", "phi_t": "φ", "omega_t": "ω", "nu_t": "ν", "omega_0": "ω₀", "nu_0": "ν₀",
    "var_x_body": "(g⁻¹δx)", "theta_0": "θ₀", "phi_0": "φ₀", "var_x": "δx", "var_y": "δy",
    "var_theta": "δθ", "var_phi": "δφ", "twist_variational": "ξ·(χ × [Ξ + mr(Ω·Γ)s])dW",
    "twist_printed": "ξ·(χ × [Ξ + mr(Ω·Γ)s])dW",
}  # fmt: skip
_BETWEEN = {"cross": " × ", "dot": "·", "diamond": " ◇ ", "matmul": " ", "apply": " ", "act": " "}
_BEFORE = {
    "d": "d", "delta": "δ", "d_t": "a_", "d_W": "b_", "d_xi": "(b_Ω·∂_Ω + ξ·∂_Γ)", "I": "𝕀", "I_inverse": "𝕀⁻¹", "sin": "sin ",
    "cos": "cos ", "hat": "hat ",
}  # fmt: skip
_APART = ("d", "δ", "cos", "sin", "hat", "ad")
_SUM, _BINARY, _PRODUCT, _ATOM = range(4)


def written(formula: Formula) -> str:
    """The chain in the signs of the paper."""
    return " = ".join(_text(member, _SUM) for member in formula.members)


def _text(node: ast.expr, least: int) -> str:
    text, level = _parts(node)
    return text if level >= least else f"({text})"


def _parts(node: ast.expr) -> tuple[str, int]:
    rest = _negated(node)
    if rest is not None:
        return f"−{_text(rest, _BINARY)}", _SUM
    match node:
        case ast.Constant(value=number):
            return str(number), _ATOM
        case ast.Name(id=name):
            text = _NAMES.get(name, name)
            return text, _SUM if " − " in text else _PRODUCT if "/" in text or "[" in text else _ATOM
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            return f"{_text(left, _SUM)} {'+' if isinstance(op, ast.Add) else '−'} {_text(right, _BINARY)}", _SUM
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            a, b = _text(left, _PRODUCT), _text(right, _PRODUCT)
            return f"{a}{' ' if b.startswith(_APART) or a.endswith(('t', 'W')) else ''}{b}", _PRODUCT
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return f"{_text(left, _PRODUCT)}/{_text(right, _ATOM)}", _PRODUCT
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int(power))):
            return f"{_text(left, _ATOM)}{'⁰¹²³⁴'[power]}", _ATOM
        case ast.Subscript(value=value, slice=ast.Constant(value=int(index))):
            return f"{_text(value, _ATOM)}{'₁₂₃'[index]}", _ATOM
        case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _BEFORE:
            return f"{_BEFORE[name]}{_text(argument, _ATOM)}", _PRODUCT
        case ast.Call(func=ast.Name(id="transpose"), args=[argument]):
            return f"{_text(argument, _ATOM)}ᵀ", _ATOM
        case ast.Call(func=ast.Name(id="hat_transposed"), args=[a, b]):
            return f"{_text(a, _ATOM)}ᵀ{_text(b, _ATOM)}", _PRODUCT
        case ast.Call(func=ast.Name(id="ad_star" | "ad" as name), args=[a, b]):
            return f"{name.replace('_star', '*')}_{_text(a, _ATOM)} {_text(b, _ATOM)}", _PRODUCT
        case ast.Call(func=ast.Name(id="L"), args=[_, v]):
            return f"L {_text(v, _ATOM)}", _PRODUCT
        case ast.Call(func=ast.Name(id=name), args=[a, b]) if name in _BETWEEN:
            return f"{_text(a, _PRODUCT)}{_BETWEEN[name]}{_text(b, _PRODUCT)}", _BINARY
    return ast.unparse(node), _ATOM


def _negated(node: ast.expr) -> ast.expr | None:
    """The rest of a product that begins with a minus."""
    match node:
        case ast.UnaryOp(operand=operand):
            return operand
        case ast.BinOp(left=left, op=ast.Mult() | ast.Div() as op, right=right) if (rest := _negated(left)) is not None:
            return ast.BinOp(rest, op, right)
    return None
