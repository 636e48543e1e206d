"""Is the estimate of a power iteration on a PyTorch layer in float32 true? Two checks: after few steps, and many."""

import argparse
import sys
from typing import Any

import attcert

arguments = argparse.ArgumentParser(description=__doc__)
arguments.add_argument("--quick", action="store_true", help="fewer steps, for a test")
arguments.add_argument("--output", help="ignored: the verdicts go to standard output")
options = arguments.parse_args()

try:
    import torch
except ImportError:
    sys.exit(print("no torch here: python3-torch has it"))

torch.manual_seed(0)
n, d, heads = 10, 32, 4
attention = torch.nn.MultiheadAttention(d, heads, batch_first=True)
x = torch.randn(1, n, d)


def f(tokens: Any) -> Any:
    return attention(tokens, tokens, tokens, need_weights=False)[0]


def power_iteration(steps: int) -> tuple[float, Any]:
    """||J u|| and u after some steps of u := J^T J u / ||J^T J u||."""
    u = torch.randn_like(x)
    for _ in range(steps):
        u = u / u.norm()
        image = torch.autograd.functional.jvp(f, x, u)[1]
        u = torch.autograd.functional.vjp(f, x, image)[1]
    u = u / u.norm()
    return torch.autograd.functional.jvp(f, x, u)[1].norm().item(), u


for steps in (2, 20 if options.quick else 300):
    estimate, u = power_iteration(steps)
    print(f"{steps:3d} steps: {estimate:.7f}, {attcert.check(attention, x, estimate=estimate, vector=u, slack=1e-6)!r}")
