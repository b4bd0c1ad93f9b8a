"""The audit as a page of the documentation."""

from __future__ import annotations

from collections.abc import Iterator

from semidirect_holm_putkaradze.audit.audit import NOT_JUDGED, Audit
from semidirect_holm_putkaradze.audit.finding import Finding, LineFinding, Verdict
from semidirect_holm_putkaradze.audit.writing import written

HEAD = """# Audit of the paper

<!-- Written by `semidirect audit --format markdown`; do not edit. -->

Each displayed equation of {{cite}}`holm2018` that states something is a formula that can be executed, as printed. Formulas in the
running text are not judged; of an action, its constraints are. Each is compared with what the framework derives: the equations
of motion of (EP), their evolution laws, the variations of the semidirect product. A differential `d` is taken along the derived
equations, by the chain rule, in dt and in dW apart; `δ` along a variation δs = sη. The comparison is exact, at random points of
the invariant set in two prime fields, with random parameters; the probability that an identity found here is false is below
{error:.0e} (Schwartz, Zippel). A counterexample is a state in rational numbers.

Three readings are tried: as printed with the variational coupling of the ball (what the principle gives), as printed with the
printed coupling (the paper's second form of the noise), and a corrected formula.

| verdict | | equations |
|---|---|---|
| holds | as printed | {holds} |
| holds for one model | as printed, for one coupling only | {one} |
| typo | right once one symbol, and no sign, is changed | {typo} |
| wrong | another formula is right | {wrong} |

Λ is the orientation, g the acceleration of gravity, κ stands for κ dt with its noise, L v = 𝕀v + ms × (v × s),
K = M × Ω + mgℓΓ × χ + mY × (Ω × rΓ), Q = I₁I₃ + m𝕀s·s, A = Γ × (Ω × Γ). Ξ is 𝕀Ω + ℓχ × mY in the printed model and
𝕀Ω + ℓχ × mY + 2rΓ × mY in the variational one.

## Verdicts
"""


def page(audit: Audit) -> str:
    """The page ``docs/audit.md``."""
    counts = audit.counts
    holds, one, typo, wrong = (counts[str(v)] for v in Verdict)
    worst = max(f.error for f in audit)
    lines = [HEAD.format(error=10 * worst, holds=holds, one=one, typo=typo, wrong=wrong)]
    lines += ["| equation | verdict | states |", "|---|---|---|"]
    lines += [f"| {name(f)} | {verdict_of(f)} | {f.equation.says} |" for f in audit]
    lines += ["", "Not judged, since they can be neither true nor false:", ""]
    lines += [f"- {referred(label)} {does}." for label, does in NOT_JUDGED.items()]
    lines += ["", "## What does not hold as printed", ""]
    for finding in audit:
        if finding.verdict > Verdict.HOLDS:
            lines += [f"### {name(finding)}", "", f"{finding.equation.says[0].upper()}{finding.equation.says[1:]}.", ""]
            lines += [item for line in finding.lines for item in items(line)]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def name(finding: Finding) -> str:
    """The label as one refers to it."""
    return referred(finding.equation.label)


def referred(label: str) -> str:
    """A label in brackets, or where a display stands that has none."""
    return label if " " in label else f"({label})"


def model_of(finding: Finding) -> str:
    """For which model alone it holds."""
    return finding.models[0] if finding.verdict is Verdict.ONE_MODEL else ""


def verdict_of(finding: Finding) -> str:
    """The verdict in words."""
    return f"holds for the {model_of(finding)} model" if model_of(finding) else str(finding.verdict)


def items(line: LineFinding) -> Iterator[str]:
    """One line of an equation: as printed, corrected, and where it fails."""
    yield f"- `{written(line.claim.formula)}` ({line.claim.setting.title}): {_of_line(line)}"
    models_of: dict[str, list[str]] = {}
    for model, formula in line.corrected.items():
        models_of.setdefault(written(formula), []).append(model)
    for formula_text, models in models_of.items():
        every = len(models) == len(line.claim.setting.models)
        yield f"  - right{'' if every else f' for the {models[0]} model'}: `{formula_text}`"
    difference = line.difference
    if difference is None:
        return
    state = ", ".join(f"{k} = {x if ',' not in x else f'({x})'}" for k, x in difference.state.items())
    model = "" if difference.model == "principle" else f"{difference.model} model, "
    yield (
        f"  - {model}coefficient of {difference.column}: left `{_tuple(difference.derived)}`,"
        f" right `{_tuple(difference.printed)}` at `{state}`"
    )


def _of_line(line: LineFinding) -> str:
    if line.verdict is Verdict.HOLDS:
        return str(line.verdict)
    return f"holds for the {line.models[0]} model" if line.models else f"{line.verdict}{_parts(line)}"


def _parts(line: LineFinding) -> str:
    """The columns that are right, if they are the same for both models."""
    right = set(line.holds.values())
    columns = next(iter(right)) if len(right) == 1 else ()
    return f", but its {' and '.join(columns)} part is right" if columns else ""


def _tuple(values: tuple[str, ...]) -> str:
    return values[0] if len(values) == 1 else f"({', '.join(values)})"
