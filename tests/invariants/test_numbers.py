"""The numbers that proofs compute with, against fractions and SymPy."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from systems import routh

from semidirect import ops
from semidirect.core.errors import InputError
from semidirect.invariants.algebra.degrees import Degrees
from semidirect.invariants.algebra.determinants import cramer, reduce_and_solve
from semidirect.invariants.algebra.fractional import Fractional, TooLarge
from semidirect.invariants.algebra.linear_algebra import _reduced, echelon, null_space, primes, rank, reconstructed
from semidirect.invariants.algebra.polynomials import PRODUCTS, Polynomials
from semidirect.invariants.algebra.radicals import Inexpressible, Radicals
from semidirect.invariants.algebra.residues import PrimeField
from semidirect.invariants.algebra.sloped import along
from semidirect.invariants.certificate import certify
from semidirect.invariants.fields import Fields
from semidirect.invariants.parameters import ParameterSet
from semidirect.invariants.quantity import expressions
from semidirect.testing.laws.exact_points.numbers import derivatives

P = next(primes(3))
VARIABLES = ("x", "y", "z")
small = st.fractions(-4, 4, max_denominator=5)


def field(count=6, p=P):
    return PrimeField(p, count, np.random.default_rng(1))


@st.composite
def rational_functions(draw):
    """Functions of three numbers, made of + − × ÷; the divisors are 1 + squares, so that they do not vanish."""
    depth = draw(st.integers(1, 4))
    plan = [(draw(st.sampled_from("+-*/")), draw(st.integers(0, 2)), draw(small)) for _ in range(depth)]

    def function(x):
        value = x[plan[0][1]] + plan[0][2]
        for operation, i, constant in plan:
            other = constant * x[i] + x[(i + 1) % 3]
            if operation == "+":
                value = value + other
            elif operation == "-":
                value = value - 2 * other
            elif operation == "*":
                value = value * other
            else:
                value = value / (1 + other * other)
        return value

    function.__name__ = str(plan)
    return function


points = st.tuples(small, small, small)


@given(function=rational_functions(), at=points)
def test_residues_are_a_homomorphism(function, at):
    numbers = field(2)
    found = function([numbers.number(x.numerator, x.denominator) for x in at])
    expected = function(list(at))
    assert numbers.valid.all()
    assert np.all(found.spread() == numbers.number(expected.numerator, expected.denominator).values)


@given(function=rational_functions(), at=points, direction=points)
def test_duals_differentiate(function, at, direction):
    """Along a direction, and twice: D²f(u, v) is symmetric and that of exact_numbers."""
    (slope,) = along(lambda x: [function(x)], at, direction)
    _, gradient = derivatives(function, at)
    assert slope == sum(g * d for g, d in zip(gradient, direction, strict=True))
    e = (Fraction(1), Fraction(2), Fraction(-1))
    one = along(lambda x: along(lambda y: [function(y)], x, e), at, direction)
    other = along(lambda x: along(lambda y: [function(y)], x, direction), at, e)
    assert one == other


@settings(max_examples=40)
@given(function=rational_functions())
def test_polynomials_and_degrees(function):
    """The fraction is SymPy's, and the bound of the degree is one of its numerator."""
    numbers = Polynomials(VARIABLES)
    found = function([numbers.variables[v] for v in VARIABLES])
    below = sp.Mul(*(numbers.factors[i].as_expr() ** k for i, k in found.factors.items()))
    symbols = sp.symbols(VARIABLES)
    expected = function([sp.Symbol(v) for v in VARIABLES]).subs(dict(zip(sp.symbols(VARIABLES), symbols, strict=True)))
    assert sp.cancel(found.numerator.as_expr() / below - expected) == 0
    degrees = Degrees()
    bound = degrees.of(function([degrees.draw() for _ in VARIABLES]))
    numerator = sp.Poly(sp.fraction(sp.cancel(sp.together(expected)))[0], *symbols)
    assert bound >= numerator.total_degree()


def test_roots():
    """√ is multiplicative, (√x)² = x where it exists, and that is at about half of all points."""
    numbers = field(4000)
    x, y = numbers.draw(), numbers.draw()
    root, other = ops.sqrt(x), ops.sqrt(y)
    assert 800 < np.count_nonzero(numbers.valid) < 1200
    product = ops.sqrt(x * y)
    good = numbers.valid
    assert np.all((root * root).values[good] == x.values[good])
    assert np.all((root * other).values[good] == product.values[good])
    degrees = Degrees()
    assert degrees.of(ops.sqrt(degrees.draw() ** 3)) == 4  # ⌈3/2⌉, for both conjugates
    polynomials = Polynomials(("x",), roots=1)
    root = ops.sqrt(1 + polynomials.variables["x"])
    assert not (root * root - polynomials.variables["x"] - 1).numerator


