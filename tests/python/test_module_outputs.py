"""Modules whose output is compared with the layer."""

import os
import sys
import unittest

import numpy

import attcert

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import public_modules as public  # noqa: E402
from placed_modules import Albert, Bert, D, Gpt2, H, K, N, Neo, RoFormer, weights  # noqa: E402
from public_modules import nn, placed, torch  # noqa: E402


@unittest.skipIf(torch is None, "no torch")
class Compared(unittest.TestCase):
    """Outputs that are not the layer's, whatever the class says."""

    def setUp(self):
        public.UPCAST = False
        self.a = weights()

    def refused(self, module, pattern="module.x. is .* off the layer's output.*another function", **options):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(module.eval(), self.a["x"], **options)

    def test_assumed_of_another_function(self):
        a = self.a
        self.refused(RoFormer(a, H), assume="bert")
        for kind in ("relative_key", "relative_key_query"):
            self.refused(Bert(a, H, relative=kind), assume="bert")
        self.refused(Albert(a, H), assume="bert")  # its dense would be left out
        self.refused(Gpt2(weights(8), H, scaled=True, by_index=True, layer=2), "expected a power of two", assume="gpt2")
        for flag in ({"add_zero_attn": True}, {"add_bias_kv": True}):
            module = torch.nn.MultiheadAttention(D, H, dtype=torch.float64, **flag)
            self.refused(module, assume="multihead")
        self.refused(Neo(a, H, window=2), assume="gpt_neo")

    def test_a_forward_that_was_patched(self):
        for change in (lambda y: 1.001 * y, lambda y: y + 1e-3, lambda y: y.flip(1), lambda y: y * torch.nan):
            def forward(self, x, attention_mask=None):
                return (change(public.BertSelfAttention.forward(self, x, attention_mask)[0]),)

            patched = placed(public.BertSelfAttention, "bert", "bert", "BertSelfAttention", forward=forward)
            self.refused(patched(self.a, H))

    def test_what_is_seen_at_other_inputs_only(self):
        """At equal tokens every mask gives the same output, and none the same derivative."""
        x = numpy.ones((N, D))
        module = Neo(weights(biases=False), H, window=2).eval()
        with self.assertRaisesRegex(ValueError, "at a random input"):
            attcert.certify(module, x, assume="gpt_neo")

    def test_weights_that_changed_since(self):
        module = torch.nn.MultiheadAttention(D, H)
        layer = attcert.layer_of(module)
        layer.certify(self.a["x"])
        with torch.no_grad():
            module.out_proj.weight *= 2.0
        module.in_proj_weight.data = module.in_proj_weight.data * 0.5
        with self.assertRaisesRegex(ValueError, "another function"):
            layer.certify(self.a["x"])

    def test_every_certificate_compares(self):
        layer = attcert.layer_of(RoFormer(self.a, H).eval(), assume="bert")
        for ask in (layer.certify, layer.bounds, lambda x: layer.check(x, 1.0), lambda x: layer.ball(x, 1e-3)):
            with self.assertRaisesRegex(ValueError, "another function"):
                ask(self.a["x"])

    def test_assumed_and_right(self):
        class Mine(nn.Module):
            def __init__(self, a, signature):
                super().__init__()
                self.num_attention_heads, self.signature = H, signature
                self.query, self.key, self.value = (public.linear(a[part], a[f"{part}_bias"]) for part in "qkv")

            def forward(self, x, *others):
                if len(others) != self.signature:
                    raise TypeError(f"{self.signature} more")
                y = (map_(x) for map_ in (self.query, self.key, self.value))
                return public.attend(*y, H, K**-0.5)

        named = {**self.a, "o": None, "o_bias": None}
        expected = attcert.certify(named.pop("x"), *(named.pop(part) for part in "qkv"), heads=H, **named)
        r = attcert.certify(Mine(self.a, 0), self.a["x"], assume="bert")
        self.assertEqual(r.upper, expected.upper)
        self.assertRegex(r.note, "Mine assumed to be bert; Mine was run: it is .*e-1. off the layer")
        r = attcert.certify(Mine(self.a, 1), self.a["x"], assume="bert")
        self.assertEqual(r.upper, expected.upper)
        self.assertRegex(r.note, r"Mine could not be run to compare it \(TypeError")


if __name__ == "__main__":
    unittest.main()
