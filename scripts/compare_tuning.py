#!/usr/bin/env python3
"""Compare the methods of `upstar tune` at an equal budget of games.

    python3 scripts/compare_tuning.py [--upstar PATH] [--file FILE] [--games 27000]
                                      [--seeds 20] [--again 8] [--out DIR]

Needs `cargo build --release`. Each method searches with each seed. The score that a search reports is
the best of many, so it is too high: each best configuration is trained again with new seeds, and plays
with learning off. The table shows means over the seeds of the search with their standard errors, and
how often a network that was trained again died. What is in DIR already is not done again.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
METHODS = ["hyperband", "cma-es", "genetic"]


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--upstar", default=ROOT / "target/release/upstar")
    example = ROOT / "crates/train/configurations/tune-clobber-4x4.toml"
    parser.add_argument("--file", type=pathlib.Path, default=example)
    parser.add_argument("--games", type=int, default=27000)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--again", type=int, default=8)
    parser.add_argument("--out", type=pathlib.Path)
    return parser.parse_args()


def last_line(command):
    """The summary that a verb prints as its last line of JSON."""
    made = subprocess.run(
        [*map(str, command), "--json"], check=True, stdout=subprocess.PIPE, text=True
    )
    return json.loads(made.stdout.splitlines()[-1])


def searched(given, method, seed, out):
    """The summary of one search."""
    folder = out / f"{method}-{seed}"
    if folder.exists():
        return last_line([given.upstar, "resume", folder])
    text = re.sub(r"(?m)^(games|seed|search) *=.*\n", "", given.file.read_text())
    text = f"games = {given.games}\nseed = {seed}\n" + text
    text = text.replace("[tune]\n", f'[tune]\nsearch = "{method}"\n')
    file = out / f"{method}-{seed}.toml"
    file.write_text(text)
    return last_line([given.upstar, "tune", file, "--out", folder])


def trained_again(given, method, seed, number, out):
    """The summary of a training with the best configuration and a new seed."""
    folder = out / f"{method}-{seed}-again-{number}"
    if folder.exists():
        return last_line([given.upstar, "resume", folder])
    best = out / f"{method}-{seed}" / "best.toml"
    new_seed = 1_000_000 + 1000 * seed + number
    changes = ["--set", f"seed={new_seed}", "--set", "evaluation=4000"]
    return last_line([given.upstar, "train", best, "--out", folder, *changes])


def shown(values):
    """Mean and standard error."""
    error = statistics.stdev(values) / math.sqrt(len(values)) if len(values) > 1 else 0
    return f"{100 * statistics.mean(values):.1f} ± {100 * error:.1f}"


def main():
    given = arguments()
    with tempfile.TemporaryDirectory() as temporary:
        out = given.out or pathlib.Path(temporary)
        out.mkdir(parents=True, exist_ok=True)
        print("| method | trials | games learned | best score, % | trained again, % | died again |")
        print("|---|---|---|---|---|---|")
        for method in METHODS:
            scores, again, died = [], [], 0
            for seed in range(1, given.seeds + 1):
                summary = searched(given, method, seed, out)
                scores.append(summary["best"]["score"])
                runs = [trained_again(given, method, seed, n, out) for n in range(given.again)]
                again.append(statistics.mean(run["win_rate"] for run in runs))
                died += sum(run["dead"] or run["exploded"] for run in runs)
            of = given.seeds * given.again
            print(
                f"| `{method}` | {summary['trials']} | {summary['games']} | {shown(scores)} "
                f"| {shown(again)} | {died} of {of} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
