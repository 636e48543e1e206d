"""The attention of DistilBERT."""

from collections.abc import Callable
from typing import Any

from .family import Family, first_output, never_masked
from .part import DROPOUT, LINEAR, Part, anything, implementation, inverse_root_of, no_dropout, one_of

_PATH = "transformers.models.distilbert.modeling_distilbert."


def _read(parameters: Any, module: Any) -> Any:
    found = parameters.linear(q="q_lin", k="k_lin", v="v_lin", o="out_lin")
    return {**found, "heads": module.n_heads, "size": module.dim // module.n_heads}


def _run(module: Any, x: Any, mask: Any) -> Any:
    """The first class wants a mask of the tokens, the second takes none; the third is called like others."""
    batch = x[None]
    name = next(kind.__name__ for kind in type(module).__mro__ if kind.__name__ in _RUNS)
    return first_output(_RUNS[name](module, batch))


_RUNS: dict[str, Callable[..., Any]] = {
    "MultiHeadSelfAttention": lambda module, x: module(x, x, x, mask=x.new_ones(x.shape[:2])),
    "DistilBertSdpaAttention": lambda module, x: module(x, x, x, mask=None),
    "DistilBertSelfAttention": lambda module, x: module(x)}

_PART = Part(
    tuple(_PATH + name for name in _RUNS),
    children={"q_lin": LINEAR, "k_lin": LINEAR, "v_lin": LINEAR, "out_lin": LINEAR, "dropout": DROPOUT},
    attributes={"n_heads": anything, "dim": anything, "pruned_heads": anything, "config": implementation,
                "attention_head_size": anything, "scaling": inverse_root_of("attention_head_size"),
                "is_causal": one_of(False), "dropout_prob": no_dropout, "require_contiguous_qkv": anything})

FAMILIES = {name: Family("distilbert", _PART, _read, _run, never_masked) for name in _PART.classes}
