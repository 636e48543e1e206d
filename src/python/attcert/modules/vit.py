"""ViTSelfAttention, ViTAttention and their copies in other models of transformers."""

from typing import Any

from .bert import SELF_ATTENTION, read
from .family import Family, first_output, never_masked
from .part import DROPOUT, LINEAR, Part, anything, one_of

# Folder and prefix; Dinov2's classes keep the probability of dropout, and no module for it.
_MODELS = (("vit", "ViT"), ("deit", "DeiT"), ("vit_mae", "ViTMAE"), ("vit_msn", "ViTMSN"), ("yolos", "Yolos"),
           ("audio_spectrogram_transformer", "AST"), ("ijepa", "IJepa"), ("dinov2", "Dinov2"),
           ("dinov2_with_registers", "Dinov2WithRegisters"))


def _run(module: Any, x: Any, mask: Any) -> Any:
    return first_output(module(x[None]))


def _of_model(folder: str, prefix: str) -> Any:
    path = f"transformers.models.{folder}.modeling_{folder}.{prefix}"
    inner = Part((f"{path}SelfAttention", f"{path}SdpaSelfAttention"),
                 children={"query": LINEAR, "key": LINEAR, "value": LINEAR}, optional={"dropout": DROPOUT},
                 attributes={**SELF_ATTENTION, "is_causal": one_of(False)})
    output = Part((f"{path}SelfOutput",), children={"dense": LINEAR, "dropout": DROPOUT})
    outer = Part((f"{path}Attention", f"{path}SdpaAttention"), children={"attention": inner, "output": output},
                 attributes={"pruned_heads": anything})
    whole = Family("vit", outer, read("attention", "output.dense"), _run, never_masked)
    alone = Family("vit", inner, read("", None), _run, never_masked)
    return {**{name: whole for name in outer.classes}, **{name: alone for name in inner.classes}}


FAMILIES = {name: family for model in _MODELS for name, family in _of_model(*model).items()}