matrices = st.integers(1, 4).flatmap(
    lambda n: st.lists(st.lists(st.integers(-5, 5), min_size=n, max_size=n), min_size=n, max_size=n)
)
squares = st.sampled_from([2, 3, 6, 8, Fraction(9, 4), Fraction(5, 3), Fraction(10, 12), 50])


@given(parts=st.lists(st.tuples(small, squares, squares), min_size=1, max_size=4), divisor=st.tuples(small, squares))
def test_radicals_are_sympys(parts, divisor):
    """Sums, products and quotients of roots, in one normal form: 0 if and only if they are 0."""
    field = Radicals()

    def root(x):
        return ops.sqrt(field.number(Fraction(x).numerator, Fraction(x).denominator))

    def exact(x):
        return sp.Rational(Fraction(x).numerator, Fraction(x).denominator)

    found = sum((c * root(a) * root(b) for c, a, b in parts), field.number(0))
    expected = sum(exact(c) * sp.sqrt(exact(a)) * sp.sqrt(exact(b)) for c, a, b in parts)
    below, other = divisor[0] + root(divisor[1]), exact(divisor[0]) + sp.sqrt(exact(divisor[1]))
    quotient, wanted = (found, expected) if not below.terms else (found / below, expected / other)
    assert sp.radsimp(quotient.expression() - wanted).equals(0)
    assert not (found - found).terms
    assert (found * found - found**2).rational == 0
    assert abs(float(found.expression()) - float(expected)) < 1e-9  # of numbers up to 1000; measured 1e-12


def test_expressions_that_are_no_radicals_are_rejected():
    field = Radicals()
    root = ops.sqrt(field.number(2))
    for wrong in (lambda: ops.sin(root), lambda: field.constant("pi")):
        with pytest.raises(Inexpressible):
            wrong()
    for negative in (field.number(-1), 1 - root, 3 - 2 * ops.sqrt(3 - root) - root):
        with pytest.raises(ZeroDivisionError, match="not real"):
            ops.sqrt(negative)
    with pytest.raises(ZeroDivisionError):
        _ = 1 / (root * root - 2)
    for p in (3, 5, 7, 11):
        ops.sqrt(field.number(p))
    with pytest.raises(Inexpressible):
        ops.sqrt(field.number(17))
    assert ops.sqrt(field.number(6)).terms == (root * ops.sqrt(field.number(3))).terms
    assert (ops.cos(field.number(0)).rational, ops.absolute(field.number(-2)).rational) == (1, 2)


@st.composite
def nested_roots(draw):
    """The same number made of nested roots, in our numbers and in SymPy's; radicands are squares at times, or 2 + …"""
    field = Radicals()
    ours, theirs = field.number(1), sp.Integer(1)
    for _ in range(draw(st.integers(1, 4))):
        a, b = draw(st.integers(-3, 3)), draw(st.integers(1, 3))
        kind = draw(st.sampled_from(["root", "square", "product", "size"]))
        if kind == "root" and len(field.squares) < 3:
            ours, theirs = ops.sqrt(b + ours * ours), sp.sqrt(b + theirs**2)
        elif kind == "square":
            ours, theirs = ops.sqrt((a + ours) ** 2), sp.sqrt((a + theirs) ** 2)
        elif kind == "size":
            ours, theirs = ops.absolute(a - b * ours), sp.Abs(a - b * theirs)
        else:
            ours, theirs = a + ours * ops.sqrt(field.number(b)), a + theirs * sp.sqrt(b)
    return ours, theirs


@settings(max_examples=60)
@given(number=nested_roots(), shift=st.integers(-2, 2))
def test_nested_radicals(number, shift):
    """Values are those of SymPy to 40 digits; a square has its root in the field, which does not grow; signs are right."""
    ours, theirs = number
    digits = sp.N(theirs, 60)
    assert abs(sp.N(ours.expression(), 60) - digits) < sp.Float("1e-40") * (1 + abs(digits))  # measured 1e-57
    assert ours.sign() == (0 if abs(digits) < sp.Float("1e-40") else sp.sign(digits))
    before = len(ours.field.squares)
    shifted = ours + shift
    root = ops.sqrt(shifted * shifted)
    assert len(ours.field.squares) == before
    assert not (root - (shifted if shifted.sign() >= 0 else -shifted)).terms
    if shifted.terms:
        assert (shifted * (1 / shifted)).rational == 1


