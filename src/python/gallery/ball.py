"""A Lipschitz constant of a layer on balls of growing radius around an input, certified, and what was found in them."""

import argparse

import numpy

import attcert

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--quick", action="store_true", help="two radii, for a test")
arguments.add_argument("--output", help="ignored: the table goes to standard output")
options = arguments.parse_args()

draw = numpy.random.default_rng(0).standard_normal
n, d, heads = 8, 16, 2
x, (q, k, v, o) = draw((n, d)), (draw((d, d)) / d**0.5 for _ in range(4))

print("radius   found in it   certified for all of it")
for radius in [1e-2, 1e-1] if options.quick else numpy.logspace(-3, 0, 10).tolist():
    r = attcert.ball(x, q, k, v, heads=heads, o=o, radius=radius)
    print(f"{radius:7.4f}  {r.ball_lower:11.6f}   {r.ball_upper:11.6f}")
