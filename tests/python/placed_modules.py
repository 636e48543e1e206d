"""The stand-ins where transformers has the classes, and arrays to make them of."""

import numpy
import public_decoders as decoders
import public_modules as public
from public_modules import placed

N, D, H, K = 6, 8, 2, 4


def weights(size=K, seed=0, biases=True):
    """A layer's arrays, x too, with H heads of a size."""
    draw = numpy.random.default_rng(seed).standard_normal
    arrays = {"x": draw((N, D)), "o": draw((D, H * size)) / 2, "o_bias": draw(D)}
    arrays.update({part: draw((H * size, D)) / 2 for part in "qkv"})
    arrays.update({f"{part}_bias": draw(H * size) if biases else None for part in "qkv"})
    return arrays


def bert(folder, prefix, file=None):
    """Three classes of a model whose attention is BERT's."""
    file = file or folder
    inner = placed(public.BertSelfAttention, folder, file, f"{prefix}SelfAttention")
    fused = placed(public.BertSelfAttention, folder, file, f"{prefix}SdpaSelfAttention")
    output = placed(public.BertSelfOutput, folder, file, f"{prefix}SelfOutput")
    return inner, fused, placed(public.BertAttention, folder, file, f"{prefix}Attention", parts=(inner, output))


def vit(folder, prefix):
    inner = placed(public.ViTSelfAttention, folder, folder, f"{prefix}SelfAttention")
    output = placed(public.ViTSelfOutput, folder, folder, f"{prefix}SelfOutput")
    return inner, placed(public.ViTAttention, folder, folder, f"{prefix}Attention", parts=(inner, output))


def bart(folder, prefix, file=None):
    return placed(decoders.BartAttention, folder, file or folder, f"{prefix}Attention")


Bert, BertSdpa, BertOuter = bert("bert", "Bert")
Roberta, RobertaSdpa, RobertaOuter = bert("roberta", "Roberta")
Vit, VitOuter = vit("vit", "ViT")
Deit, DeitOuter = vit("deit", "DeiT")
Dinov2, Dinov2Outer = vit("dinov2", "Dinov2")
Albert = placed(public.AlbertAttention, "albert", "albert", "AlbertAttention")
Distil = placed(public.MultiHeadSelfAttention, "distilbert", "distilbert", "MultiHeadSelfAttention")
DistilSdpa = placed(public.MultiHeadSelfAttention, "distilbert", "distilbert", "DistilBertSdpaAttention")
DistilLater = placed(public.DistilBertSelfAttention, "distilbert", "distilbert", "DistilBertSelfAttention")
Gpt2 = placed(decoders.GPT2Attention, "gpt2", "gpt2", "GPT2Attention")
Bart, Whisper, Opt = bart("bart", "Bart"), bart("whisper", "Whisper"), bart("opt", "OPT")
Clip = placed(decoders.CLIPAttention, "clip", "clip", "CLIPAttention")
Siglip = placed(decoders.CLIPAttention, "siglip", "siglip", "SiglipAttention")
Neo = placed(decoders.GPTNeoSelfAttention, "gpt_neo", "gpt_neo", "GPTNeoSelfAttention")
NeoOuter = placed(decoders.GPTNeoAttention, "gpt_neo", "gpt_neo", "GPTNeoAttention", parts=(Neo,))
RoFormer = placed(public.RoFormerSelfAttention, "roformer", "roformer", "RoFormerSelfAttention")
