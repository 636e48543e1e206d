#!/usr/bin/env python3
"""What the Python module adds: attcert.certify beside the command line, both from the model's name to the certificate,
at layer 0 of a random BERT-base on four tokens (N = 3,072), in turns.

usage: python_overhead.py ATTCERT RUNS

Prints the medians in seconds and their ratio; importing the module, which happens once, counts for neither. Exit status
1 where the two certificates differ."""
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy

import attcert

MODEL, TOKENS, TEXT = "random:bert", 4, "src/cli/demo.txt"


def timed(run):
    begin = time.perf_counter()
    result = run()
    return time.perf_counter() - begin, result


def main(program, runs):
    model = attcert.load(MODEL)
    x = model.layer_input(0, model.hidden(TEXT, TOKENS))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "x.npy")
        numpy.save(path, x)
        command = [program, "certify", "--model", MODEL, "--layer", "0", "--input", path, "--no-bounds", "--format", "json"]

        def by_command_line():
            found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["lipschitz"]
            return [float.fromhex(found["lower_hex"]), float.fromhex(found["upper_hex"])]

        def by_module():
            found = attcert.load(MODEL).layer(0).certify(x)
            return [found.lower, found.upper]

        seconds = {by_command_line: [], by_module: []}
        ends = []
        for _ in range(runs):
            for way, taken in seconds.items():
                elapsed, found = timed(way)
                taken.append(elapsed)
                ends.append(found)
    command_line, module = (statistics.median(taken) for taken in seconds.values())
    print(f"N = {x.size}, {runs} runs each: command line {command_line:.3f} s, Python {module:.3f} s, ratio {module / command_line:.3f}")
    return 0 if all(found == ends[0] for found in ends) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2])))
