"""What a module of a known class consists of: Part, and the rules for its attributes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy

IMPLEMENTATIONS = (None, "eager", "sdpa")


@dataclass(frozen=True)
class Part:
    """A module of one of `classes` (module path and name). Whatever else is on it is unread, and refused by name.

    children      its modules by name; each must be there, and no other
    attributes    a rule for each attribute that it may have: rule(value, module) is None, or what is wrong
    buffers       the same for its buffers
    parameters    the names of its own parameters
    optional      more children, which some versions have"""

    classes: tuple[str, ...]
    children: Mapping[str, Any] = field(default_factory=dict)
    attributes: Mapping[str, Any] = field(default_factory=dict)
    buffers: Mapping[str, Any] = field(default_factory=dict)
    parameters: tuple[str, ...] = ()
    optional: Mapping[str, Any] = field(default_factory=dict)


def anything(value: Any, module: Any) -> None:
    """For what has no effect on the function."""


def one_of(*allowed: Any) -> Any:
    """The value is one of these, of the same type."""

    def rule(value: Any, module: Any) -> Any:
        if any(type(value) is type(known) and value == known for known in allowed):
            return None
        return f"{value!r}, expected {' or '.join(repr(known) for known in allowed)}"

    return rule


def product_of(*names: str) -> Any:
    """The value is the product of these attributes."""

    def rule(value: Any, module: Any) -> Any:
        product = 1
        for name in names:
            product *= getattr(module, name)
        return None if value == product else f"{value!r}, expected {' * '.join(names)} = {product}"

    return rule


def inverse_root_of(name: str) -> Any:
    """The value is 1 / sqrt of this attribute, to rounding."""

    def rule(value: Any, module: Any) -> Any:
        root = getattr(module, name) ** -0.5
        return None if abs(value - root) <= 1e-15 * root else f"{value!r}, expected 1 / sqrt({name}) = {root!r}"

    return rule


def no_dropout(value: Any, module: Any) -> Any:
    """A probability of dropout: a module in training mode is a random function, which has no constant."""
    if module.training and value > 0.0:
        return f"{value!r} in training mode, expected module.eval()"
    return None


def implementation(value: Any, module: Any) -> Any:
    """A configuration, of which a known class reads how attention is computed."""
    name = getattr(value, "_attn_implementation", None)
    if name in IMPLEMENTATIONS:
        return None
    return f"attn_implementation {name!r}, expected 'eager' or 'sdpa'"


def causal_triangle(value: Any, module: Any) -> Any:
    """A mask of ones on and below the diagonal, (1, 1, P, P)."""
    ones = numpy.asarray(value.detach().cpu()).astype(bool)
    rows = ones.shape[-1]
    if ones.shape == (1, 1, rows, rows) and numpy.array_equal(ones[0, 0], numpy.tri(rows, dtype=bool)):
        return None
    return "not the causal triangle: a local window or another mask"


def far_below(value: Any, module: Any) -> Any:
    """What masked scores are set to."""
    return None if float(value) <= -1e4 else f"{float(value)!r}, expected at most -10000"


LINEAR = Part(("torch.nn.modules.linear.Linear", "torch.nn.modules.linear.NonDynamicallyQuantizableLinear"),
              attributes={"in_features": anything, "out_features": anything}, parameters=("weight", "bias"))
CONV1D = Part(("transformers.pytorch_utils.Conv1D", "transformers.modeling_utils.Conv1D"),
              attributes={"nf": anything, "nx": anything}, parameters=("weight", "bias"))
EMBEDDING = Part(("torch.nn.modules.sparse.Embedding",),
                 attributes={"num_embeddings": anything, "embedding_dim": anything, "padding_idx": one_of(None),
                             "max_norm": one_of(None), "norm_type": anything, "scale_grad_by_freq": anything,
                             "sparse": anything}, parameters=("weight",))
DROPOUT = Part(("torch.nn.modules.dropout.Dropout",), attributes={"p": no_dropout, "inplace": anything})
LAYER_NORM = Part(("torch.nn.modules.normalization.LayerNorm",),
                  attributes={"normalized_shape": anything, "eps": anything, "elementwise_affine": anything},
                  parameters=("weight", "bias"))
