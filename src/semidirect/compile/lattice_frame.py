"""The loops of the kernel of a lattice: blocks of paths, steps, noise, phases of a step, tiles of sites, edges."""

from __future__ import annotations

from collections.abc import Sequence

from semidirect.compile.kernel_frame import AT_ONCE, next_point
from semidirect.compile.lane_code import LaneCode, LaneIteration
from semidirect.compile.lattice_layout import LatticeLayout
from semidirect.compile.loop_function import body_calls, indented, on_lanes

__all__ = ["lattice_text"]


def lattice_text(code: LaneCode, plan: LatticeLayout, same: Sequence[int], size: int) -> str:
    """The function ``run``.

    A tile has LANES lanes, of some sites beside one another and for each of them the paths of a block. Its rows in M stay
    from phase to phase; the rows in B are those of the tile at which the kernel is.

    Parameters
    ----------
    same : sequence of int
        Parameters of the site that are the same everywhere.
    size : int
        Rows of a tile.
    """
    variant, d, m = plan.variant, plan.d, plan.m
    rows = [*range(d)]
    begin = [f"{_kept(r)} = y[b, {_row(plan, 'Y', r)}, j]" for r in rows]
    begin += [f"{_kept(plan.parameters + i)} = p[b, {i}, s, j]" for i in range(len(variant.varied))]
    end = [f"y[b, {_row(plan, 'Y', r)}, j] = {_kept(r)}" for r in rows]
    scalars = [f"q{i} = P[{i}]" for i in same]
    scalars += [f"e{i} = E[{i}]" for i in range(plan.constants)] if variant.edges == "same" else []
    form = {"same": "f8[:]", "edge": "f8[:, edges]", "path": f"f8[:, {plan.constants}, edges, PATHS]"}[variant.edges]
    noises = "noises" if variant.own else str(max(1, m))
    now = ["v = x + odd" if variant.own else "v = j + odd"]
    text = f"""def run(y: f8[:, d, PATHS], P: f8[:], p: f8[:, {max(1, len(variant.varied))}, sites, PATHS], E: {form},
        dW: f8[:, steps, {noises}, PATHS], unconverged: i8[:, PATHS],
        M: f8[:], B: f8[:], converged: i8[:, {max(1, plan.iterations)}, LANES], left: i8[:, LANES], site: i8[:],
        {_arguments(plan)}
        d: i8, sites: i8, edges: i8, noises: i8, tiles: i8,
        blocks: i8, path: u8, seed: u8, first: i8, steps: i8, dt: f8, root: f8, origin: f8):
    prefer_vectors({variant.width})
    k0, k1 = seed & LOW_32, seed >> S32
{indented(4, scalars)}    for b in range(blocks):
      start = path + U(PATHS) * U(b)
{indented(6, _on_sites(begin))}      for n in range(steps):
        step = first + n
        t = origin + step * dt
        odd = {f"(step & 1) * {m} * LANES" if variant.draws else "0"}
{indented(8, _noise(plan))}{indented(8, _phases(code, plan, now))}{indented(8, _copies(plan))}{indented(6, _on_sites(end))}"""
    sites = variant.lanes // variant.paths
    for name, number in (
        ("LANES", variant.lanes),
        ("PATHS", variant.paths),
        ("SITES", sites),
        ("SIZE", size * variant.lanes),
    ):
        text = text.replace(name, str(number))
    return text


def _arguments(plan: LatticeLayout) -> str:
    """Arrays: of each kind of edge, see :class:`~.lattice_call.Ends`; rows of all sites in a state and among the noises, and the
    numbers of sites of kinds of which there are few.
    """
    names = [
        f"{end}{k}_{of}"
        for k in range(len(plan.ends))
        for end in ("left", "right")
        for of in ("begin", "place", "edge")
    ]
    text = "".join(f"{name}: i8[:], " for name in names)
    return text + (
        "Y: i8[:, slots], V: i8[:, slots], first_lane: i8[:], few: i8[:], slots: i8," if plan.variant.few else ""
    )


def _row(plan: LatticeLayout, name: str, row: int) -> str:
    """The row of a component of a site, of a state or of noises."""
    return f"{name}[{row}, tile * SITES + i]" if plan.variant.few else f"{row} * sites + s"


