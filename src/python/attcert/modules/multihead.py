"""torch.nn.MultiheadAttention as self-attention."""

from .family import Family, thirds
from .part import LINEAR, Part, anything, no_dropout, one_of, product_of


def _no_extra_token(value, module):
    return None if value is None else "a token beside the input, expected self-attention without one"


def _same_dimension(value, module):
    if value == module.embed_dim:
        return None
    return f"{value}, expected embed_dim = {module.embed_dim}: cross-attention of other dimensions"


def _read(parameters, module):
    return {**thirds("", parameters("in_proj_weight")), **thirds("_bias", parameters("in_proj_bias")),
            **parameters.linear(o="out_proj"), "heads": module.num_heads,
            "size": getattr(module, "head_dim", None)}


def _run(module, x, mask):
    batch = x[None] if module.batch_first else x[:, None]
    y = module(batch, batch, batch, need_weights=False, attn_mask=mask[0, 0] < 0)[0]
    return y[0] if module.batch_first else y[:, 0]


def _mask(module, given):
    return given or "none"


_PART = Part(
    ("torch.nn.modules.activation.MultiheadAttention",), children={"out_proj": LINEAR},
    attributes={"embed_dim": product_of("num_heads", "head_dim"), "kdim": _same_dimension, "vdim": _same_dimension,
                "_qkv_same_embed_dim": one_of(True), "num_heads": anything, "dropout": no_dropout,
                "batch_first": anything, "head_dim": anything, "add_zero_attn": one_of(False),
                "bias_k": _no_extra_token, "bias_v": _no_extra_token},
    parameters=("in_proj_weight", "in_proj_bias"))

FAMILIES = {_PART.classes[0]: Family("multihead", _PART, _read, _run, _mask, upcasts=False)}
