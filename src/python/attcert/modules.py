"""Layers of PyTorch modules, by the names of their parameters; torch itself is not imported."""

from .layers import Layer, layer


def is_module(thing) -> bool:
    """Whether it has named parameters, as a torch.nn.Module has."""
    return callable(getattr(thing, "named_parameters", None))


def layer_of(module, mask=None, head=None) -> Layer:
    """The attention layer of a torch.nn.MultiheadAttention (self-attention), or of Hugging Face's BertAttention,
    BertSelfAttention and its relatives with query, key, value, or GPT2Attention.

    mask: "none" or "causal"; None: causal for GPT2Attention, none otherwise. ValueError: other parameters."""
    parameters = dict(module.named_parameters())
    for names in (_multihead, _gpt2, _bert):
        arrays = names(module, parameters)
        if arrays is not None:
            default = "causal" if names is _gpt2 else "none"
            return layer(**arrays, mask=mask or default, head=head)
    have = ", ".join(sorted(parameters)) or "none"
    raise ValueError(f"{type(module).__name__} has the parameters {have}, expected those "
                     "of MultiheadAttention (in_proj_weight), BertSelfAttention (query.weight) or GPT2Attention "
                     "(c_attn.weight)")


def _thirds(name, whole):
    """q, k and v of parameters that hold them one after the other."""
    if whole is None:
        return {}
    side = whole.shape[0] // 3
    return {f"{part}{name}": whole[i * side:(i + 1) * side] for i, part in enumerate("qkv")}


def _multihead(module, parameters):
    if "in_proj_weight" in parameters:
        weights = _thirds("", parameters["in_proj_weight"])
    elif "q_proj_weight" in parameters:
        weights = {part: parameters[f"{part}_proj_weight"] for part in "qkv"}
    else:
        return None
    for extra in ("bias_k", "bias_v"):
        if parameters.get(extra) is not None:
            raise ValueError(f"{extra}: a token beside the input, expected self-attention without one")
    return {**weights, **_thirds("_bias", parameters.get("in_proj_bias")), "o": parameters["out_proj.weight"],
            "o_bias": parameters.get("out_proj.bias"), "heads": module.num_heads}


def _gpt2(module, parameters):
    if "c_attn.weight" not in parameters:
        return None
    if getattr(module, "is_cross_attention", False):
        raise ValueError("GPT2Attention: cross-attention, expected self-attention")
    return {**_thirds("", parameters["c_attn.weight"].T), **_thirds("_bias", parameters.get("c_attn.bias")),
            "o": parameters["c_proj.weight"].T, "o_bias": parameters.get("c_proj.bias"), "heads": module.num_heads}


def _bert(module, parameters):
    inner = getattr(module, "self", module)
    prefix = "self." if "self.query.weight" in parameters else ""
    if f"{prefix}query.weight" not in parameters:
        return None
    arrays = {part[0]: parameters[f"{prefix}{part}.weight"] for part in ("query", "key", "value")}
    arrays.update({f"{part[0]}_bias": parameters.get(f"{prefix}{part}.bias") for part in ("query", "key", "value")})
    arrays.update(o=parameters.get("output.dense.weight"), o_bias=parameters.get("output.dense.bias"))
    return {**arrays, "heads": inner.num_attention_heads}