def _copies(plan: LatticeLayout) -> list[str]:
    """After a step, further cells get again the last site of a kind of which there are few."""
    lines = list[str]()
    for number, (_, rows) in enumerate(plan.variant.few):
        lines += [f"for i in range(few[{number}], slots):", f"    last = first_lane[few[{number}] - 1]", "    at = first_lane[i]",
                  "    for j in range(PATHS):",
                  *(f"        M[LANES * {r} + at + j] = M[LANES * {r} + last + j]" for r in rows)]  # fmt: skip
    return lines


def _kept(row: int) -> str:
    return f"M[LANES * {row} + x]"


def _tiles(lines: Sequence[str]) -> list[str]:
    return ["for tile in range(tiles):", "    base = tile * SIZE", *(f"    {line}" for line in lines)]


def _on_sites(lines: Sequence[str]) -> list[str]:
    """A loop over sites and paths: ``s`` is the site, ``x`` its place in a tile."""
    inner = ["for i in range(SITES):", "    s = site[tile * SITES + i]", "    for j in range(PATHS):",
             "        x = base + i * PATHS + j", *(f"        {line}" for line in lines)]  # fmt: skip
    return _tiles(inner)


def _on_tile(lines: Sequence[str], now: Sequence[str]) -> list[str]:
    return on_lanes(["x = base + j", *now, *lines])


# -- noise ---------------------------------------------------------------------------------------------------------


def _noise(plan: LatticeLayout) -> list[str]:
    """The increments of a step; two steps share their random words."""
    variant, m = plan.variant, plan.m
    if not m:
        return []
    if not variant.draws:
        if variant.own:
            return _on_sites([f"{_kept(plan.noise + c)} = dW[b, n, {_row(plan, 'V', c)}, j]" for c in range(m)])
        return _for_all_sites([f"B[LANES * {plan.noise + c} + i * PATHS + j] = dW[b, n, {c}, j]" for c in range(m)])
    groups = [range(c, min(c + AT_ONCE, m)) for c in range(0, m, AT_ONCE)]
    lines = ["pair = U(step >> 1)"]
    if variant.own and variant.paths == 1:
        counter = "U(V[{c}, tile * LANES + j])" if variant.few else "U({c} * sites + s)"
        draws = [line for group in groups for line in _draws(plan, group, _kept, counter, "U(0)")]
        lines += _tiles(on_lanes(["x = base + j", "s = site[tile * LANES + j]", *draws]))
    elif variant.own:
        each = list[str]()
        for group in groups:
            each += [f"last{c} = last_word(pair, U({_row(plan, 'V', c)}), U(0))" for c in group]
            each += ["for j in range(PATHS):", "    x = base + i * PATHS + j",
                     *(f"    {line}" for line in _draws(plan, group, _kept, "", "U(j)"))]  # fmt: skip
        lines += _tiles(["for i in range(SITES):", "    s = site[tile * SITES + i]", *(f"    {line}" for line in each)])
    else:
        for group in groups:
            lines += [f"last{c} = last_word(pair, U({c}), U(0))" for c in group]
            lines += ["for j in range(PATHS):",
                      *(f"    {line}" for line in _draws(plan, group, lambda r: f"B[LANES * {r} + j]", "", "U(j)"))]  # fmt: skip
        rows = range(plan.noise, plan.noise + 2 * m)
        lines += _for_all_sites([f"B[LANES * {r} + i * PATHS + j] = B[LANES * {r} + j]" for r in rows])
    return ["if n == 0 or step & 1 == 0:", *(f"    {line}" for line in lines)]


def _for_all_sites(lines: Sequence[str]) -> list[str]:
    return ["for i in range(SITES):", "    for j in range(PATHS):", *(f"        {line}" for line in lines)]


def _draws(plan: LatticeLayout, group: range, place: object, counter: str, lane: str) -> list[str]:
    """The numbers of some noises of a lane for an even and an odd step."""
    pair = "three_point_pair" if plan.variant.weak else "normal_pair"
    lines = [f"number = start + {lane}"]
    lines += [f"last{c} = last_word(pair, {counter.format(c=c)}, U(0))" for c in group] if counter else []
    lines += [
        f"even{c}, odd{c} = {pair}(pair & LOW_32, number & LOW_32, number >> S32, last{c}, k0, k1)" for c in group
    ]
    for c in group:
        for k, parity in enumerate(("even", "odd")):
            lines.append(f"{place(plan.noise + k * plan.m + c)} = {parity}{c} * root")  # type: ignore[operator]
    return lines


