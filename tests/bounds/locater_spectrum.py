#!/usr/bin/env python3
"""The traces of one trained layer, three times: exactly, in integers; by attcert; as the training's penalty knows them.

usage: locater_spectrum.py LAYER.safetensors SPECTRUM.json PROGRESS.csv STEP

SPECTRUM.json is what `attcert spectrum --format json` wrote about the layer. Exit status 1, and a line for each, where
an enclosure misses the exact number, or the number in PROGRESS.csv is further from it than its roundings allow."""
import csv
import json
import math
import struct
import sys
from fractions import Fraction

import numpy

UNIT = 2.0 ** -53


def read_tensors(path):
    with open(path, "rb") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        data = file.read()
    return {name: numpy.frombuffer(data[slice(*entry["data_offsets"])], dtype="<f4").reshape(entry["shape"])
            for name, entry in header.items() if name != "__metadata__"}


def integers(matrix):
    """float32 numbers are multiples of 2^-149."""
    return numpy.vectorize(lambda x: int(math.ldexp(float(x), 149)), otypes=[object])(matrix)


def exact_spectrum(query, key):
    """Mean, variance, ||W||_F^2 / d - mean^2 and ||W||_F^2 as fractions."""
    w = integers(query).T.dot(integers(key))
    one, dim = 1 << 298, len(w)
    mean = Fraction(int(w.trace()), one * dim)
    square, frobenius = (Fraction(int((w * other).sum()), one * one) for other in (w.T, w))
    variances = {"eigenvalues": square / dim - mean ** 2, "entries": frobenius / dim - mean ** 2}
    return {"mean": mean, "square": frobenius, **variances}


def roundings(query, key):
    """Bounds of the errors in double, N = ||Q||_F ||K||_F >= || |Q|^T |K| ||_F: the entries of W, 2 d roundings, enter
    the trace once and the sums of d^2 products twice."""
    d = len(query)
    size = float(numpy.linalg.norm(query.astype(float)) * numpy.linalg.norm(key.astype(float))) * (1 + 1e-9)
    mean = 2 * (2 * d + 2) * UNIT * size / d
    square = 2 * (d * d + 4 * d) * UNIT * size ** 2 / d
    return {"mean": mean, "eigenvalues": square, "entries": square}


def main():
    tensors = read_tensors(sys.argv[1])
    query, key = tensors["query.weight"], tensors["key.weight"]
    with open(sys.argv[2], encoding="utf-8") as file:
        head = json.load(file, parse_float=Fraction)["heads"][0]
    with open(sys.argv[3], encoding="utf-8") as file:
        row = next(row for row in csv.DictReader(file) if row["step"] == sys.argv[4])
    exact, slack, faults = exact_spectrum(query, key), roundings(query, key), 0

    def holds(what, held):
        nonlocal faults
        if not held:
            faults += 1
            print(f"{sys.argv[1]}: {what}")

    for name, number in (("eigenvalue_mean", exact["mean"]), ("eigenvalue_variance", exact["eigenvalues"])):
        low, high = head[name]
        holds(f"{name} from {low} to {high} misses {number}", low <= number <= high)
    (low, high), square = head["frobenius"], exact["square"]
    holds(f"frobenius from {low} to {high} misses the root of {square}", low ** 2 <= square <= high ** 2)
    for name, bound in slack.items():
        off = abs(Fraction(float(row[name])) - exact[name])
        holds(f"{name} of the training {row[name]} is {float(off)} off, at most {bound}", off <= Fraction(bound))
    eigenvalues = numpy.linalg.eigvals(query.astype(float).T @ key.astype(float))
    mean = eigenvalues.mean().real
    variance = (eigenvalues ** 2).mean().real - mean ** 2
    holds(f"eigenvalues have mean {mean}", abs(mean - float(exact["mean"])) <= 1e-9)
    holds(f"eigenvalues have variance {variance}", abs(variance - float(exact["eigenvalues"])) <= 1e-9)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
