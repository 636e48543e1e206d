"""Which classes of modules attcert.certify takes, and with which number."""

import os
import sys
import unittest

import attcert
from attcert.modules.known import known_classes

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_modules as public  # noqa: E402
from placed_modules import Albert, Bart, Bert, BertOuter, BertSdpa, Clip, D, Deit, DeitOuter, Dinov2, \
    Dinov2Outer, Distil, DistilLater, DistilSdpa, Gpt2, H, K, N, Neo, NeoOuter, Opt, Roberta, \
    RobertaOuter, RobertaSdpa, Siglip, Vit, VitOuter, Whisper, bart, bert, weights  # noqa: E402
from public_modules import torch  # noqa: E402

# A class, options of its stand-in, the mask that is asked for; then what of the arrays it has: "heads" has no output
# projection, "bare" no biases of q, k and v.
TAKEN = [
    (Bert, {}, None, "heads"), (Bert, {"config": True}, None, "heads"), (Bert, {}, "causal", "heads"),
    (Bert, {"decoder": True}, "causal", "heads"), (BertSdpa, {}, None, "heads"), (BertOuter, {}, None, ""),
    (BertOuter, {}, "causal", ""), (Roberta, {}, None, "heads"), (RobertaSdpa, {}, None, "heads"),
    (RobertaOuter, {}, None, ""), *((kind, {}, None, "heads") for kind in bert("electra", "Electra")[:2]),
    (bert("xlm_roberta", "XLMRoberta")[0], {}, None, "heads"), (bert("camembert", "Camembert")[2], {}, None, ""),
    (bert("data2vec", "Data2VecText", "data2vec_text")[0], {}, None, "heads"), (Albert, {}, None, ""),
    (Albert, {}, "causal", ""), (Vit, {}, None, "heads"), (Vit, {}, None, "heads bare"), (VitOuter, {}, None, ""),
    (Deit, {}, None, "heads"), (DeitOuter, {}, None, ""), (Dinov2, {"probability": True}, None, "heads"),
    (Dinov2Outer, {"probability": True}, None, ""), (Distil, {}, None, ""), (DistilSdpa, {}, None, ""),
    (DistilLater, {}, None, ""), (Gpt2, {}, None, "own"), (Gpt2, {"masks": False}, None, "own"),
    (Gpt2, {"reorder": True}, None, "own"), (Gpt2, {"reorder": True, "masks": False}, None, "own"),
    (Gpt2, {}, "causal", "own"), (Bart, {}, None, ""), (Bart, {"causal": False}, None, ""),
    (Bart, {"decoder": True, "causal": True}, "causal", ""), (Bart, {"decoder": True}, "none", ""),
    (bart("mbart", "MBart"), {}, None, ""), (bart("marian", "Marian"), {}, None, ""), (Whisper, {}, None, ""),
    (Opt, {"decoder": True, "causal": True}, "causal", ""), (Opt, {"decoder": True, "causal": True}, "causal", "bare"),
    (bart("wav2vec2", "Wav2Vec2"), {}, None, ""), (Clip, {}, "none", ""), (Clip, {}, "causal", ""),
    (Siglip, {}, None, ""), (Neo, {}, None, "own bare"), (NeoOuter, {}, None, "own bare")]


