"""T5Attention of encoders, and its copies in MT5 and UMT5, where it has the table of the biases by position: T5's first
layer has it for all of them."""

from collections.abc import Iterator
from typing import Any

from .family import first_output, never_masked
from .part import EMBEDDING, LINEAR, Part, anything, no_dropout, one_of, product_of
from .stored import Stored

_PLACE = "encoder.block.0.layer.0.SelfAttention."
# Folder and prefix.
_MODELS = (("t5", "T5"), ("mt5", "MT5"), ("umt5", "UMT5"))


def _no_heads(value: Any, module: Any) -> Any:
    return None if not value else f"{value!r}: layers with fewer heads are not evaluated"


def _settings(kind: Any) -> Any:
    def settings(module: Any) -> Any:
        """d_ff is of the feed-forward part, which is not there."""
        return {"model_type": kind, "d_model": module.d_model, "d_kv": module.key_value_proj_dim,
                "num_heads": module.n_heads, "num_layers": 1, "d_ff": 1,
                "relative_attention_num_buckets": module.relative_attention_num_buckets,
                "relative_attention_max_distance": module.relative_attention_max_distance}

    return settings


def _differences(module: Any) -> Iterator[str]:
    if module.has_relative_attention_bias is not True:
        yield "the table of its biases by position is in another layer, which hands it on"


def _run(module: Any, x: Any, mask: Any) -> Any:
    return first_output(module(x[None]))


def _of_model(folder: str, prefix: str) -> Any:
    part = Part((f"transformers.models.{folder}.modeling_{folder}.{prefix}Attention",),
                children={name: LINEAR for name in "qkvo"}, optional={"relative_attention_bias": EMBEDDING},
                attributes={"is_decoder": one_of(False), "has_relative_attention_bias": one_of(True, False),
                            "relative_attention_num_buckets": anything, "relative_attention_max_distance": anything,
                            "d_model": anything, "key_value_proj_dim": anything, "n_heads": anything,
                            "dropout": no_dropout, "inner_dim": product_of("n_heads", "key_value_proj_dim"),
                            "layer_idx": anything, "pruned_heads": _no_heads, "gradient_checkpointing": anything})
    return {part.classes[0]: Stored(part, _differences, lambda module: (_PLACE, 0), _settings(folder), _run,
                                    never_masked, "with its biases by position, of an encoder")}


FAMILIES = {name: family for model in _MODELS for name, family in _of_model(*model).items()}
