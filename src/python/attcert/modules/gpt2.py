"""GPT2Attention."""

from typing import Any

from .family import Family, always_causal, called_with_mask, rescaled, thirds
from .part import CONV1D, DROPOUT, Part, anything, causal_triangle, far_below, implementation, one_of, product_of

_PATH = "transformers.models.gpt2.modeling_gpt2."


def _read(parameters: Any, module: Any) -> Any:
    arrays = {**thirds("", parameters("c_attn.weight").T), **thirds("_bias", parameters("c_attn.bias")),
              "o": parameters("c_proj.weight").T, "o_bias": parameters("c_proj.bias")}
    size = getattr(module, "head_dim", arrays["q"].shape[0] // module.num_heads)
    scaled = getattr(module, "scale_attn_weights", True)
    by_index = getattr(module, "scale_attn_by_inverse_layer_idx", False)
    if by_index and module.layer_idx is None:
        raise ValueError("scale_attn_by_inverse_layer_idx without a layer_idx")
    arrays = rescaled(arrays, 1 if scaled else size, module.layer_idx + 1 if by_index else 1)
    return {**arrays, "heads": module.num_heads, "size": size}


def _run(module: Any, x: Any, mask: Any) -> Any:
    """reorder_and_upcast_attn wants scores in float32, the mask added to them, too."""
    upcast = getattr(module, "reorder_and_upcast_attn", False)
    return called_with_mask(module, x, mask.float() if upcast else mask)


_PART = Part(
    (_PATH + "GPT2Attention", _PATH + "GPT2SdpaAttention"),
    children={"c_attn": CONV1D, "c_proj": CONV1D, "attn_dropout": DROPOUT, "resid_dropout": DROPOUT},
    attributes={"config": implementation, "embed_dim": anything, "num_heads": anything, "head_dim": anything,
                "split_size": product_of("num_heads", "head_dim"), "scale_attn_weights": one_of(True, False),
                "is_cross_attention": one_of(False), "scale_attn_by_inverse_layer_idx": one_of(True, False),
                "layer_idx": anything, "reorder_and_upcast_attn": one_of(True, False), "pruned_heads": anything,
                "is_causal": one_of(True), "require_contiguous_qkv": anything},
    buffers={"bias": causal_triangle, "masked_bias": far_below})

FAMILIES = {name: Family("gpt2", _PART, _read, _run, always_causal) for name in _PART.classes}
