"""torch.nn.MultiheadAttention as self-attention, or as attention to a context."""

from typing import Any, Optional

from .family import Family, thirds
from .part import LINEAR, Part, anything, no_dropout, one_of, product_of


def _no_extra_token(value: Any, module: Any) -> Any:
    return None if value is None else "a token beside the input, expected self-attention without one"


def _same_as_kdim(value: Any, module: Any) -> Any:
    if value == module.kdim:
        return None
    return f"{value}, expected kdim = {module.kdim}: keys and values are of one context"


def _read(parameters: Any, module: Any) -> Any:
    whole, separate = parameters("in_proj_weight"), {part: f"{part}_proj_weight" for part in "qkv"}
    maps = thirds("", whole) if whole is not None else {part: parameters(name) for part, name in separate.items()}
    return {**maps, **thirds("_bias", parameters("in_proj_bias")),
            **parameters.linear(o="out_proj"), "heads": module.num_heads,
            "size": getattr(module, "head_dim", None)}


def _run(module: Any, x: Any, mask: Any) -> Any:
    batch = x[None] if module.batch_first else x[:, None]
    y = module(batch, batch, batch, need_weights=False, attn_mask=mask[0, 0] < 0)[0]
    return y[0] if module.batch_first else y[:, 0]


def _run_cross(module: Any, x: Any, context: Any) -> Any:
    queries, keys = (t[None] if module.batch_first else t[:, None] for t in (x, context))
    y = module(queries, keys, keys, need_weights=False)[0]
    return y[0] if module.batch_first else y[:, 0]


def _mask(module: Any, given: Optional[str]) -> Any:
    return given or "none"


_PART = Part(
    ("torch.nn.modules.activation.MultiheadAttention",), children={"out_proj": LINEAR},
    attributes={"embed_dim": product_of("num_heads", "head_dim"), "kdim": anything, "vdim": _same_as_kdim,
                "_qkv_same_embed_dim": anything, "num_heads": anything, "dropout": no_dropout,
                "batch_first": anything, "head_dim": anything, "add_zero_attn": one_of(False),
                "bias_k": _no_extra_token, "bias_v": _no_extra_token},
    parameters=("in_proj_weight", "in_proj_bias", "q_proj_weight", "k_proj_weight", "v_proj_weight"))

FAMILIES = {_PART.classes[0]: Family("multihead", _PART, _read, _run, _mask, upcasts=False, cross=_run_cross)}
