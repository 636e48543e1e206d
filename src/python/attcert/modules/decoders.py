"""LlamaAttention and the attention of decoders after it, of transformers 4.48 and later: cosines and sines of the
positions come from the model. The attention of a layer is read from the configuration, as the library reads it in a
folder; what a module keeps beside it is compared."""

import types
from collections.abc import Iterator
from typing import Any

from .angles import rotation
from .family import always_causal, first_output
from .part import LINEAR, Part, anything, implementation, inverse_root_of, no_dropout, one_of
from .stored import Stored

MEANING = "at the positions 0, 1, .., with the angles that its configuration names, each token seeing none after it"


def _config(value: Any, name: str, usual: Any = None) -> Any:
    """An entry of a configuration; None where it is null, too."""
    found = getattr(value, name, None)
    return usual if found is None else found


def _number(value: Any, module: Any) -> Any:
    return None if type(value) is int and value >= 0 else f"{value!r}, expected the number of its layer"


def equal_to(formula: Any, text: Any) -> Any:
    """The value is what the configuration says: formula(config, layer's number)."""

    def rule(value: Any, module: Any) -> Any:
        expected = formula(module.config, module.layer_idx)
        return None if value == expected else f"{value!r}, but the configuration's {text} says {expected!r}"

    return rule


def _key(name: str) -> Any:
    return equal_to(lambda config, layer: _config(config, name), name)


