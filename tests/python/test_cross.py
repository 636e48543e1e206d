"""Cross-attention: the certificate contains the norm of the Jacobian by numpy, by the queries' input, by the context's and
by both; what is refused, by name; torch.nn.MultiheadAttention with keys and values of another sequence."""

import os
import sys
import unittest

import numpy

import attcert

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import small_nn  # noqa: E402

H, N, M, D, E, OUT = 2, 3, 4, 4, 5, 3


def jacobians(x, z, weights, allowed, added):
    """D_X f and D_Z f, of the formula; allowed, added: (H, N, M)."""
    q, k, v, o = (weights[name] for name in "qkvo")
    (n, d), (m, e), size = x.shape, z.shape, len(q) // H
    by_x, by_z = numpy.zeros((n, H, size, n, d)), numpy.zeros((n, H, size, m, e))
    for h in range(H):
        wq, wk, wv = (w[h * size:(h + 1) * size] for w in (q, k, v))
        bq, bk, bv = (weights[f"{name}_bias"][h * size:(h + 1) * size] for name in "qkv")
        qs, ks, vs = x @ wq.T + bq, z @ wk.T + bk, z @ wv.T + bv
        scores = numpy.where(allowed[h], qs @ ks.T / numpy.sqrt(size) + added[h], -numpy.inf)
        p = numpy.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        away = vs[None] - (p @ vs)[:, None]  # v_j - y_i
        for i in range(n):
            by_x[i, h, :, i] = numpy.einsum("j,ja,je->ae", p[i], away[i], ks @ wq) / numpy.sqrt(size)
            by_z[i, h] = numpy.einsum("j,ae->aje", p[i], wv) + numpy.einsum(
                "j,ja,e->aje", p[i], away[i], qs[i] @ wk) / numpy.sqrt(size)
    return [numpy.einsum("or,irc->ioc", o, j.reshape(n, H * size, -1)).reshape(n * len(o), -1) for j in (by_x, by_z)]


class Cross(unittest.TestCase):
    def setUp(self):
        r = self.random = numpy.random.default_rng(5)
        self.x, self.z = r.standard_normal((N, D)), r.standard_normal((M, E))
        self.weights = {"q": r.standard_normal((2 * H, D)), "k": r.standard_normal((2 * H, E)),
                        "v": r.standard_normal((2 * H, E)), "o": r.standard_normal((OUT, 2 * H)),
                        **{f"{name}_bias": r.standard_normal(2 * H) for name in "qkv"}}

    def layer(self, **options):
        return attcert.layer(**self.weights, heads=H, **options)

    def norms(self, mask=None, bias=None):
        """Of D_X f, D_Z f and both."""
        shape = (H, len(self.x), len(self.z))
        allowed = numpy.broadcast_to(True if mask is None else mask, shape)
        added = numpy.broadcast_to(0.0 if bias is None else bias, shape)
        by_x, by_z = jacobians(self.x, self.z, self.weights, allowed, added)
        return {"queries": numpy.linalg.norm(by_x, 2), "context": numpy.linalg.norm(by_z, 2),
                "both": numpy.linalg.norm(numpy.hstack([by_x, by_z]), 2)}

    def contains(self, r, norm, size=1.0):
        """size: of numbers whose products are rounded, where a norm is far below."""
        self.assertLessEqual(r.lower, norm * (1 + 1e-12) + 1e-12)
        self.assertGreaterEqual(r.upper, norm * (1 - 1e-12))
        self.assertLess(r.upper, r.lower * (1 + 1e-6) + 1e-9 * size)

    def test_the_norm_of_the_formula(self):
        mask = self.random.random((H, N, M)) < 0.6
        mask[:, :, 1] = True
        bias = self.random.standard_normal((H, N, M))
        keys = numpy.array([True, True, False, True])
        for options in ({}, {"mask": mask}, {"mask": mask[0], "bias": bias}, {"bias": bias[:1]}, {"mask": keys}):
            for by, norm in self.norms(**options).items():
                for engine in ("dense", "mpfr"):
                    self.contains(self.layer(**options).certify(self.x, context=self.z, by=by, engine=engine), norm)
        self.contains(self.layer().certify(self.x, context=self.z), self.norms()["queries"])
        r = self.layer().certify(self.x, context=self.z, by="both")
        self.assertEqual(r.vector.shape, (N + M, E))
        self.assertTrue((r.vector[:N, D:] == 0).all())
        self.assertIn("||[D_X f, D_Z f]||_2", str(r))

    def test_hostile(self):
        for m, scale in ((1, 1.0), (M, 0.0), (M, 1e3), (M, 1e-150)):
            self.z = self.random.standard_normal((m, E)) * scale
            for by, norm in self.norms().items():
                self.contains(self.layer().certify(self.x, context=self.z, by=by), norm, max(1.0, scale))
        self.x, self.z = numpy.repeat(self.x[:1], N, 0), numpy.repeat(self.z[:1], M, 0)
        for by, norm in self.norms().items():
            self.contains(self.layer().certify(self.x, context=self.z, by=by), norm)

    def test_check(self):
        norm = self.norms()["both"]
        found = self.layer().certify(self.x, context=self.z, by="both")
        r = self.layer().check(self.x, found.estimate, vector=found.vector, context=self.z, by="both", slack=1e-9)
        self.assertTrue(r.consistent)
        lower, upper = r.direction
        self.assertTrue(lower <= norm * (1 + 1e-9) and lower <= upper and abs(upper / norm - 1) < 1e-6)
        self.assertFalse(self.layer().check(self.x, 1.01 * norm, context=self.z, by="both").consistent)

    def test_forward(self):
        q, k, v = (t @ self.weights[n].T + self.weights[f"{n}_bias"] for t, n in zip((self.x, self.z, self.z), "qkv"))
        rows = []
        for h in range(H):
            at = slice(2 * h, 2 * h + 2)
            p = numpy.exp(q[:, at] @ k[:, at].T / numpy.sqrt(2))
            rows.append(p / p.sum(1, keepdims=True) @ v[:, at])
        numpy.testing.assert_allclose(self.layer().forward(self.x, self.z), numpy.hstack(rows) @ self.weights["o"].T,
                                      rtol=1e-12)

    def refused(self, pattern, call, *arguments, **options):
        with self.assertRaisesRegex((ValueError, MemoryError), pattern):
            call(*arguments, **options)

    def test_refusals(self):
        certify = self.layer().certify
        self.refused("by: expected a context", certify, self.x, by="both")
        self.refused("by: expected queries, context or both, got 'keys'", certify, self.x, context=self.z, by="keys")
        self.refused("key.weight: 4 x 5, expected 4 x 4", certify, self.x, context=self.z[:, :4])
        self.refused("key.weight: 4 x 5, expected 4 x 4", certify, self.x)
        for bad in (numpy.nan, numpy.inf):
            wrong = self.z.copy()
            wrong[1, 2] = bad
            self.refused(r"context: entry \[1, 2\] is (nan|inf)", certify, self.x, context=wrong)
        self.refused("engine: deflated is for", certify, self.x, context=self.z, engine="deflated")
        self.refused("mask: causal, expected none with a context", self.layer(mask="causal").certify, self.x,
                     context=self.z)
        self.refused("head: 1, expected the whole layer", self.layer(head=1).certify, self.x, context=self.z)
        self.refused("score.bias: 3 x 3, expected 3 x 4", self.layer(bias=numpy.zeros((N, N))).certify, self.x,
                     context=self.z)
        self.refused("mask: token 2 attends to no key",
                     self.layer(mask=numpy.array([[True] * M] * 2 + [[False] * M])).certify, self.x, context=self.z)
        self.refused("dtype: no rounding is known", self.layer().check, self.x, 1.0, dtype="float32", context=self.z)

    def test_no_bounds_of_the_theory(self):
        square = attcert.layer(*self.random.standard_normal((3, 4, D)), heads=H)
        self.refused("unknown argument 'context'", lambda: self._raised(square.bounds, self.x, context=self.x))

    @staticmethod
    def _raised(call, *arguments, **options):
        try:
            call(*arguments, **options)
        except TypeError as reason:
            raise ValueError(str(reason)) from None


