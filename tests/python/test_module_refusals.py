"""Which modules attcert.certify refuses, and what it says."""

import os
import sys
import types
import unittest

import numpy

import attcert

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_decoders as decoders  # noqa: E402
import public_modules as public  # noqa: E402
from placed_modules import Albert, Bart, Bert, BertOuter, Clip, D, Dinov2, Distil, Gpt2, H, Neo, \
    NeoOuter, Opt, RoFormer, Vit, VitOuter, bert, weights  # noqa: E402
from public_modules import nn, placed, torch  # noqa: E402

# Classes that are refused by what they are: folder, class, what the message says.
REFUSED = [
    ("llama", "LlamaSdpaAttention", "rotary"), ("mistral", "MistralFlashAttention2", "rotary"),
    ("qwen2", "Qwen2SdpaAttention", "rotary"), ("mixtral", "MixtralAttention", "rotary"),
    ("gemma", "GemmaAttention", "rotary"), ("phi", "PhiAttention", "rotary"), ("falcon", "FalconAttention", "rotary"),
    ("cohere", "CohereAttention", "rotary"), ("gptj", "GPTJAttention", "rotary"),
    ("codegen", "CodeGenAttention", "rotary"), ("esm", "EsmSelfAttention", "rotary"),
    ("longt5", "LongT5Attention", "relative positions"), ("mpnet", "MPNetSelfAttention", "relative positions.*outside"),
    ("mpnet", "MPNetAttention", "relative positions.*outside"),
    ("beit", "BeitSelfAttention", "relative positions"), ("swin", "SwinSelfAttention", "relative positions"),
    ("layoutlmv3", "LayoutLMv3SelfAttention", "relative positions"), ("xlnet", "XLNetRelativeAttention", "relative"),
    ("wavlm", "WavLMAttention", "relative positions"), ("mpt", "MptAttention", "ALiBi"),
    ("deberta", "DebertaAttention", "disentangled"),
    ("deberta_v2", "DisentangledSelfAttention", "disentangled"), ("longformer", "LongformerSelfAttention", "window"),
    ("big_bird", "BigBirdBlockSparseAttention", "window"), ("mamba", "MambaMixer", "state space"),
    ("gpt_bigcode", "GPTBigCodeAttention", "shared by heads"), ("bert", "BertCrossAttention", "cross-attention"),
    ("mobilebert", "MobileBertSelfAttention", "different tensors"), ("convbert", "ConvBertSelfAttention", "convolved")]


