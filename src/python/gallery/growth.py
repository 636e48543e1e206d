"""How the certified local constant of a random layer grows with the number of tokens, drawn where matplotlib is."""

import argparse

import numpy

import attcert

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--quick", action="store_true", help="three lengths, for a test")
arguments.add_argument("--output", default="growth.svg", help="the figure")
options = arguments.parse_args()

draw = numpy.random.default_rng(0).standard_normal
d, heads = 32, 4
q, k, v, o = (draw((d, d)) / d**0.5 for _ in range(4))
lengths = [2, 4, 8] if options.quick else [2, 4, 8, 16, 32, 64]
x = draw((lengths[-1], d))
found = [attcert.bounds(x[:n], q, k, v, heads=heads, o=o, tolerance=1e-6) for n in lengths]

for n, r in zip(lengths, found):
    print(f"n = {n:3d}: {r!r}")

try:
    from matplotlib import pyplot
except ImportError:
    print("no matplotlib: no figure")
else:
    pyplot.loglog(lengths, [r.upper for r in found], "o-", label="certified, both ends")
    for name in ("T1", "T6", "T9"):
        pyplot.loglog(lengths, [r.bounds[name].value for r in found], "--", label=name)
    pyplot.xlabel("tokens n")
    pyplot.ylabel(r"$\|D_X f\|_2$ ($l^2$ norms)")
    pyplot.legend()
    pyplot.savefig(options.output)