# -- phases --------------------------------------------------------------------------------------------------------


def _phases(code: LaneCode, plan: LatticeLayout, now: Sequence[str]) -> list[str]:
    """A step of all sites: each phase is a loop over tiles, so that edges read what all sites have left behind."""
    phases, calls, lines = code.program.phases, body_calls(code), list[str]()
    iterations = [one.iteration for one in code.phases if one.iteration is not None]
    loops = {i - one.iteration.iteration.phases + 1: (i, one.iteration)
             for i, one in enumerate(code.phases) if one.iteration is not None}  # fmt: skip
    at = {
        i + 1: row
        for i, row in zip((i for i, p in enumerate(phases) if p.at_ends is not None), plan.at_ends, strict=True)
    }

    def sweep(i: int) -> list[str]:
        bodies = [line for call, one in zip(calls[i], code.phases[i].bodies, strict=True) if one.lines
                  for line in _on_tile([call], now)]  # fmt: skip
        edges = _edges(plan, at[i]) if i in at else []
        return _tiles([*edges, *bodies]) if bodies else []

    i = 0
    while i < len(phases):
        if i not in loops:
            lines += sweep(i)
            i += 1
            continue
        last, one = loops[i]
        inner = [line for k in range(i, last) for line in sweep(k)]
        edges = _edges(plan, at[last]) if last in at else []
        lines += _iterated(one, inner, edges, calls[last], plan, now)
        i = last + 1
    for other in iterations:
        label = other.iteration.label
        check = [f"if converged[tile, {label}, i * PATHS + j] == 0 and unconverged[b, j] < 0:",
                 "    unconverged[b, j] = first + n"]  # fmt: skip
        lines += [f"if bad{label} != 0:", *(f"    {line}" for line in _on_sites(check))]
    return lines


def _iterated(one: LaneIteration, before: Sequence[str], edges: Sequence[str], calls: Sequence[str], plan: LatticeLayout,
              now: Sequence[str]) -> list[str]:  # fmt: skip
    """The loop of an iteration, until all lanes of all sites have converged."""
    s = one.iteration
    *first, last = calls
    update = next_point(one, last, lambda place: _kept(plan.cells + place[1]), "left[tile, j]")
    bodies = [line for call in first for line in _on_tile([call], now)] + _on_tile(update, now)
    return [
        *_tiles(on_lanes([f"left[tile, j] = {s.after + 1}"])),
        f"for iteration in range({s.limit + s.after}):", "    going = 0",
        *(f"    {line}" for line in before), *(f"    {line}" for line in _tiles([*edges, *bodies])),
        "    if going == 0:", "        break",
        f"bad{s.label} = 0",
        *_tiles(on_lanes([f"converged[tile, {s.label}, j] = left[tile, j] == 0",
                          f"bad{s.label} |= 0 if left[tile, j] == 0 else 1"])),
    ]  # fmt: skip


def _edges(plan: LatticeLayout, row: int) -> list[str]:
    """The sums over the edges of the sites of a tile: of each kind those that begin at a site, then those that end there."""
    lines = on_lanes([f"B[LANES * {i} + j] = 0.0" for i in range(plan.sums)])
    lines += ["for i in range(SITES):", "    at = tile * SITES + i"]
    for k in range(len(plan.ends)):
        for end, near, far in ((f"left{k}", "near", "far"), (f"right{k}", "far", "near")):
            lines += [
                f"    for e in range({end}_begin[at], {end}_begin[at + 1]):",
                f"        edge, other = {end}_edge[e], {end}_place[e] + {row} * LANES",
                "        for j in range(PATHS):",
                "            h = i * PATHS + j",
                f"            {near} = base + {row} * LANES + h",
                f"            {far} = other + j",
                f"            at_{end}()",
            ]
    parts: list[list[str]] = [[] for _ in range(plan.edges)]
    for starts, ends in zip(plan.starts, plan.ends, strict=True):
        for begin, rows in zip(starts, ends, strict=True):
            for i, row_of in enumerate(rows):
                parts[row_of].append(f"B[LANES * {begin + i} + j]")
    total = [f"B[LANES * {i} + j] = {' + '.join(several)}" for i, several in enumerate(parts) if several]
    return [*lines, *on_lanes(total or ["h = j"])]