def test_radicals_are_denested():
    """√(4 + 2√3) = 1 + √3, √(5 + 2√6) = √2 + √3, √2 + √(5 + 2√6) is a new number, and products of nested roots are known."""
    field = Radicals()
    three, six = ops.sqrt(field.number(3)), ops.sqrt(field.number(6))
    assert (ops.sqrt(4 + 2 * three) - 1 - three).rational == 0
    assert (ops.sqrt(5 + 2 * six) - ops.sqrt(field.number(2)) - three).rational == 0
    nested, other = ops.sqrt(5 + three), ops.sqrt(5 - three)
    assert len(field.squares) == 4
    assert (nested * other - ops.sqrt(field.number(22))).rational == 0
    assert (ops.sqrt(10 + 2 * ops.sqrt(field.number(22))) - nested - other).rational == 0


@given(matrix=matrices, rhs=st.lists(st.integers(-5, 5), min_size=4, max_size=4), variable=st.integers(0, 3))
def test_reduced_systems(matrix, rhs, variable):
    """Constant pivots first, then determinants: the solution of a matrix with a variable in one diagonal entry."""
    n, numbers = len(matrix), Polynomials(("x",))
    x, i = numbers.variables["x"], variable % len(matrix)
    rows = [[numbers.number(e) for e in row] for row in matrix]
    rows[i][i] = rows[i][i] + x
    right = [numbers.number(e) for e in rhs[:n]]
    symbolic = sp.Matrix(matrix) + sp.Symbol("x") * sp.Matrix(n, n, lambda a, b: int(a == b == i))
    if sp.expand(symbolic.det()) == 0:
        with pytest.raises(ZeroDivisionError):
            reduce_and_solve(rows, right)
    else:
        found = reduce_and_solve(rows, right)
        for row, b in zip(rows, right, strict=True):
            assert not (sum((a * y for a, y in zip(row, found, strict=True)), numbers.number(0)) - b).numerator


def test_functions_that_are_drawn():
    numbers = field()
    x = numbers.draw()
    one = ops.sin(x) * ops.sin(x) + ops.cos(x) * ops.cos(x)
    assert np.all(one.spread() == 1)
    assert np.all((ops.sin(-x) + ops.sin(x)).spread() == 0)
    assert np.all((ops.exp(x) * ops.exp(-x)).spread() == 1)
    assert np.all((ops.tan(x) * ops.cos(x) - ops.sin(x)).spread() == 0)
    assert numbers.transcendental
    exact = field()
    assert np.all(ops.cos(exact.number(0)).values == 1)
    assert not exact.transcendental
    (slope,) = along(lambda y: [ops.sin(y[0])], [x], [numbers.number(1)])
    assert np.all((slope - ops.cos(x)).spread() == 0)


def test_no_order():
    for x in (field().draw(), Degrees().draw(), Fractional(Degrees().rational(1, 1), {}, Degrees())):
        with pytest.raises(InputError, match="piecewise"):
            _ = x > 0


@given(matrix=matrices, rhs=st.lists(st.integers(-5, 5), min_size=4, max_size=4))
def test_solvers(matrix, rhs):
    """Elimination and Cramer's rule solve, or say that there is no inverse."""
    n, numbers = len(matrix), field(1)
    rows = [[numbers.number(x) for x in row] for row in matrix]
    right = [numbers.number(x) for x in rhs[:n]]
    for solve in (numbers.solve, cramer, reduce_and_solve):
        if sp.Matrix(matrix).det() == 0:
            with pytest.raises(ZeroDivisionError):
                solve(rows, right)
            continue
        x = solve(rows, right)
        for row, b in zip(rows, right, strict=True):
            assert np.all(sum((a * y for a, y in zip(row, x, strict=True)), numbers.number(0)).values == b.values)


@given(st.integers(1, 12), st.integers(1, 7), st.integers(0, 3), st.integers(0, 10**6))
def test_null_spaces(rows, columns, deficiency, seed):
    """A basis of the right dimension that is annihilated, in echelon form; also of tall matrices."""
    rng = np.random.default_rng(seed)
    inner = max(columns - deficiency, 0)
    matrix = rng.integers(0, P, (rows * 9, inner)).astype(object) @ rng.integers(0, P, (inner, columns)).astype(object)
    matrix = (matrix % P).astype(np.int64).reshape(rows * 9, columns)
    basis = null_space(matrix, P)
    assert len(basis) == columns - rank(matrix, P)
    for i, vector in enumerate(basis):
        assert np.all((matrix.astype(object) @ vector.astype(object)) % P == 0)
        last = int(np.nonzero(vector)[0][-1])
        assert [int(v[last]) for v in basis] == [int(i == j) for j in range(len(basis))]


@given(st.lists(st.integers(-(2**62) + 1, 2**62 - 1), min_size=1))
def test_reduction_in_floating_point_is_exact(values):
    x = np.array(values, dtype=np.int64)
    assert np.array_equal(_reduced(x.copy(), P), x % P)


