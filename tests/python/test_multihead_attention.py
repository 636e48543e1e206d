"""torch.nn.MultiheadAttention with its flags."""

import os
import sys
import unittest

import attcert

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from placed_modules import D, H, N, weights  # noqa: E402
from public_modules import torch  # noqa: E402


@unittest.skipIf(torch is None, "no torch")
class MultiheadAttention(unittest.TestCase):
    """torch's own, with its flags."""

    def setUp(self):
        self.x = weights()["x"]
        torch.manual_seed(0)

    def module(self, **flags):
        module = torch.nn.MultiheadAttention(D, H, **{"dtype": torch.float64, **flags})
        for parameter in module.parameters():
            torch.nn.init.normal_(parameter, std=0.5)  # biases are 0 at first
        return module

    def norm(self, module, x, mask=None):
        wide, later = module.double(), None
        if mask == "causal":
            later = torch.ones(N, N, dtype=torch.bool).triu(1)

        def f(flat):
            tokens = flat.reshape(N, D)
            return wide(tokens, tokens, tokens, need_weights=False, attn_mask=later)[0].reshape(-1)

        jacobian = torch.autograd.functional.jacobian(f, torch.from_numpy(x.astype(float)).reshape(-1))
        return torch.linalg.matrix_norm(jacobian, 2).item()

    def taken(self, module, x=None, mask=None):
        x = self.x if x is None else x
        r = attcert.certify(module, torch.from_numpy(x), mask=mask)
        norm = self.norm(module, x.reshape(N, D), mask)
        self.assertLessEqual(r.lower, norm * (1 + 1e-11))
        self.assertGreaterEqual(r.upper, norm * (1 - 1e-11))

    def refused(self, pattern, module, x=None):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(module, self.x if x is None else x)

    def test_taken(self):
        self.taken(self.module())
        self.taken(self.module(), mask="causal")
        self.taken(self.module(bias=False))
        self.taken(self.module(dropout=0.1).eval())
        self.taken(self.module(kdim=D, vdim=D))
        self.taken(self.module(batch_first=True), self.x[None])
        self.taken(self.module(), self.x[:, None])
        for dtype in (torch.float32, torch.float16, torch.bfloat16):
            self.taken(self.module(dtype=dtype))

    def test_refused(self):
        self.refused("add_zero_attn: True, expected False", self.module(add_zero_attn=True))
        self.refused("bias_k", self.module(add_bias_kv=True))
        self.refused("kdim: 4, expected embed_dim = 8", self.module(kdim=4, vdim=4))
        self.refused("vdim: 4", self.module(vdim=4))
        self.refused("dropout: 0.1 in training mode", self.module(dropout=0.1))
        self.refused("batch_first=False 6 sequences of 1 tokens", self.module(), self.x[None])
        self.refused(r"shape \(6, 1, 8\), expected \(rows", self.module(batch_first=True), self.x[:, None])
        self.refused("expected its self_attn", torch.nn.TransformerEncoderLayer(D, H, 16))
        quantizable = torch.ao.nn.quantizable.MultiheadAttention(D, H)
        self.refused("overrides forward", quantizable)

    def test_changed_parts(self):
        from torch.nn.utils import prune

        module = self.module()
        torch.nn.utils.parametrizations.spectral_norm(module.out_proj)
        self.refused("out_proj: Parametrized.* overrides", module)
        module = self.module()
        torch.nn.utils.parametrizations.orthogonal(module, "in_proj_weight")
        self.refused("ParametrizedMultiheadAttention overrides", module)
        module = self.module()
        torch.nn.utils.weight_norm(module, "in_proj_weight")
        self.refused("a forward hook", module)
        module = self.module()
        prune.l1_unstructured(module.out_proj, "weight", 0.5)
        self.refused("out_proj: a forward hook", module)
        handle = torch.nn.modules.module.register_module_forward_hook(lambda *_: None)
        try:
            self.refused("a forward hook of all modules", self.module())
        finally:
            handle.remove()

    def test_directions_of_its_shape(self):
        module, x = self.module(), torch.from_numpy(self.x)[:, None]
        r = attcert.certify(module, x)
        check = attcert.check(module, x, estimate=r.lower, vector=torch.from_numpy(r.vector)[:, None])
        self.assertTrue(check.consistent)


if __name__ == "__main__":
    unittest.main()
