"""Whether a torch module computes what a layer does."""

import contextlib
import copy
import sys
from typing import Any

import numpy

_HALF_ULP_OF_FLOAT = 2.0**-24


def can_run(module: Any) -> bool:
    """Whether it is a module of a torch that is there; torch is not imported."""
    torch = sys.modules.get("torch")
    return torch is not None and hasattr(torch, "nn") and isinstance(module, torch.nn.Module)


class NotRun(Exception):
    """The module cannot be called as expected: why."""


def difference(layer: Any, module: Any, runs: Any, x: Any, rounding: Any) -> Any:
    """Compares runs(module, x, mask) with layer.forward at x (n, d) and at a random input of that size, in eval mode
    and double precision on a copy of the module; of several runs the one that is nearest counts. rounding(x, output):
    the largest value that could come out, and how far off roundings could make it.

    Returns how far off it is, relative to that value.
    ValueError: farther than the roundings explain. NotRun: no run ends."""
    worst = 0.0
    scale = numpy.sqrt(numpy.mean(x * x)) or 1.0
    for values in (x, scale * numpy.random.default_rng(0).standard_normal(x.shape)):
        expected = layer.forward(values)
        size, explained = rounding(values, expected)
        outputs = _outputs(module, runs, values, layer._mask)
        fits = [y for y in outputs if y.shape == expected.shape]
        if not fits:
            raise ValueError(f"module(x) has the shape {outputs[0].shape}, the layer's output {expected.shape}")
        off = min(float(numpy.max(numpy.abs(y - expected))) for y in fits)
        if not off <= explained:  # not a number, too
            where = "at x" if values is x else "at a random input"
            raise ValueError(f"{where}, module(x) is {off:.3g} off the layer's output, of values below "
                             f"{size:.3g}, of which rounding explains {explained:.2g}: it is another function")
        worst = max(worst, off / size if size > 0.0 else 0.0)
    return worst


def compared(layer: Any, module: Any, runs: Any, x: Any, rounding: Any, is_assumed: bool) -> Any:
    """A note on the comparison, or None. ValueError: the module computes something else, or cannot be run; where it is
    assumed to be of a class, the note says that it cannot."""
    name = type(module).__name__
    if not can_run(module):
        return f"{name} was not run to compare it" if is_assumed else None
    try:
        off = difference(layer, module, runs, x, rounding)
    except NotRun as reason:
        if is_assumed:
            return f"{name} could not be run to compare it ({reason})"
        raise ValueError(f"{name} could not be run to compare it: {reason}") from None
    except ValueError as reason:
        raise ValueError(f"{name}: {reason}") from None
    return f"{name} was run: it is {off:.1e} off the layer" if is_assumed else None


def _outputs(module: Any, runs: Any, x: Any, mask: Any) -> Any:
    """The outputs of the runs that end. NotRun: none does."""
    found, reasons = [], []
    for run in runs:
        try:
            found.append(_output(module, run, x, mask))
        except Exception as reason:  # whatever a module raises
            reasons.append(f"{type(reason).__name__}: {str(reason).splitlines()[0] if str(reason) else ''}")
    if not found:
        raise NotRun("; ".join(reasons))
    return found


def _output(module: Any, run: Any, x: Any, mask: Any) -> Any:
    torch = sys.modules["torch"]
    twin = copy.deepcopy(module).to(device="cpu", dtype=torch.float64).eval()
    n = x.shape[0]
    added = torch.zeros(1, 1, n, n, dtype=torch.float64, device="cpu")
    if mask == "causal":
        later = torch.ones(n, n, dtype=torch.bool, device="cpu").triu(1)
        added.masked_fill_(later, torch.finfo(torch.float64).min)
    autocast = getattr(torch, "autocast", None)
    with torch.no_grad(), autocast("cpu", enabled=False) if autocast else contextlib.nullcontext():
        return run(twin, torch.from_numpy(numpy.array(x)), added).numpy()


def size_and_rounding(layer: Any, x: Any, upcasts: bool, context: Any = None) -> Any:
    """An upper bound of the output's entries, up to rounding, and of what double precision does to them: the products
    of d, k and n terms, and of what float32 does where a module computes scores and weights of attention in it.
    context: whose tokens keys and values are of; None: x."""
    arrays, heads = layer._arrays, layer._heads
    asked = x if context is None else context
    n, d = len(asked), max(x.shape[1], asked.shape[1])
    largest = {}
    for part, tokens in (("query", x), ("key", asked), ("value", asked)):
        weight, bias = numpy.abs(arrays[f"{part}.weight"]), arrays.get(f"{part}.bias")
        largest[part] = numpy.abs(tokens) @ weight.T + (0.0 if bias is None else numpy.abs(bias.T))
    k = largest["query"].shape[1] // heads
    norms = [numpy.linalg.norm(largest[part].reshape(-1, heads, k), axis=2).max(axis=0) for part in ("query", "key")]
    score = float(numpy.max(norms[0] * norms[1])) / numpy.sqrt(k)
    values = largest["value"].max(axis=0)
    output, bias = arrays.get("output.weight"), arrays.get("output.bias")
    size = values if output is None else numpy.abs(output) @ values
    top = float(numpy.max(size if bias is None else size + numpy.abs(bias[:, 0])))
    unit = 4 * (d + k + n) * 2.0**-53 + ((8 + k) * _HALF_ULP_OF_FLOAT if upcasts else 0.0)
    return top, unit * (1.0 + score) * top
