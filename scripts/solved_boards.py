#!/usr/bin/env python3
"""Makes the rows of the solved boards: crates/cli/data/solved.jsonl, or the file given.

Solves every position of the lists below that the file does not have, each with its proof written and checked, by
`upstar solved --add`. `upstar solved --markdown docs/solved.md` makes the page of it. Positions that take longer than --time-limit are
left out. Needs the built program (target/release/upstar) and nothing else.
"""

import argparse
import json
import subprocess
from itertools import combinations, product
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def graph(stones, edges):
    """A graph as the program reads it: vertices with their stones, then edges."""
    vertices = [f"{vertex}={stone}" for vertex, stone in stones.items()]
    return ",".join(vertices + [f"{a}-{b}" for a, b in edges])


def two_coloured(count, edges):
    """A connected graph whose neighbours have different stones, vertex 0 having x."""
    near = {vertex: [] for vertex in range(count)}
    for a, b in edges:
        near[a].append(b)
        near[b].append(a)
    color, queue = {0: "x"}, [0]
    for vertex in queue:
        for other in near[vertex]:
            if other not in color:
                color[other] = "o" if color[vertex] == "x" else "x"
                queue.append(other)
    name = lambda vertex: f"v{vertex}"
    return graph({name(v): color[v] for v in range(count)}, [(name(a), name(b)) for a, b in edges])


def graphs():
    """Names and positions of small graphs, stones of both colours alternating."""
    for n in range(4, 31, 2):
        yield f"cycle of {n}", two_coloured(n, [(i, (i + 1) % n) for i in range(n)])
    for m, n in combinations(range(2, 8), 2):
        if m * n <= 24:
            yield f"complete bipartite, {m} x and {n} o", two_coloured(m + n, list(product(range(m), range(m, m + n))))
    for n in range(2, 6):
        yield f"complete bipartite, {n} x and {n} o", two_coloured(2 * n, list(product(range(n), range(n, 2 * n))))
    for n in range(2, 8):
        yield f"star with {n} leaves", two_coloured(n + 1, [(0, i) for i in range(1, n + 1)])
    for depth in range(2, 5):
        count = 2 ** (depth + 1) - 1
        yield f"binary tree of depth {depth}", two_coloured(count, [((i - 1) // 2, i) for i in range(1, count)])
    for n in range(3, 11):
        spine = [(i, i + 1) for i in range(n - 1)]
        yield f"comb with {n} teeth", two_coloured(2 * n, spine + [(i, n + i) for i in range(n)])
    for d in (3, 4):
        edges = [(i, i | 1 << b) for i in range(2**d) for b in range(d) if not i >> b & 1]
        yield f"cube of dimension {d}", two_coloured(2**d, edges)
    for n in range(4, 13, 2):
        ring = [(i, (i + 1) % n) for i in range(n)]
        prism = ring + [(n + a, n + b) for a, b in ring] + [(i, n + i) for i in range(n)]
        yield f"prism over a cycle of {n}", two_coloured(2 * n, prism)


def boards(limits):
    """Sizes m x n with m <= n, up to the number of columns given for each number of rows."""
    return [f"{m}x{n}" for m, most in limits.items() for n in range(max(m, 2), most + 1)]


def questions():
    """Everything that is asked: game, position, name, further options."""
    for size in boards({1: 40, 2: 21, 3: 12, 4: 8, 5: 6, 6: 6}):
        yield "clobber", size, None, []
    for size in boards({1: 20, 2: 8, 3: 6, 4: 5}):
        yield "clobber:cannibal", size, None, []
    for name, position in graphs():
        yield "clobber", position, name, []
    for size in boards({1: 16, 2: 10, 3: 8, 4: 6, 5: 6}):
        yield "clobber:solitaire", size, None, []
    for game, limits in {
        "othello": {2: 8, 3: 10, 4: 8, 5: 7, 6: 6},
        "othello:anti": {2: 8, 3: 10, 4: 8, 5: 6},
        "othello:parallel": {2: 8, 3: 10, 4: 8, 5: 6},
        "othello:reversi": {2: 4, 3: 4, 4: 4},
    }.items():
        for size in boards(limits):
            yield game, size, None, ["--exact"]
    yield "othello", "5x8", None, []


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT / "crates/cli/data/solved.jsonl")
    parser.add_argument("--time-limit", default="20s")
    parser.add_argument("--memory", default="2G")
    parser.add_argument("--game", help="only this game")
    parser.add_argument("--program", type=Path, default=ROOT / "target/release/upstar")
    options = parser.parse_args()
    known = set()
    if options.data.exists():
        rows = map(json.loads, options.data.read_text().splitlines())
        known = {(row["game"], row["position"]) for row in rows}
    for game, position, name, more in questions():
        if (game, position) in known or options.game not in (None, game):
            continue
        command = [options.program, "solved", "--add", game, position, "--data", options.data, *more]
        command += ["--time-limit", options.time_limit, "--memory", options.memory]
        command += ["--name", name] if name else []
        done = subprocess.run(command, capture_output=True, text=True)
        lines = done.stdout.splitlines() or [line for line in done.stderr.splitlines() if line.startswith("error")]
        print(lines[0] if lines else f"{game} {name or position}: {done.stderr}", flush=True)
    arrange(options.data)


def arrange(file):
    """Puts the rows into the order of the lists, others behind them."""
    order = [(game, position) for game, position, _, _ in questions()]
    place = {question: number for number, question in enumerate(order)}
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    rows.sort(key=lambda row: place.get((row["game"], row["position"]), len(order)))
    lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows]
    file.write_text("".join(lines))


if __name__ == "__main__":
    main()
