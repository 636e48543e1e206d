"""Attention with q_proj, k_proj, v_proj and out_proj: BartAttention and its copies, OPT, CLIP, GPT-Neo."""

from typing import Any

from .family import Family, always_causal, called_with_mask, explicit, given_by_caller, rescaled
from .part import DROPOUT, LINEAR, Part, anything, causal_triangle, far_below, implementation, inverse_root_of, \
    no_dropout, one_of, product_of

# Folder, file and prefix.
_BART = (("bart", "bart", "Bart"), ("mbart", "mbart", "MBart"), ("plbart", "plbart", "PLBart"),
         ("blenderbot", "blenderbot", "Blenderbot"), ("blenderbot_small", "blenderbot_small", "BlenderbotSmall"),
         ("marian", "marian", "Marian"), ("pegasus", "pegasus", "Pegasus"), ("m2m_100", "m2m_100", "M2M100"),
         ("whisper", "whisper", "Whisper"), ("speech_to_text", "speech_to_text", "Speech2Text"),
         ("wav2vec2", "wav2vec2", "Wav2Vec2"), ("hubert", "hubert", "Hubert"), ("biogpt", "biogpt", "BioGpt"),
         ("data2vec", "data2vec_audio", "Data2VecAudio"), ("opt", "opt", "OPT"), ("siglip", "siglip", "Siglip"),
         ("siglip2", "siglip2", "Siglip2"))
_PROJECTIONS = {name: LINEAR for name in ("q_proj", "k_proj", "v_proj", "out_proj")}
_ATTRIBUTES = {"embed_dim": anything, "num_heads": anything, "head_dim": anything, "dropout": no_dropout,
               "scaling": inverse_root_of("head_dim"), "scale": inverse_root_of("head_dim"), "is_decoder": anything,
               "is_causal": anything, "config": implementation, "layer_idx": anything, "enable_bias": anything}


def _linear(parameters: Any, prefix: str = "") -> Any:
    return parameters.linear(prefix, q="q_proj", k="k_proj", v="v_proj", o="out_proj")


def _read(parameters: Any, module: Any) -> Any:
    return {**_linear(parameters), "heads": module.num_heads, "size": getattr(module, "head_dim", None)}


def _of_model(folder: str, file: str, prefix: str, mask: Any) -> Any:
    path = f"transformers.models.{folder}.modeling_{file}.{prefix}"
    part = Part((f"{path}Attention", f"{path}SdpaAttention"), children=_PROJECTIONS, attributes=_ATTRIBUTES)
    return {name: Family("bart", part, _read, called_with_mask, mask) for name in part.classes}


def _read_neo(parameters: Any, module: Any) -> Any:
    """Its scores are not divided by sqrt(k)."""
    size = module.head_dim
    return {**rescaled(_linear(parameters), size), "heads": module.num_heads, "size": size}


def _read_outer_neo(parameters: Any, module: Any) -> Any:
    size = module.attention.head_dim
    return {**rescaled(_linear(parameters, "attention."), size), "heads": module.attention.num_heads, "size": size}


_NEO_PATH = "transformers.models.gpt_neo.modeling_gpt_neo."
_NEO = Part((_NEO_PATH + "GPTNeoSelfAttention",),
            children={**_PROJECTIONS, "attn_dropout": DROPOUT, "resid_dropout": DROPOUT},
            attributes={"config": implementation, "embed_dim": product_of("num_heads", "head_dim"),
                        "num_heads": anything, "head_dim": anything, "is_causal": one_of(True), "layer_id": anything,
                        "attention_type": one_of("global")},
            buffers={"bias": causal_triangle, "masked_bias": far_below})
_NEO_OUTER = Part((_NEO_PATH + "GPTNeoAttention",), children={"attention": _NEO},
                  attributes={"layer_id": anything, "attention_layers": anything, "attention_type": one_of("global")})

FAMILIES = {name: family for model in _BART for name, family in _of_model(*model, given_by_caller).items()}
FAMILIES.update(_of_model("clip", "clip", "CLIP", explicit))
FAMILIES[_NEO.classes[0]] = Family("gpt_neo", _NEO, _read_neo, called_with_mask, always_causal)
FAMILIES[_NEO_OUTER.classes[0]] = Family("gpt_neo", _NEO_OUTER, _read_outer_neo, called_with_mask,
                                         always_causal)
