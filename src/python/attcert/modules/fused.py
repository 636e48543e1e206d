"""GPTNeoXAttention and BloomAttention: one map for queries, keys and values; rotary positions, or scores biased by
distance."""

from typing import Any

import numpy

from .angles import rotation
from .decoders import MEANING, RULES, differences_of
from .family import always_causal, first_output
from .part import DROPOUT, LINEAR, Part, anything, inverse_root_of, no_dropout, one_of, product_of
from .stored import Stored

_MAPS = {"query_key_value": LINEAR, "dense": LINEAR}


# ---- GPT-NeoX --------------------------------------------------------------------------------------------------------

def _neox_settings(module: Any) -> Any:
    """config.json with the names that its files have: later versions say the same in rope_parameters, or twice."""
    settings = dict(module.config.to_dict())
    rule = settings.get("rope_parameters") or {}
    if rule.get("rope_type", "default") == "default" and not set(rule) - {"rope_type", "rope_theta",
                                                                          "partial_rotary_factor"}:
        settings.pop("rope_parameters", None)
    for name, other in (("rotary_emb_base", "rope_theta"), ("rotary_pct", "partial_rotary_factor")):
        said = [of[key] for of, key in ((settings, name), (settings, other), (rule, other)) if of.get(key) is not None]
        if any(value != said[0] for value in said):
            raise ValueError(f"config: {name} and {other} are {said}, expected one number")
        settings.pop(other, None)
        if said:
            settings[name] = said[0]
    return settings


def _rotating(module: Any) -> Any:
    return int(module.head_size * _neox_settings(module).get("rotary_pct", 0.25))


def _rotary_ndims(value: Any, module: Any) -> Any:
    expected = _rotating(module)
    return None if value == expected else f"{value!r}, but the configuration says {expected}"


def _head_size(value: Any, module: Any) -> Any:
    expected = module.config.hidden_size // module.config.num_attention_heads
    return None if value == expected else f"{value!r}, but the configuration says {expected}"


def _run_neox(module: Any, x: Any, mask: Any) -> Any:
    import torch  # the module is one of torch's

    settings = {"rotary_emb_base": 10000.0, **_neox_settings(module)}
    turned = [torch.from_numpy(numpy.hstack((part, part)))[None]
              for part in rotation(settings, x.shape[0], _rotating(module))]
    return first_output(module(x[None], attention_mask=mask, position_embeddings=tuple(turned)))


def _neox_place(module: Any) -> Any:
    return f"gpt_neox.layers.{module.layer_idx}.attention.", module.layer_idx


_NEOX = Part(
    ("transformers.models.gpt_neox.modeling_gpt_neox.GPTNeoXAttention",), children=_MAPS,
    attributes={**{name: RULES[name] for name in ("config", "layer_idx", "attention_dropout", "is_causal",
                                                  "_hidden_kernels")},
                "head_size": _head_size, "rotary_ndims": _rotary_ndims, "scaling": inverse_root_of("head_size")})


# ---- BLOOM -----------------------------------------------------------------------------------------------------------

def _bloom_settings(module: Any) -> Any:
    return {"model_type": "bloom", "hidden_size": module.hidden_size, "n_head": module.num_heads, "n_layer": 1}


def _slopes(heads: Any) -> Any:
    """2^(-8 i / H), i = 1, .., H, of a power of two; of others, the slopes of the next lower one, then every second
    one of twice as many."""
    full = 1 << (heads.bit_length() - 1)
    rest = 2.0 ** (-4.0 / full * numpy.arange(1, 2 * (heads - full), 2))
    return numpy.concatenate((2.0 ** (-8.0 / full * numpy.arange(1, full + 1)), rest))


def _run_bloom(module: Any, x: Any, mask: Any) -> Any:
    import torch  # the module is one of torch's

    bias = _slopes(module.num_heads)[:, None, None] * numpy.arange(x.shape[0])
    return first_output(module(x[None], residual=torch.zeros_like(x[None]), alibi=torch.from_numpy(bias),
                               attention_mask=mask))


_BLOOM = Part(
    ("transformers.models.bloom.modeling_bloom.BloomAttention",), children={**_MAPS, "attention_dropout": DROPOUT},
    attributes={"pretraining_tp": anything, "slow_but_exact": anything, "num_heads": anything, "head_dim": anything,
                "hidden_size": product_of("num_heads", "head_dim"), "split_size": product_of("num_heads", "head_dim"),
                "hidden_dropout": no_dropout, "inv_norm_factor": inverse_root_of("head_dim"), "beta": one_of(1.0),
                "layer_idx": anything})

FAMILIES = {
    _NEOX.classes[0]: Stored(_NEOX, differences_of("gpt_neox"), _neox_place, _neox_settings, _run_neox, always_causal,
                             MEANING),
    _BLOOM.classes[0]: Stored(_BLOOM, lambda module: (), lambda module: ("transformer.h.0.self_attention.", 0),
                              _bloom_settings, _run_bloom, always_causal,
                              "with biases by distance (ALiBi), without the residual sum, each token seeing none after "
                              "it")}
