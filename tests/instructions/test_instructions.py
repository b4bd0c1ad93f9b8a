"""Programs as data: what is refused, what a pass keeps, and printers that agree to the last bit."""

import inspect
import pkgutil
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import semidirect as sd
from semidirect import compile as compile_package
from semidirect import instructions as instructions_package
from semidirect.compile.llvm_printer import LLVMPrinter
from semidirect.compile.row_functions.row_loops import of_rows
from semidirect.compile.tracer import Trace, inputs
from semidirect.core.errors import DefinitionError
from semidirect.core.functions import from_text as functions
from semidirect.core.functions.from_text import build
from semidirect.equations import emission
from semidirect.instructions.array_printer import ArrayText, array_text
from semidirect.instructions.instruction import LEAVES, OPERATIONS, Instruction
from semidirect.instructions.instruction_list import InstructionList, Iteration, Phase
from semidirect.instructions.printer import NotPrintedError, Printer
from semidirect.instructions.pruning import needed
from semidirect.integrators.advance import Advance
from semidirect.integrators.registry import integrator
from semidirect.machine import assembler
from semidirect.machine import llvm_functions as llvm_text
from semidirect.machine.assembler import Assembler
from semidirect.machine.cache.compiled_function import CompiledFunction
from semidirect.machine.cache.machine_code import object_code

X = [Instruction("input", (), ("x0", k)) for k in range(3)]
ARITHMETIC = ("add", "subtract", "multiply", "divide")
RELATIONS = ("less", "less-equal", "greater", "greater-equal", "equal", "not-equal")
FUNCTIONS = ("sqrt", "absolute", "sin", "cos", "exp", "log", "negative")
SPECIAL = [0.0, -0.0, 1.0, -2.5, 5e-324, 1e308, np.inf, -np.inf, np.nan]
NUMBERS = st.one_of(st.sampled_from(SPECIAL), st.floats(allow_subnormal=True))


@st.composite
def programs(draw):
    """Operations on three inputs and on numbers; a trace has none of which all operands are numbers."""
    made, floats, bits, varying = list(X), [0, 1, 2], [], {0, 1, 2}
    for _ in range(draw(st.integers(0, 3))):
        made.append(Instruction("number", (), repr(draw(NUMBERS))))
        floats.append(len(made) - 1)
    for _ in range(draw(st.integers(1, 25))):
        kind = draw(
            st.sampled_from(
                ["arithmetic", "arithmetic", "function", "relation", *(["select", "logic"] if bits else [])]
            )
        )
        pick = lambda of: draw(st.sampled_from(of))  # noqa: E731
        changing = [k for k in floats if k in varying]
        if kind in ("arithmetic", "relation"):
            pair = draw(st.permutations([pick(floats), pick(changing)]))
            made.append(Instruction(pick(ARITHMETIC if kind == "arithmetic" else RELATIONS), tuple(pair)))
        elif kind == "function":
            made.append(Instruction(pick(FUNCTIONS), (pick(changing),)))
        elif kind == "select":
            made.append(Instruction("select", (pick(bits), pick(floats), pick(changing))))
        else:
            operation = pick(["and", "or", "not"])
            made.append(Instruction(operation, tuple(pick(bits) for _ in range(1 if operation == "not" else 3))))
        (bits if kind in ("relation", "logic") else floats).append(len(made) - 1)
        varying.add(len(made) - 1)
    results = draw(st.lists(st.sampled_from(floats), min_size=1, max_size=4))
    return InstructionList.of(tuple(made), tuple(results))


def by_numpy(program, x):
    """The results of array code for rows of inputs."""
    text = array_text(program, ["x0"], lambda data: f"{data[0]}[{data[1]}]")
    with np.errstate(all="ignore"):
        return np.array([np.broadcast_to(row, x.shape[1:]) for row in build(text)(x)], dtype=float)


def by_llvm(program, x):
    """Those of machine code."""
    function = of_rows(program, [3], 0)
    text, names = function.source()
    assembly = llvm_text.llvm_text(text, "run", names)
    kinds = [a.kind if a.lengths is None else "array" for a in assembly.arguments]
    code, n = CompiledFunction("run", kinds, object_code(assembly.text), False), x.shape[1]
    out = np.empty((len(program.results), n))
    code(x, np.zeros(1), out, np.zeros(64 * sum(function.facts["rows"])), n, n)
    return out


def bits_of(rows):
    """Bits; whether a nan has a sign is not said by IEEE 754, and no run depends on it."""
    return np.where(np.isnan(rows), np.nan, rows).view(np.uint64).tolist()


