"""DeepseekV2Attention and DeepseekV3Attention: keys and values of all heads come from one shorter vector."""

import math
from collections.abc import Iterator
from typing import Any

from .angles import rotation
from .decoders import MEANING, RULES, differences_of, equal_to, settings_of
from .family import always_causal, first_output
from .part import LINEAR, Part, anything
from .stored import Stored

_EPSILON = 1e-6  # of the norms of shorter vectors, whatever the configuration says of others


def _size(config: Any, layer: Any = 0) -> Any:
    return config.qk_nope_head_dim + config.qk_rope_head_dim


def _rule(config: Any) -> Any:
    return getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}


def _scale(config: Any) -> Any:
    """1 / sqrt(k), times the square of yarn's amplitude of slope mscale_all_dim."""
    rule = _rule(config)
    kind = rule.get("rope_type", rule.get("type", "default"))
    slope = (rule.get("mscale_all_dim") or 0.0) if kind == "yarn" else 0.0
    return _size(config) ** -0.5 * (1.0 + 0.1 * slope * math.log(rule["factor"] if slope else 1.0)) ** 2


def _scaling(value: Any, module: Any) -> Any:
    expected = _scale(module.config)
    return None if abs(value - expected) <= 1e-15 * expected else \
        f"{value!r}, but the configuration says {expected!r}: older versions leave out the square of yarn's amplitude"


def _of(name: str) -> Any:
    return equal_to(lambda config, layer: getattr(config, name), name)


def _differences(kind: Any) -> Any:
    config_differs = differences_of(kind)

    def differences(module: Any) -> Iterator[str]:
        yield from config_differs(module)
        for name in ("q_a_layernorm", "kv_a_layernorm"):
            norm = getattr(module, name, None)
            if norm is not None and norm.variance_epsilon != _EPSILON:
                yield f"{name}: epsilon {norm.variance_epsilon!r}, expected {_EPSILON!r}"

    return differences


def _place(module: Any) -> Any:
    return f"model.layers.{module.layer_idx}.self_attn.", module.layer_idx


def _run(whole: Any) -> Any:
    """Runs a module with its model's angles and mask. whole: cosines and sines, of both halves; or complex numbers."""

    def run(module: Any, x: Any, mask: Any) -> Any:
        import torch  # the module is one of torch's

        cosine, sine = (torch.from_numpy(part)[None] for part in
                        rotation(settings_of(module), x.shape[0], module.qk_rope_head_dim))
        turned = tuple(torch.cat((part, part), dim=-1) for part in (cosine, sine)) if whole else \
            torch.complex(cosine, sine)
        return first_output(module(x[None], position_embeddings=turned, attention_mask=mask))

    return run


def _of_model(folder: str, prefix: str, whole: Any) -> Any:
    path = f"transformers.models.{folder}.modeling_{folder}.{prefix}"
    norm = Part((path + "RMSNorm",), attributes={"variance_epsilon": anything}, parameters=("weight",))
    part = Part(
        (path + "Attention",),
        children={"kv_a_proj_with_mqa": LINEAR, "kv_a_layernorm": norm, "kv_b_proj": LINEAR, "o_proj": LINEAR},
        optional={"q_proj": LINEAR, "q_a_proj": LINEAR, "q_a_layernorm": norm, "q_b_proj": LINEAR},
        attributes={
            **{name: RULES[name] for name in ("config", "layer_idx", "num_heads", "hidden_size", "attention_dropout",
                                              "is_causal", "num_key_value_groups", "_hidden_kernels")},
            **{name: _of(name) for name in ("q_lora_rank", "qk_rope_head_dim", "kv_lora_rank", "v_head_dim",
                                            "qk_nope_head_dim")},
            "head_dim": _of("qk_rope_head_dim"), "qk_head_dim": equal_to(_size, "qk_nope_head_dim"),
            "max_position_embeddings": anything, "rope_theta": anything, "scaling": _scaling})
    return {part.classes[0]: Stored(part, _differences(folder), _place, settings_of, _run(whole), always_causal,
                                    MEANING)}


FAMILIES = {**_of_model("deepseek_v2", "DeepseekV2", False), **_of_model("deepseek_v3", "DeepseekV3", True)}