def _head_dim(config: Any, layer: Any = 0) -> Any:
    return _config(config, "head_dim", config.hidden_size // config.num_attention_heads)


def _key_heads(config: Any, layer: Any = 0) -> Any:
    return _config(config, "num_key_value_heads", config.num_attention_heads)


def _type(config: Any, layer: Any) -> Any:
    kinds = _config(config, "layer_types")
    return None if kinds is None else kinds[layer]


def _window(value: Any, module: Any) -> Any:
    """None, or the configuration's where this layer has one."""
    kind, window = _type(module.config, module.layer_idx), _config(module.config, "sliding_window")
    allowed = (window, None) if kind is None else (window if kind == "sliding_attention" else None,)
    if value in allowed:
        return None
    return f"{value!r}, but the configuration says {' or '.join(repr(one) for one in allowed)}"


def _scaling(value: Any, module: Any) -> Any:
    """1 / sqrt(head_dim), or of what stands for it in the configuration."""
    square = _config(module.config, "query_pre_attn_scalar")
    if square is None:
        return inverse_root_of("head_dim")(value, module)
    return None if abs(value - square**-0.5) <= 1e-15 * square**-0.5 else \
        f"{value!r}, but the configuration's query_pre_attn_scalar says {square**-0.5!r}"


def _functions(value: Any, module: Any) -> Any:
    """Functions that may be exchanged for others; as long as they are not."""
    plain = isinstance(value, dict) and all(isinstance(one, types.FunctionType) for one in value.values())
    return None if plain else f"{value!r}, expected functions that were not exchanged"


def _eager(value: Any, module: Any) -> Any:
    """A configuration of scores that another implementation would compute otherwise."""
    name = getattr(value, "_attn_implementation", None)
    return None if name == "eager" else f"attn_implementation {name!r}, expected 'eager': others leave a part out"


def _uncapped(value: Any, module: Any) -> Any:
    """A configuration whose class does not cap scores, whatever it says."""
    cap = _config(value, "attn_logit_softcapping")
    if cap is not None:
        return f"attn_logit_softcapping {cap!r}, which its class leaves out"
    return implementation(value, module)


def _capped_eager(value: Any, module: Any) -> Any:
    return implementation(value, module) if _config(value, "attn_logit_softcapping") is None else _eager(value, module)


RULES = {
    "config": implementation, "layer_idx": _number, "layer_type": equal_to(_type, "layer_types"),
    "head_dim": equal_to(_head_dim, "head_dim"), "num_heads": _key("num_attention_heads"),
    "num_attention_heads": _key("num_attention_heads"), "hidden_size": _key("hidden_size"),
    "num_key_value_heads": equal_to(_key_heads, "num_key_value_heads"),
    "num_key_value_groups": equal_to(lambda c, l: c.num_attention_heads // _key_heads(c), "num_key_value_heads"),
    "scaling": _scaling, "attention_dropout": no_dropout, "is_causal": one_of(True), "sliding_window": _window,
    "is_sliding": equal_to(lambda c, l: _type(c, l) == "sliding_attention", "layer_types"),
    "attn_logit_softcapping": _key("attn_logit_softcapping"),
    "use_rope": equal_to(lambda c, l: c.no_rope_layers[l], "no_rope_layers"), "_hidden_kernels": _functions}
_SEPARATE = {name: LINEAR for name in ("q_proj", "k_proj", "v_proj", "o_proj")}


def settings_of(module: Any) -> Any:
    """config.json of the module's configuration. How large a part of a head rotates stands beside rope_parameters, as
    files have it."""
    settings = dict(module.config.to_dict())
    rule = settings.get("rope_parameters")
    if isinstance(rule, dict) and "partial_rotary_factor" in rule:
        part = rule["partial_rotary_factor"]
        if settings.get("partial_rotary_factor", part) != part:
            raise ValueError("config: partial_rotary_factor and rope_parameters differ")
        settings["rope_parameters"] = {key: value for key, value in rule.items() if key != "partial_rotary_factor"}
        settings["partial_rotary_factor"] = part
    return settings


def _run(whole: Any) -> Any:
    """Runs a module with the angles and the mask that its model would give it. whole: cosines and sines are there for
    both halves of a head."""

    def run(module: Any, x: Any, mask: Any) -> Any:
        import torch  # the module is one of torch's

        config, n = module.config, x.shape[0]
        usual = _config(config, "sliding_window") if getattr(config, "use_sliding_window", True) else None
        window = getattr(module, "sliding_window", usual)
        near = _type(config, module.layer_idx) == "sliding_attention"
        settings = settings_of(module)
        size = int(module.head_dim * (settings.get("partial_rotary_factor") or 1.0))
        turned = [torch.from_numpy(part)[None] for part in rotation(settings, n, size, near)]
        if whole:
            turned = [torch.cat((part, part), dim=-1) for part in turned]
        if window is not None:
            far = torch.ones(n, n, dtype=torch.bool).tril(-window)
            mask = mask.masked_fill(far, torch.finfo(mask.dtype).min)
        return first_output(module(x[None], position_embeddings=tuple(turned), attention_mask=mask))

    return run


def differences_of(kind: Any, norms: Any = ()) -> Any:
    """What a module says otherwise than its configuration, where a rule of one attribute does not see it."""

    def differences(module: Any) -> Iterator[str]:
        if getattr(module.config, "model_type", None) != kind:
            yield f"config: model_type {getattr(module.config, 'model_type', None)!r}, expected {kind!r}"
        for norm in norms:
            part = getattr(module, norm)
            epsilon = getattr(part, "variance_epsilon", getattr(part, "eps", None))
            if epsilon != module.config.rms_norm_eps:
                yield f"{norm}: epsilon {epsilon!r}, but the configuration's rms_norm_eps says " \
                      f"{module.config.rms_norm_eps!r}"

    return differences


def _place(module: Any) -> Any:
    return f"model.layers.{module.layer_idx}.self_attn.", module.layer_idx


def _of_model(folder: str, prefix: str, kind: Any = None, norms: Any = (), children: Any = None,
              config: Any = implementation, parameters: Any = (), whole: Any = True) -> Any:
    path = f"transformers.models.{folder}.modeling_{folder}.{prefix}"
    norm = Part((path + "RMSNorm",), attributes={"variance_epsilon": anything, "eps": anything}, parameters=("weight",))
    part = Part((path + "Attention",), children={**(children or _SEPARATE), **{name: norm for name in norms}},
                attributes={**RULES, "config": config}, parameters=parameters)
    family = Stored(part, differences_of(kind or folder, norms), _place, settings_of, _run(whole), always_causal,
                    MEANING)
    return {part.classes[0]: family}


_NORMS = ("q_norm", "k_norm")
FAMILIES = {
    **_of_model("llama", "Llama"), **_of_model("mistral", "Mistral"), **_of_model("qwen2", "Qwen2"),
    **_of_model("qwen3", "Qwen3", norms=_NORMS), **_of_model("olmo2", "Olmo2", norms=_NORMS),
    **_of_model("smollm3", "SmolLM3"), **_of_model("gemma2", "Gemma2", config=_capped_eager),
    **_of_model("gemma3", "Gemma3", "gemma3_text", norms=_NORMS, config=_uncapped),
    **_of_model("phi3", "Phi3", children={"qkv_proj": LINEAR, "o_proj": LINEAR}),
    **_of_model("gpt_oss", "GptOss", config=_eager, parameters=("sinks",), whole=False),
    **_of_model("qwen3_next", "Qwen3Next", norms=_NORMS),
    **_of_model("qwen3_5", "Qwen3_5", "qwen3_5_text", norms=_NORMS)}