@settings(max_examples=30, deadline=None)
@given(programs(), st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=5, max_size=5))
def test_printers_agree_to_the_last_bit(program, columns):
    x = np.array(columns).T.copy()
    assert bits_of(by_numpy(program, x)) == bits_of(by_llvm(program, x))


@given(programs(), st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=3, max_size=3))
def test_a_pass_keeps_the_values(program, columns):
    x, less = np.array(columns).T.copy(), needed(program)
    assert bits_of(by_numpy(less, x)) == bits_of(by_numpy(program, x))
    assert needed(less) == less
    read = {k for instruction in less.instructions for k in instruction.operands} | set(less.results)
    assert read == set(range(len(less.instructions)))
    order = iter(program.instructions)
    assert all(any(a.operation == b.operation and a.data == b.data for b in order) for a in less.instructions)


def test_what_iterations_need_stays():
    trace = Trace()
    y = inputs(trace, "y", 2)
    x, _ = y[0].fixed_point(lambda x: np.array([0.5 * x[0] + y[1] * y[1]]), y[:1] * 1.0, 1.0 + y[1], 1e-15, 50, 0)
    scale = 1.0 + y[0]
    unread, _ = y[0].fixed_point(lambda x: np.array([0.25 * x[0] + y[1] * 3.0]), y[:1], scale, 1e-15, 50, 0)
    whole = trace.program([x[0] + scale, y[1] * 3.0])
    less = needed(whole)
    assert sum(phase.iteration is not None for phase in whole.phases) == 2
    assert [phase.iteration is not None for phase in less.phases] == [False, True, False]
    values = {"y0": np.array([1.0, 2.0]), "y1": np.array([0.5, -3.0])}
    runs = [build(array_text(p, list(values), lambda d: f"{d[0]}{d[1]}"))(**values) for p in (whole, less)]
    assert np.array(runs[0]).tobytes() == np.array(runs[1]).tobytes()
    assert needed(trace.program([*x, *unread])).phases[3].iteration is not None


@pytest.mark.parametrize("method", ["heun", "lie-midpoint", "implicit-midpoint", "gauss"])
def test_a_traced_step_is_the_step(method):
    """The instructions of a step, printed for arrays, do what the step does on arrays."""
    model, method = sd.load("heavy-top").workings.model(), integrator(method)
    rng = np.random.default_rng(3)
    d, r, m, q = model.dimension, len(model.coordinates), method.rows(model.wieners), len(model.parameters)
    y, w = rng.normal(size=(d, 5)), 0.05 * rng.normal(size=(m, 5))
    s = np.repeat(np.eye(3).ravel()[:, None], 5, 1)[:r]
    assert s.shape == (r, 5)
    trace = Trace()
    traced = model.with_parameters(inputs(trace, "q", q))
    arguments = [
        inputs(trace, "y", d),
        inputs(trace, "s", r),
        trace.input("t"),
        trace.input("dt"),
        inputs(trace, "w", m),
    ]
    step, stored = Advance(method, traced, scalars=True)(*arguments)
    program = trace.program([*step.y, *stored])
    name = lambda data: data[0] if data[1] is None else f"{data[0]}[{data[1]}]"  # noqa: E731
    function = build(array_text(needed(program), ["y", "s", "q", "t", "dt", "w"], name))
    with np.errstate(all="ignore"):
        expected, coordinates = Advance(method, model)(y, s, 0.3, 0.02, w)
        found = function(y, s, [float(p) for p in model.parameters], 0.3, 0.02, w)
    assert bits_of(np.array(found)) == bits_of(np.array([*expected.y, *coordinates]))


# -- what is refused -----------------------------------------------------------------------------------------------

