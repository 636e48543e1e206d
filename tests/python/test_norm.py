"""The norm of an operator from its products: the truth inside, an error of the products counted, exceptions raised."""

import unittest

import numpy

import attcert


class Norms(unittest.TestCase):
    def setUp(self):
        self.a = numpy.random.default_rng(0).standard_normal((60, 35))
        self.truth = numpy.linalg.norm(self.a, 2)

    def norm(self, **options):
        return attcert.norm(lambda x: self.a @ x, lambda y: self.a.T @ y, self.a.shape, **options)

    def test_truth_is_inside(self):
        for tolerance in (None, 1e-1, 1e-4):
            r = self.norm(error=1e-12, tolerance=tolerance)
            self.assertTrue(r.tolerance_met)
            self.assertTrue(r.lower <= self.truth * (1 + 1e-14) and self.truth * (1 - 1e-14) <= r.upper, r)
            self.assertLessEqual(r.upper, r.lower * (1 + (tolerance or 1e-2)))

    def test_claim(self):
        r = self.norm()
        self.assertIn("in exact arithmetic of the products", r.claim)
        self.assertIn("random bits of the system", r.claim)
        self.assertEqual(r.failure, 2.0**-100)
        r = self.norm(error=1e-9, failure=1e-6, seed=3)
        self.assertIn("for products within 1e-09 ||x||", r.claim)
        self.assertIn("probability at most 1e-06", r.claim)
        self.assertIn("of a seed", r.claim)
        self.assertEqual(r[:2], self.norm(error=1e-9, failure=1e-6, seed=3)[:2])

    def test_error_counts(self):
        r = self.norm(error=1e-3, tolerance=1e-7)
        self.assertFalse(r.tolerance_met)
        self.assertTrue(r.lower <= self.truth - 1e-3 and r.upper >= self.truth + 1e-3)

    def test_what_products_raise(self):
        def fails(_):
            raise KeyError("mine")

        with self.assertRaisesRegex(KeyError, "mine"):
            attcert.norm(fails, fails, (3, 2))
        with self.assertRaisesRegex(ValueError, r"product: shape \(2, \d+\), expected \(3, \d+\)"):
            attcert.norm(lambda x: x, lambda y: y, (3, 2))
        with self.assertRaisesRegex(ValueError, "finite"):
            attcert.norm(lambda x: x * numpy.nan, lambda y: y, (2, 2))
        with self.assertRaisesRegex(ValueError, "failure"):
            self.norm(failure=0.9)


if __name__ == "__main__":
    unittest.main()
