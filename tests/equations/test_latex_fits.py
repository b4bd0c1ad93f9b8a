"""Lines of LaTeX are broken to the text width of an article, and say what they said."""

from __future__ import annotations

import re

from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from latex_reader import lines_of
from latex_width import TEXT_POINTS, widest

from semidirect.pages.line_breaks import TEXT_WIDTH, WIDEST_LEFT, aligned

names = st.sampled_from(
    [r"\Omega_{1}", r"\boldsymbol{M}", "12 m", r"\mathrm{speed}", r"\frac{a}{b_{1}}", r"\sqrt{r^{2} + 1}"]
)
products = st.lists(names, min_size=1, max_size=3).map(" ".join)
sums = st.recursive(
    products,
    lambda inner: st.builds(
        lambda parts, kind: kind.format(" + ".join(parts)), st.lists(inner, min_size=2, max_size=6),
        st.sampled_from((r"\left({}\right)", "({})", r"\left({}\right)^{{2}}", r"\frac{{{}}}{{m}}", r"\sqrt{{{}}}")),
    ),
    max_leaves=20,
)  # fmt: skip


@settings(max_examples=15, phases=[Phase.generate])
@given(st.lists(st.tuples(products, sums), min_size=1, max_size=3))
def test_any_formula_fits_and_says_what_it_said(equations):
    lines = [f"{left} &= {right}" for left, right in equations]
    page = aligned(lines)
    assert page.count(r"\left") == page.count(r"\right")
    for row in page.split("\n"):
        assert row.count(r"\left") == row.count(r"\right")  # each row is set by itself
        assert row.count("{") == row.count("}")
    assert widest(page) <= TEXT_POINTS
    if not any(r"\frac{" in e and len(e) > 200 for _, e in equations):
        plain = [lines_of("\\begin{align*}\n" + line + "\n\\end{align*}")[0] for line in lines]
        squeeze = [re.sub(r"\s+", "", x) for x in (" ".join(plain), " ".join(lines_of(page)))]
        assert sorted(squeeze[0].translate({ord(c): None for c in "()/^12sqrt"})) == sorted(
            squeeze[1].translate({ord(c): None for c in "()/^12sqrt"})
        )


def test_short_lines_stay_as_they_are():
    lines = [r"\boldsymbol{M} &= \mathbb{I}\boldsymbol{\Omega}", r"x &= y"]
    assert aligned(lines) == "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"
    assert 0 < WIDEST_LEFT < TEXT_WIDTH < TEXT_POINTS / 10