LOOP = Iteration(0, (0,), (3,), 0, 1e-15, 10, 0)
REFUSED = {
    "a later value": ([*X, Instruction("add", (0, 3))], "operands of instruction 3, add.*got 3"),
    "a negative number": ([*X, Instruction("negative", (-1,))], "earlier instructions, got -1"),
    "an unknown operation": ([*X, Instruction("power", (0, 1))], "one of OPERATIONS, got 'power'"),
    "another number of operands": ([*X, Instruction("add", (0, 1, 2))], "add: expected 2 operands, got 3"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_program_that_makes_no_sense_is_refused(case):
    made, message = REFUSED[case]
    with pytest.raises(DefinitionError, match=message):
        InstructionList.of(tuple(made), (0,))


def test_phases_results_and_iterations_are_checked():
    start, variable = Phase(0, tuple(X)), Instruction("variable", (), (0, 0))
    body = (variable, Instruction("multiply", (3, 1)))
    InstructionList((start, Phase(3, body, Iteration(0, (0,), (4,), 0, 1e-15, 10, 0))), (0,))
    for phases, results, message in (
        ((start,), (3,), "the results.*got 3"),
        ((start, Phase(2, body)), (0,), "number 3, got number 2"),
        ((start, Phase(3, body, Iteration(0, (3,), (4,), 0, 1e-15, 10, 0))), (0,), "start of iteration 0.*got 3"),
        ((start, Phase(3, body, Iteration(0, (0,), (5,), 0, 1e-15, 10, 0))), (0,), "iteration 0.*got 5"),
    ):
        with pytest.raises(DefinitionError, match=message):
            InstructionList(phases, results)


# -- digests -------------------------------------------------------------------------------------------------------


def test_digests_distinguish_what_gives_other_bits():
    """That they are the same in all processes is tested in tests/core/cache/test_machine_code.py."""

    def digest(number, operation="add", results=(4,)):
        made = (*X, Instruction("number", (), repr(number)), Instruction(operation, (0, 3)))
        return InstructionList.of(made, results).digest

    different = [
        digest(0.0),
        digest(-0.0),
        digest(1.0),
        digest(True),
        digest(np.nextafter(1.0, 2.0).item()),
        digest(0.0, "subtract"),
    ]
    different.append(digest(0.0, results=(4, 4)))
    assert len(set(different)) == len(different)
    assert digest(0.0) == digest(0.0)


@given(programs())
def test_equal_programs_have_equal_digests_and_hashes(program):
    other = InstructionList(
        tuple(Phase(p.first, tuple(map(Instruction._make, p.instructions))) for p in program.phases), program.results
    )
    assert other == program
    assert hash(other) == hash(program)
    assert other.digest == program.digest


# -- printers ------------------------------------------------------------------------------------------------------


def test_every_operation_has_a_form_or_is_refused_by_name():
    """Machine code gets sums of solves and tangents, which the tracer records in place of them."""
    # arrays are looked up by "interpolate", and steps of lattices are not printed
    assert set(OPERATIONS) - ArrayText(str).forms.keys() == {"interval", "piece", "edges"}
    llvm = LLVMPrinter(llvm_text.Reader(Assembler()), {}, {})
    missing = {
        "input",
        "variable",
        "solution",
        "converged",
        "edges",
        "fraction",
        "constant",
        "tan",
        "interpolate",
        "solve",
        "element",
    }
    assert set(OPERATIONS) - llvm.forms.keys() == missing
    with pytest.raises(NotPrintedError, match="LLVMPrinter has no solve"):
        llvm.value(Instruction("solve", (), (0, True)), [])


def test_another_printer_is_a_class_with_forms():
    class Depth(Printer):
        """How many operations follow one another."""

        forms = {
            k: (lambda operands, _: 0) if k in LEAVES else lambda operands, _: 1 + max(operands) for k in OPERATIONS
        }

    made, depth = [*X, Instruction("add", (0, 1)), Instruction("sqrt", (3,)), Instruction("add", (4, 0))], []
    for instruction in made:
        depth.append(Depth().value(instruction, [depth[k] for k in instruction.operands]))
    assert depth == [0, 0, 0, 1, 2, 3]
    with pytest.raises(TypeError, match="abstract"):
        Printer()


def test_numbers_keep_their_bits_in_text():
    for x in SPECIAL:
        program = InstructionList.of((*X, Instruction("number", (), repr(x)), Instruction("multiply", (0, 3))), (4,))
        (row,) = by_numpy(program, np.ones((3, 1)))
        assert struct.pack("<d", abs(row[0])) == struct.pack("<d", abs(x))
        assert np.isnan(x) or np.signbit(row[0]) == np.signbit(x)


def test_no_regular_expression_reads_code():
    """What records, orders, prints and compiles instructions works on them, not on their text; one file reads Python."""
    modules = [emission, functions, assembler, llvm_text]
    for package in (instructions_package, compile_package):
        found = [m.name for m in pkgutil.iter_modules(package.__path__)]
        assert len(found) > 3
        modules += [__import__(f"{package.__name__}.{name}", fromlist=["_"]) for name in found]
    texts = {module.__name__: inspect.getsource(module) for module in modules}
    assert not [name for name, text in texts.items() if "import re\n" in text or "from re import" in text]
    assert [name for name, text in texts.items() if "import ast\n" in text] == [llvm_text.__name__]