@given(st.fractions(max_denominator=20_000).filter(lambda q: abs(q.numerator) < 20_000))
def test_reconstruction(q):
    assert reconstructed(q.numerator * pow(q.denominator, -1, P) % P, P) == q


def test_primes():
    found = [p for p, _ in zip(primes(0), range(20), strict=False)]
    assert len(set(found)) == 20
    assert all(sp.isprime(p) and p % 4 == 3 and 2**30 < p < 2**31 for p in found)
    reduced, pivots = echelon(np.array([[0, 2], [0, 4]]), found[0])
    assert (reduced.tolist(), pivots) == ([[0, 1]], [1])


def test_a_proof_that_grows_too_large_is_not_given():
    sde = routh().sde(variables="velocity")
    fields = Fields(sde, {"Q": expressions(routh(), "energy", sde)})
    assert certify(fields, "Q", 0, ParameterSet(routh()))
    assert not certify(fields, "Q", 0, ParameterSet(routh()), budget=10)


def test_products_that_are_too_much_work_are_not_begun():
    """Each of these polynomials is within the budget; what the work on them adds up to is not."""
    numbers = Polynomials(("x", "y"), budget=40)
    x, y = numbers.variables["x"], numbers.variables["y"]
    one = numbers.number(1)
    for _ in range(19):
        one = one * x + numbers.number(1)
    each = len(one.numerator) ** 2
    spent = numbers.work
    for _ in range((PRODUCTS * numbers.budget - spent) // each):
        assert len((one * one).numerator) == 39
    with pytest.raises(TooLarge):
        one * one
    with pytest.raises(TooLarge):
        y * y


def test_parameters():
    """Given ones are exact, generic ones keep zeros and equal entries, free ones nothing; unit vectors stay unit."""
    third = 1 / 3
    system = routh(inertia=(2.0, 2.0, third), axis=(2 / 3, -1 / 3, 2 / 3), noise=((0, 0.1, 0.1),))
    symbols = {name: list(x.flat) for name, x in system.workings.parameter_symbols.items()}
    for kind in ("given", "generic", "free"):
        numbers = field(24)
        at = ParameterSet(system, kind).at(numbers)
        spot = int(np.nonzero(numbers.valid)[0][0])
        value = {name: [int(at[x].spread()[spot]) for x in s] for name, s in symbols.items()}
        assert sum(x * x for x in value["axis"]) % P == 1
        assert (value["axis"][0] == value["axis"][2]) is (kind != "free")
        assert (value["inertia"][0] == value["inertia"][1]) is (kind != "free")
        assert (value["noise"][0] == 0) is (kind != "free")
        assert (value["noise"][1] == value["noise"][2]) is (kind != "free")
        if kind == "given":
            assert value["inertia"][2] == pow(3, -1, P)


@given(direction=st.lists(st.integers(-9, 9), min_size=3, max_size=3).filter(any))
def test_unit_vectors_are_a_direction_divided_by_its_length(direction):
    """Also where that is a root: exactly of length 1, with the ratios of the direction; floats of any last digit."""
    v = np.array(direction) / np.linalg.norm(direction)
    for floats in (v, np.nextafter(v, 2), v * (1 + 2e-16)):
        system = routh(axis=floats)
        numbers = Radicals()
        at = ParameterSet(system).at(numbers)
        chi = [at[x] for x in system.workings.parameter_symbols["axis"]]
        assert ops.dot(chi, chi).rational == 1
        zero = np.where(np.array(direction) == 0, floats, 0)  # the smallest float is not 0
        if not np.any(zero):
            assert all(not x.terms for x in ops.cross(chi, direction))
        assert np.abs([float(x.expression()) for x in chi] - v).max() < 1e-15  # measured 5e-16


def test_a_unit_vector_of_no_simple_direction_is_exactly_one():
    v = np.array([0.1234567, -0.7654321, 0.3333333])
    v = v / np.linalg.norm(v)
    at = ParameterSet(routh(axis=v)).at(numbers := Radicals())
    chi = [at[x] for x in routh(axis=v).workings.parameter_symbols["axis"]]
    assert ops.dot(chi, chi).rational == 1
    assert len(numbers.squares) == 1
    for p, _ in zip(ParameterSet(routh(axis=v)).primes(), range(3), strict=False):
        prime_field = field(2, p)
        at = ParameterSet(routh(axis=v)).at(prime_field)
        assert np.all(ops.dot(*[[at[x] for x in routh(axis=v).workings.parameter_symbols["axis"]]] * 2).spread() == 1)
        assert prime_field.valid.all()
