"""Layers of PyTorch modules; torch itself is not imported.

A class is taken where its function is known to be the layer's, and everything on the module was read: its parameters,
buffers, attributes, hooks, the modules in it. What is unread is refused by name. Where the module can be run, its
output is compared with the layer's, too."""

from typing import Any, Optional, Protocol

from ..arguments import named
from ..choices import Assumed, Mask
from ..layers import Layer
from .known import assumed, family_of, stored_of
from .family import Parameters
from .module_layer import ModuleLayer
from .stored import StoredLayer
from .unread import global_hook, unread


class Module(Protocol):
    """Such as torch.nn.Module."""

    def named_parameters(self, *arguments: Any, **keywords: Any) -> Any:
        ...


def is_module(thing: Any) -> bool:
    """Whether it has named parameters, as a torch.nn.Module has."""
    return callable(getattr(thing, "named_parameters", None))


@named
def layer_of(module: Module, mask: Optional[Mask] = None, head: Optional[int] = None,
             assume: Optional[Assumed] = None) -> Layer:
    """The attention layer of a module of one of these classes:

    torch.nn.MultiheadAttention, as self-attention, or with context=z (attcert.certify) as module(x, z, z);
    BertSelfAttention and BertAttention of transformers' models bert, roberta, xlm_roberta, electra, camembert, ernie,
    data2vec (text), layoutlm, bert_generation, splinter, roc_bert and tapas; AlbertAttention;
    ViTSelfAttention and ViTAttention of vit, deit, vit_mae, vit_msn, yolos, audio_spectrogram_transformer, ijepa,
    dinov2 and dinov2_with_registers; the attention of distilbert;
    GPT2Attention; GPTNeoAttention with global attention and heads of dimension 4, 16, 64, ..;
    BartAttention of bart, mbart, plbart, blenderbot, blenderbot_small, marian, pegasus, m2m_100, whisper,
    speech_to_text, wav2vec2, hubert, data2vec (audio), biogpt and opt; CLIPAttention of clip, siglip and siglip2;
    of heads that are not standard ones, as transformers has them since 4.48: LlamaAttention of llama, mistral, qwen2,
    qwen3, qwen3_next, qwen3_5, olmo2, smollm3, gemma2, gemma3, phi3 and gpt_oss; DeepseekV2Attention of
    deepseek_v2, DeepseekV3Attention of deepseek_v3; GPTNeoXAttention of gpt_neox; BloomAttention of bloom;
    T5Attention of encoders (t5, mt5, umt5), where it has the table of the biases by position; ModernBertAttention
    (modernbert) and NomicBertAttention (nomic_bert) of transformers 5.

    Of heads that are not standard ones the layer has certify and forward alone. A module's configuration is read as
    attcert.load reads a folder's config.json, and refused where that would be; the tokens are at the positions 0, 1,
    .., with the angles that the configuration names, and no token of a decoder sees a later one, or one before its
    layer's window. The attention is that of when layer_of was called.

    Of BertAttention and AlbertAttention it is the self-attention with the output projection, without the residual
    connection and LayerNorm; BertSelfAttention has no output projection, its heads' outputs are side by side.

    mask: "none" or "causal"; None: what the module does by itself, or "none"; where models call the class with and
    without a causal mask (decoders, CLIP) it must be given. A masked weight is 0. head: one head alone, without its
    output projection.

    assume: "multihead", "bert", "albert", "vit", "distilbert", "gpt2", "gpt_neo" or "bart", for a module of another
    class whose parameters have the names and the meaning of that one's: what else is on the module is not looked at,
    but the certificate's note lists the parameters that are unread.

    certify, bounds, check and ball compare module(x) with the layer, at x and at a random input, in eval mode and
    double precision on a copy of the module; a module that cannot be run is refused, with assume it is noted.

    ValueError: another class, or a parameter, buffer, attribute, hook or part that may change the function, by name;
    dropout in training mode; an output that is not the layer's."""
    kind = type(module).__name__
    if not (mask is None or isinstance(mask, str) and mask in ("none", "causal")):
        found = repr(mask) if isinstance(mask, str) else f"of {type(mask).__name__}"
        raise ValueError(f"mask: {found}, expected none or causal")
    try:
        stored = stored_of(module) if assume is None else None
        if stored is not None:
            return _stored_layer(module, stored, mask, head)
        family = family_of(module) if assume is None else assumed(module, assume)
        if assume is None:
            _refuse(unread(module, family.part), f"; assume={family.name!r} takes its parameters all the same")
        mask = family.mask(module, mask)
        parameters = Parameters(module)
        arrays = family.read(parameters, module)
    except ValueError as reason:
        raise ValueError(f"{kind}: {reason}") from None
    size = arrays.pop("size")
    rows = arrays["q"].shape[0]
    if size is not None and rows != size * arrays["heads"]:
        raise ValueError(f"{kind}: queries of {rows} numbers, expected {arrays['heads']} heads of {size}")
    return ModuleLayer(module, family, arrays, mask, head, assume is not None, _notes(kind, family, assume, parameters))


def _refuse(complaints: Any, hint: str = "") -> None:
    """ValueError: there is a complaint, or a hook of all modules; the first one."""
    found = [text for text in (global_hook(), *complaints) if text]
    if found:
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise ValueError(f"{found[0]}{more}{hint}")


def _stored_layer(module: Any, family: Any, mask: Any, head: Any) -> Layer:
    if head is not None:
        raise ValueError("head: its heads are not standard ones, which are certified together alone")
    _refuse(unread(module, family.part))
    _refuse(family.differences(module))
    return StoredLayer(module, family, family.mask(module, mask), [f"of {type(module).__name__} {family.meaning}"])


def _notes(kind: Any, family: Any, assume: Any, parameters: Any) -> Any:
    notes = [f"of {kind} {family.meaning}"] if family.meaning else []
    if assume is not None:
        unread_names = ", ".join(parameters.unread)
        notes.append(f"{kind} assumed to be {assume}" + (f", {unread_names} unread" if unread_names else ""))
    return notes