class Refused(unittest.TestCase):
    def setUp(self):
        public.UPCAST = False
        self.a = weights()

    def refused(self, pattern, module, **options):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(module, self.a["x"], **options)

    def test_classes(self):
        for folder, name, pattern in REFUSED:
            for kind in (decoders.Projected, public.BertSelfAttention):  # whose parameters it would be read by
                with self.subTest(name=name):
                    self.refused(f"^{name}: .*{pattern}", placed(kind, folder, folder, name)(self.a, H).eval())
        self.refused("rotary", RoFormer(self.a, H).eval())

    def test_classes_that_nobody_knows(self):
        self.refused(r"^Projected: .*assume= names one of albert, bart", decoders.Projected(self.a, H))
        holder = public.BertAttention.__new__(public.BertAttention)
        nn.Module.__init__(holder)
        holder.inside = Bert(self.a, H)
        self.refused(r"its inside \(BertSelfAttention\) is one", holder)
        derived = type("Mine", (Bert,), {"forward": lambda self, x, attention_mask=None: (x,)})
        self.refused("^Mine: Mine overrides forward of transformers.*BertSelfAttention", derived(self.a, H).eval())
        helper = type("Mine", (Bert,), {"transpose_for_scores": lambda self, x: x})
        self.refused("^Mine: Mine overrides transpose_for_scores", helper(self.a, H).eval())

    def test_flags(self):
        a = self.a
        for kind in ("relative_key", "relative_key_query"):
            if torch is not None:
                self.refused(f"position_embedding_type: '{kind}'", Bert(a, H, relative=kind).eval())
        for module, pattern in (
                (Gpt2(a, H, cross=True), "is_cross_attention: True"),
                (Gpt2(weights(8), H, scaled=False), r"the layer times sqrt\(8\) / 1, expected a power of two"),
                (Gpt2(weights(5), H, scaled=False), r"the layer times sqrt\(5\) / 1"),
                (Gpt2(a, H, by_index=True, layer=2), r"the layer times sqrt\(1\) / 3"),
                (Gpt2(a, H, by_index=True, layer=None), "without a layer_idx"),
                (Neo(weights(8, biases=False), H), r"sqrt\(8\)"),
                (Neo(a, H, window=2), "bias: not the causal triangle"),
                (NeoOuter(a, H, kind="local"), "attention_type: 'local'"),
                (Bart(a, H, decoder=True, causal=False), "cross-attention"),
                (bert("megatron_bert", "MegatronBert")[2](a, H), "none of those whose function is known")):
            self.refused(pattern, module.eval())

    def test_masks(self):
        a = self.a
        for kind, options in ((Bert, {"decoder": True}), (BertOuter, {"decoder": True}), (Bart, {"decoder": True}),
                              (Opt, {"decoder": True, "causal": True})):
            self.refused("a decoder's attention.*expected mask=", kind(a, H, **options).eval())
        self.refused("with and without a causal mask", Clip(a, H).eval())
        self.refused("it is causal, expected causal", Gpt2(a, H).eval(), mask="none")
        opt = Opt(a, H, decoder=True, causal=True).eval()
        self.refused("no later ones, expected mask=\"causal\"", opt, mask="none")
        for kind in (Vit, VitOuter, Distil):
            self.refused("it takes no mask", kind(a, H).eval(), mask="causal")
        for mask in ("full", True):
            self.refused("mask: .*, expected none or causal", Gpt2(a, H).eval(), mask=mask)

    def test_dropout_in_training_mode(self):
        for kind in (Bert, BertOuter, Albert, Vit, Distil, Gpt2, Bart):
            self.refused("in training mode, expected module.eval()", kind(self.a, H))
        self.refused("^Dinov2SelfAttention: dropout_prob: 0.1 in training", Dinov2(self.a, H, probability=True))

    def test_what_is_unread(self):
        def with_(change, kind=Bert, **options):
            module = kind(self.a, H, **options).eval()
            change(module)
            return module

        matrix = public.from_numpy(numpy.eye(D))
        for change, pattern in (
                (lambda m: setattr(m, "temperature", 2.0), "the attribute temperature is unread"),
                (lambda m: setattr(m, "gate", nn.Parameter(matrix)), "the parameter gate is unread"),
                (lambda m: setattr(m, "lora_A", nn.Linear(D, D)), r"the module lora_A \(Linear\) is unread"),
                (lambda m: m.register_buffer("slopes", matrix), "the buffer slopes is unread"),
                (lambda m: setattr(m, "query", type("Linear4bit", (nn.Linear,), {"forward": None})(D, D)),
                 "query: Linear4bit overrides forward of torch.nn.modules.linear.Linear"),
                (lambda m: m.query._parameters.update(weight=type("Int8", (nn.Parameter,), {})(matrix)),
                 "query: the parameter weight is a .*Int8, expected torch.nn.Parameter"),
                (lambda m: setattr(m, "dropout", nn.LayerNorm(D)), "dropout: .*LayerNorm, expected .*Dropout"),
                (lambda m: setattr(m.query, "scale", 0.5), "query: the attribute scale is unread"),
                (lambda m: setattr(m, "_forward_hooks", {0: print}), "a forward hook"),
                (lambda m: setattr(m.value, "_forward_pre_hooks", {0: print}), "value: a forward hook"),
                (lambda m: setattr(m, "forward", print), "forward is replaced"),
                (lambda m: setattr(m, "all_head_size", 4), "all_head_size: 4, expected"),
                (lambda m: setattr(m, "num_attention_heads", 4), "all_head_size: 8, expected"),
                (lambda m: setattr(m, "scaling", 0.25), "scaling: 0.25, expected 1 / sqrt"),
                (lambda m: setattr(m, "config", types.SimpleNamespace(_attn_implementation="flash_attention_2")),
                 "config: attn_implementation 'flash_attention_2', expected 'eager' or 'sdpa'")):
            self.refused(f"^BertSelfAttention: {pattern}", with_(change))

        def other_size(module):
            module.head_dim, module.scale = 2, 2**-0.5

        with self.assertRaisesRegex(ValueError, "queries of 8 numbers, expected 2 heads of 2"):
            attcert.layer_of(with_(other_size, Clip), mask="none")
        self.refused("BertAttention: self.query: the attribute scale", with_(
            lambda m: setattr(m.self.query, "scale", 0.5), BertOuter))
        self.refused("BertAttention: is_cross_attention: True", with_(
            lambda m: setattr(m, "is_cross_attention", True), BertOuter))
        self.refused("masked_bias: -10.0", with_(
            lambda m: m.register_buffer("masked_bias", public.from_numpy(numpy.array(-10.0))), Gpt2))
        self.refused(r"c_attn: .*\(and 1 more\)", with_(lambda m: [setattr(m.c_attn, name, 1) for name in "ab"], Gpt2))


if __name__ == "__main__":
    unittest.main()