class Taken(unittest.TestCase):
    """The classes that are taken, each with the certificate of its arrays and the norm that torch computes."""

    def setUp(self):
        public.UPCAST = False

    def layer(self, a, has, mask, factor=1.0):
        """The layer that these arrays mean, and the module's mask."""
        named = {key: value for key, value in a.items() if key != "x"}
        if "heads" in has:
            named.update(o=None, o_bias=None)
        named["q"] = named["q"] * factor
        if named["q_bias"] is not None:
            named["q_bias"] = named["q_bias"] * factor
        return attcert.layer(**named, heads=H, mask="causal" if "own" in has else mask or "none")

    def reference(self, module, mask, x):
        """The norm of the Jacobian of the module's own forward, by automatic differentiation in double precision; of a
        module with a residual connection and LayerNorm, of what is before them."""
        added = torch.zeros(1, 1, N, N, dtype=torch.float64)
        if mask == "causal":
            added.masked_fill_(torch.ones(N, N, dtype=torch.bool).triu(1), -torch.inf)
        module.eval()

        def f(flat):
            tokens = flat.reshape(1, N, D)
            if isinstance(module, public.AlbertAttention):
                return module.dense(public.BertSelfAttention.forward(module, tokens, added)[0]).reshape(-1)
            if isinstance(module, public.BertAttention):
                return module.output.dense(module.self(tokens, added)[0]).reshape(-1)
            if isinstance(module, (public.ViTSelfAttention, public.ViTAttention, public.DistilBertSelfAttention)):
                return module(tokens)[0].reshape(-1)
            if isinstance(module, public.MultiHeadSelfAttention):
                return module(tokens, tokens, tokens, torch.ones(1, N))[0].reshape(-1)
            return module(tokens, attention_mask=added)[0].reshape(-1)

        jacobian = torch.autograd.functional.jacobian(f, torch.from_numpy(x).reshape(-1))
        return torch.linalg.matrix_norm(jacobian, 2).item()

    def check(self, kind, options, mask, has, size=K, factor=1.0):
        a = weights(size, biases="bare" not in has)
        module = kind(a, H, **options).eval()
        r = attcert.certify(module, a["x"], mask=mask)
        expected = self.layer(a, has, mask, factor).certify(a["x"])
        self.assertEqual((r.lower, r.upper), (expected.lower, expected.upper))
        if torch is not None:
            norm = self.reference(module, "causal" if "own" in has else mask, a["x"])
            self.assertLessEqual(r.lower, norm * (1 + 1e-11))
            self.assertGreaterEqual(r.upper, norm * (1 - 1e-11))
        return r

    def test_classes(self):
        for kind, options, mask, has in TAKEN:
            with self.subTest(kind=f"{kind.__module__}.{kind.__name__}", options=options, mask=mask):
                self.check(kind, options, mask, has, factor=K**0.5 if "Neo" in kind.__name__ else 1.0)
        self.assertGreaterEqual(len({(kind.__module__, kind.__name__) for kind, *_ in TAKEN}), 25)

    def test_weights_of_attention_in_float32(self):
        if torch is None:
            self.skipTest("no torch")
        for kind, options, mask, has in TAKEN:
            with self.subTest(kind=kind.__name__, options=options):
                a = weights(biases="bare" not in has)
                public.UPCAST = True
                attcert.certify(kind(a, H, **options).eval(), a["x"], mask=mask)

    def test_scores_that_are_scaled_by_a_power_of_two(self):
        for options, factor in (({"scaled": False}, K**0.5), ({"by_index": True, "layer": 0}, 1.0),
                                ({"by_index": True, "layer": 3}, 0.25),
                                ({"scaled": False, "by_index": True, "layer": 1}, K**0.5 / 2)):
            with self.subTest(options=options):
                self.check(Gpt2, options, None, "own", factor=factor)

    def test_the_documentation_names_them(self):
        for name in known_classes():
            folder = name.split(".")[2]
            with self.subTest(name=name):
                words = [folder] if name.startswith("transformers.") else [name.split(".")[-1]]
                words += [folder.replace("_", "")] if folder in ("gpt2", "distilbert", "gpt_neo") else []
                text = attcert.layer_of.__doc__.lower()
                self.assertTrue(any(word.lower() in text for word in words), words)

    def test_meaning_is_said(self):
        a = weights()
        for kind in (BertOuter, Albert):
            r = attcert.certify(kind(a, H).eval(), a["x"])
            self.assertIn(f"of {kind.__name__} its self-attention and output projection, without the residual", repr(r))
        self.assertIsNone(attcert.certify(Bert(a, H).eval(), a["x"]).note)

    def test_a_class_derived_without_a_change(self):
        a = weights()
        derived = type("Mine", (Bert,), {"__doc__": "the same"})
        self.assertEqual(attcert.certify(derived(a, H).eval(), a["x"]).upper,
                         attcert.certify(Bert(a, H).eval(), a["x"]).upper)

    def test_a_tensor_of_two_names(self):
        a = weights()
        module = Bert(a, H).eval()
        module.key.weight = module.query.weight
        expected = attcert.certify(a["x"], a["q"], a["q"], a["v"], q_bias=a["q_bias"], k_bias=a["k_bias"],
                                   v_bias=a["v_bias"], heads=H)
        self.assertEqual(attcert.certify(module, a["x"]).upper, expected.upper)

    def test_a_head(self):
        a = weights()
        r = attcert.certify(BertOuter(a, H).eval(), a["x"], head=1)
        rows = slice(K, 2 * K)
        expected = attcert.certify(a["x"], *(a[part][rows] for part in "qkv"),
                                   **{f"{part}_bias": a[f"{part}_bias"][rows] for part in "qkv"})
        self.assertEqual((r.lower, r.upper), (expected.lower, expected.upper))


if __name__ == "__main__":
    unittest.main()