class MultiheadAttention(small_nn.Module):
    """torch's, as far as it is looked at."""

    def __init__(self, kdim=D, vdim=None):
        super().__init__()
        self.embed_dim, self.kdim, self.vdim = D, kdim, kdim if vdim is None else vdim
        self._qkv_same_embed_dim = kdim == D
        self.num_heads, self.dropout, self.batch_first, self.head_dim = H, 0.0, False, D // H
        self.bias_k = self.bias_v = None
        self.add_zero_attn = False
        r = numpy.random.default_rng(7)
        if kdim == D:
            self.in_proj_weight = small_nn.Parameter(r.standard_normal((3 * D, D)))
        else:
            for part, columns in (("q", D), ("k", kdim), ("v", self.vdim)):
                setattr(self, f"{part}_proj_weight", small_nn.Parameter(r.standard_normal((D, columns))))
        self.in_proj_bias = small_nn.Parameter(r.standard_normal(3 * D))
        self.out_proj = small_nn.Linear(D, D)
        self.out_proj.weight = small_nn.Parameter(r.standard_normal((D, D)))
        self.eval()


MultiheadAttention.__module__ = "torch.nn.modules.activation"


class Module(unittest.TestCase):
    def setUp(self):
        r = numpy.random.default_rng(9)
        self.x, self.z = r.standard_normal((N, D)), {e: r.standard_normal((M, e)) for e in (D, E)}

    def test_multihead_attention(self):
        for e in (D, E):
            module = MultiheadAttention(e)
            q, k, v = ([numpy.asarray(w) for w in numpy.split(module.in_proj_weight.values, 3)] if e == D else
                       [getattr(module, f"{part}_proj_weight").values for part in "qkv"])
            biases = dict(zip(("q_bias", "k_bias", "v_bias"), numpy.split(module.in_proj_bias.values, 3)))
            layer = attcert.layer(q, k, v, heads=H, o=module.out_proj.weight.values, **biases)
            for by in ("queries", "context", "both"):
                theirs = attcert.certify(module, self.x, context=self.z[e], by=by)
                ours = layer.certify(self.x, context=self.z[e], by=by)
                self.assertEqual((theirs.lower, theirs.upper), (ours.lower, ours.upper))
            theirs = attcert.certify(module, self.x[:, None], context=self.z[e][:, None])
            self.assertLessEqual(theirs.lower, layer.certify(self.x, context=self.z[e]).upper)

    def test_refusals(self):
        for pattern, module, options in (
                ("kdim: 5, expected embed_dim = 4, or a context", MultiheadAttention(E), {}),
                ("vdim: 4, expected kdim = 5", MultiheadAttention(E, D), {"context": self.z[E]})):
            with self.assertRaisesRegex(ValueError, pattern):
                attcert.certify(module, self.x, **options)


if __name__ == "__main__":
    unittest.main()
