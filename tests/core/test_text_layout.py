"""Lines and tables fit the width of their reader, and lose nothing."""

import io
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from semidirect.text.text_layout import CONTINUED, GAP, NARROWEST, PIPE, filled, table, text_size, text_width, wrapped

TEXTS = st.text("abcΩΓ₁=+-,.()∘²", min_size=1, max_size=12)
LINES = st.builds(lambda indent, words: " " * indent + " ".join(words), st.integers(0, 6), st.lists(TEXTS, max_size=40))
WIDTHS = st.integers(NARROWEST, 130)


@given(st.lists(LINES, max_size=4).map("\n".join), WIDTHS)
@example("(" * 30 + " a" * 60, 40)
def test_wrapped_lines_fit_and_lose_nothing(text, width):
    out = wrapped(text, width)
    assert out.split() == text.split()
    assert all(text_size(line) <= width for line in out.split("\n"))
    assert wrapped(text, 10_000) == text


def test_a_word_longer_than_the_line_stays_whole():
    path = "/a/very/long/path" * 5
    assert wrapped(f"cannot write {path}: it is a folder", 40).split("\n")[1].strip() == f"{path}:"


def test_equations_are_broken_between_terms_outside_of_brackets():
    line = "  dM = (𝕀Ω × Ω + m r (Ω × (Y × Γ)) + g m ℓ (Γ × χ)) dt + (𝕀Ω × ξ₁ + m ℓ (ξ₁ × (Y × χ)))∘dW¹"
    assert wrapped(line, 60) == (
        "  dM = (𝕀Ω × Ω + m r (Ω × (Y × Γ)) + g m ℓ (Γ × χ)) dt\n      + (𝕀Ω × ξ₁ + m ℓ (ξ₁ × (Y × χ)))∘dW¹"
    )
    assert CONTINUED == 4


@given(st.lists(TEXTS, min_size=1, max_size=60), st.integers(1, 9), WIDTHS)
def test_paragraphs_are_filled_only_where_a_line_is_too_long(words, step, width):
    paragraph = "\n".join(" ".join(["x", *words[i : i + step]]) for i in range(0, len(words), step))
    out = filled(f"{paragraph}\n\n  code  here", width)
    assert out.endswith("\n\n  code  here")
    assert out.split() == [*paragraph.split(), "code", "here"]
    assert all(text_size(line) <= width for line in out.split("\n"))
    if all(text_size(line) <= width for line in paragraph.split("\n")):
        assert out == f"{paragraph}\n\n  code  here"


@st.composite
def tables(draw):
    numbers = draw(st.lists(st.booleans(), min_size=1, max_size=9).map(lambda kinds: [False, *kinds]))
    cells = [st.integers(-999, 10**9).map(str) if n else st.lists(TEXTS, max_size=9).map(" ".join) for n in numbers]
    cells[0] = st.lists(TEXTS, min_size=1, max_size=9).map(" ".join)  # it names the row: no line of the table is empty
    header = [draw(TEXTS) for _ in numbers]
    rows = draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=4))
    return header, rows, [i for i, n in enumerate(numbers) if n]


@given(tables(), st.sampled_from([60, 80, 120]))
@example(
    (["method", "keeps"], [["coadjoint-midpoint", "all but the energy, the momentum about an axis, and K"]], []), 60
)
def test_words_are_broken_only_for_lack_of_room(parts, width):
    header, rows, right = parts
    columns = list(zip(header, *rows, strict=True))
    longest = [max(text_size(word) for cell in cells for word in [*cell.split(), ""]) for cells in columns]
    natural = [max(map(text_size, cells)) for cells in columns]
    text = [max(n, min(m, max(12, text_size(h)))) for n, m, h in zip(longest, natural, header, strict=True)]
    needed = [m if i in right else n for i, (m, n) in enumerate(zip(natural, text, strict=True))]
    if sum(needed) + GAP * (len(needed) - 1) <= width:
        shown = table(header, rows, right=right, width=width).split()
        assert sorted(shown) == sorted(word for cells in columns for cell in cells for word in cell.split())


@given(tables(), st.sampled_from([60, 80, 120]))
def test_tables_fit_and_lose_nothing(made, width):
    header, rows, right = made
    out = table(header, rows, right=right, width=width)
    assert all(text_size(line) <= width for line in out.split("\n"))
    assert not any(line.endswith(" ") for line in out.split("\n"))
    blocks = out.split("\n\n")
    shown = sorted("".join(out.split()))
    repeated = "".join([header[0], *(row[0] for row in rows)]) * (len(blocks) - 1)
    assert shown == sorted(
        "".join("".join(row) for row in [header, *rows]).replace(" ", "") + repeated.replace(" ", "")
    )
    natural = sum(max(text_size(line[i]) for line in [header, *rows]) for i in range(len(header)))
    if natural + GAP * (len(header) - 1) <= width:
        assert len(blocks) == 1
        assert len(out.split("\n")) == len(rows) + 1


def test_a_table_of_many_numbers_is_continued_below_with_its_first_column():
    out = table(["method", *"abcdefg"], [["heun", *["1.25e-10"] * 7]], right=range(1, 8), width=40)
    first, second, third = out.split("\n\n")
    assert [part.split()[:3] for part in (first, second)] == [["method", "a", "b"], ["method", "d", "e"]]
    assert third.split() == ["method", "g", "heun", "1.25e-10"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("columns", "width"), [("60", 60), ("1", NARROWEST), ("0", PIPE), ("-3", PIPE), ("x", PIPE), ("", PIPE), ("９", NARROWEST),
                           ("1" * 99, PIPE)]
)  # fmt: skip
def test_columns_of_the_environment(monkeypatch, columns, width):
    monkeypatch.setenv("COLUMNS", columns)
    assert text_width(io.StringIO()) == width
    assert text_width(Terminal()) == width  # which has no number, so its size cannot be found out


def test_no_output_has_the_width_of_a_pipe(monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    monkeypatch.setattr(sys, "stdout", None)
    assert text_width() == PIPE
    assert text_width(piped=7) == 7
