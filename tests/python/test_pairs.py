"""Masks and biases of pairs: the certificate contains the norm of a Jacobian by numpy, from the layer's formula; what is
refused, by name."""

import unittest

import numpy

import attcert

H, N, D = 2, 5, 4


def jacobian(x, q, k, v, allowed, added):
    """Of the heads side by side, (N D, N D); allowed, added: (H, N, N)."""
    n, d, size = len(x), x.shape[1], len(q) // H
    found = numpy.zeros((n, H, size, n, d))
    for h in range(H):
        maps = [w[h * size:(h + 1) * size] for w in (q, k, v)]
        qs, ks, vs = (x @ w.T for w in maps)
        scores = numpy.where(allowed[h], qs @ ks.T / numpy.sqrt(size) + added[h], -numpy.inf)
        p = numpy.exp(scores - scores.max(1, keepdims=True))
        p /= p.sum(1, keepdims=True)
        away = vs[None] - (p @ vs)[:, None]  # v_j - y_i
        g = qs @ maps[1] / numpy.sqrt(size)
        found[:, h] += numpy.einsum("ij,ae->iaje", p, maps[2]) + numpy.einsum("ij,ija,ie->iaje", p, away, g)
        own = numpy.einsum("ij,ija,je->iae", p, away, ks @ maps[0] / numpy.sqrt(size))
        for i in range(n):
            found[i, h, :, i] += own[i]
    return found.reshape(n * H * size, n * d)


class Pairs(unittest.TestCase):
    def setUp(self):
        self.random = numpy.random.default_rng(3)
        self.x = self.random.standard_normal((N, D))
        self.weights = [*self.random.standard_normal((3, 2 * H, D))]

    def contains(self, mask, bias, causal=False, **options):
        allowed = numpy.broadcast_to(True if mask is None else mask, (H, N, N))
        added = numpy.broadcast_to(0.0 if bias is None else bias, (H, N, N))
        allowed = allowed & (numpy.tri(N, dtype=bool) | (not causal)) & (added > -numpy.inf)
        norm = numpy.linalg.norm(jacobian(self.x, *self.weights, allowed, added), 2)
        mask = "causal" if causal else mask
        r = attcert.certify(self.x, *self.weights, heads=H, mask=mask, bias=bias, **options)
        self.assertLessEqual(r.lower, norm * (1 + 1e-12))
        self.assertGreaterEqual(r.upper, norm * (1 - 1e-12))
        self.assertLess(r.upper, r.lower * (1 + 1e-6))
        return r

    def test_the_norm_of_the_formula(self):
        mask = self.random.random((H, N, N)) < 0.5
        mask |= numpy.eye(N, dtype=bool)
        bias = self.random.standard_normal((H, N, N))
        bias[1, 2, 3] = -numpy.inf
        for engine in ("dense", "mpfr"):
            self.contains(mask, None, engine=engine)
            self.contains(mask[0], bias, engine=engine)
            self.contains(None, bias[:1], engine=engine)
            self.contains(None, bias[1].astype("float32"), engine=engine)
            self.contains(numpy.array([True, False, True, True, False]), bias[0], engine=engine)
        self.contains(None, bias, causal=True)
        text = str(attcert.certify(self.x, *self.weights, heads=H, mask=mask))
        self.assertIn("biases of each head, added to scores; -inf: the key takes no part", text)

    def test_a_mask_that_says_causal(self):
        lower = numpy.tril(numpy.ones((N, N), bool))
        r, named = (attcert.certify(self.x, *self.weights, heads=H, mask=m) for m in (lower, "causal"))
        self.assertTrue(r.lower <= named.upper and named.lower <= r.upper)

    def test_bounds(self):
        own = attcert.layer(*self.weights, heads=H, mask=numpy.eye(N, dtype=bool))
        r = own.bounds(self.x)
        held = {name for name, b in r.bounds.items() if not numpy.isnan(b.value)}
        self.assertTrue({"T1", "T4", "T6", "T7", "T9"} <= held and not held & {"T2", "T5"})

    def refused(self, pattern, **options):
        with self.assertRaisesRegex(ValueError, pattern):
            attcert.certify(self.x, *self.weights, heads=H, **options)

    def test_refusals(self):
        all_keys, zeros = numpy.ones((N, N), bool), numpy.zeros((N, N))
        none = all_keys.copy()
        none[3] = False
        self.refused("mask: token 3 attends to no key, whose softmax is 0 / 0", mask=none)
        self.refused("mask: dtype float64, expected booleans, True where a key takes part", mask=zeros)
        self.refused("bias: dtype bool", bias=all_keys)
        self.refused(r"mask: shape \(5, 4\), expected \(n,\), \(n, n\) or", mask=all_keys[:, :4])
        self.refused(r"bias: shape \(5,\), expected \(n, n\)", bias=zeros[0])
        self.refused("score.bias: 20 x 4, expected 5 x 5|score.bias: 4 x 4", bias=zeros[:4, :4])
        self.refused("score.bias: 15 x 5, expected 5 x 5", bias=numpy.zeros((3, N, N)))
        self.refused(r"mask and bias: shapes \(5, 5\) and \(4, 4\) do not fit", mask=all_keys, bias=zeros[:4, :4])
        for bad in (numpy.nan, numpy.inf):
            wrong = zeros.copy()
            wrong[1, 2] = bad
            self.refused(r"bias: entry \(0, 1, 2\) of head, query and key is (nan|inf)", bias=wrong)
        self.refused("engine: deflated is for the attention of attcert_layer alone", bias=zeros, engine="deflated")
        biased = attcert.layer(*self.weights, heads=H, bias=zeros)
        for ask in (lambda: biased.ball(self.x, 0.1), lambda: biased.jacobian(self.x)):
            with self.assertRaisesRegex(ValueError, "score.bias: expected none but for"):
                ask()
        with self.assertRaisesRegex(ValueError, "mask: of ndarray, expected none or causal"):
            attcert.load("random:bert:8,2,2").layer(0, mask=all_keys)


if __name__ == "__main__":
    unittest.main()
