"""Mistakes that people make: each is a ValueError or TypeError that names the argument, and what was expected of it."""

import pathlib
import unittest

import attcert
import numpy

R = numpy.random.default_rng(0)
X, Q, K, V = R.standard_normal((4, 8, 8))
MODEL = attcert.load("random:bert:16,2,2")
HIDDEN = MODEL.hidden([1, 2, 3])


def certify(*arguments, **options):
    return lambda: attcert.certify(*(arguments or (X, Q, K, V)), **options)


def ball(**options):
    return lambda: attcert.ball(X, Q, K, V, **options)


def robust(*arguments, **options):
    return lambda: attcert.robust(*(arguments or (MODEL, HIDDEN)), **{"radius": 1e-3, "attack": 0, **options})


# call: the words that it must say, the argument first
MISTAKES = [
    (certify(X), "certify: .*'q', expected"),
    (certify(X, Q), "certify: 2 arguments, expected .x, q, k, v."),
    (certify(X, Q, K), "certify: 3 arguments, expected .x, q, k, v."),
    (certify(X, Q, K, V, V), "certify: too many positional arguments, expected"),
    (certify(heads=3), "heads: 3 does not divide"),
    (certify(heads=0), "heads: 0, expected 1 to"),
    (certify(heads="2"), "heads: '2', expected an integer"),
    (certify(heads=2.0), "heads: 2.0, expected an integer"),
    (certify(heads=True), "heads: True, expected an integer"),
    (certify(heads=[2]), r"heads: \[2\], expected an integer"),
    (certify(head="0"), "head: '0', expected an integer"),
    (certify(num_heads=2), "'num_heads', expected 'heads'"),
    (certify(tolerence=1e-6), "'tolerence', expected 'tolerance'"),
    (certify(colour="red"), "'colour', expected one of x, q"),
    (certify(R.standard_normal((4, 8, 8)), Q, K, V), r"input: shape \(4, 8, 8\), expected"),
    (certify(numpy.ones((8, 8), int), Q, K, V), "input: dtype int64, expected float64"),
    (certify(X.astype(numpy.longdouble), Q, K, V), "input: dtype .*, expected float64"),
    (certify(X.astype(complex), Q, K, V), "input: dtype complex128, expected float64"),
    (certify(numpy.where(X > 1, numpy.nan, X), Q, K, V), "input: .*nan, expected a finite"),
    (certify("hello", Q, K, V), "input: 'hello', expected an array"),
    (certify(X, None, K, V), "query.weight"),
    (certify(X[:, :5], Q, K, V), "input: tokens of dimension 5.*expect 8"),
    (certify([[1.0], [1.0, 2.0]], Q, K, V), "input: rows of different lengths, expected"),
    (certify(mask=True), "mask: True, expected \"none\", \"causal\" or an array of booleans"),
    (certify(mask=numpy.tril(numpy.ones((8, 8)))), "mask: dtype float64, expected booleans"),
    (certify(mask="bidirectional"), "mask: expected none, causal or booleans.*'bidirectional'"),
    (certify(mask=numpy.ones((3, 8), bool)), r"mask: shape \(3, 8\), expected"),
    (certify(bias=numpy.ones(8)), r"bias: shape \(8,\), expected"),
    (certify(engine="fast"), "engine: expected auto, mpfr, .*'fast'"),
    (certify(engine="dens"), "engine: expected .* did you mean 'dense'"),
    (certify(engine=3), "engine: expected auto, mpfr"),
    (certify(tolerance="1e-6"), "tolerance: '1e-6', expected a number"),
    (certify(tolerance=-1), "tolerance: -1, expected"),
    (certify(tolerance=[1e-6]), r"tolerance: \[1e-06\], expected a number"),
    (certify(memory_limit="two"), "memory_limit: 'two', expected a size such as \"800M\""),
    (certify(memory_limit=-1), "memory_limit: -1, expected an integer from 0"),
    (certify(precision=24), "precision: 24 bits, expected 53"),
    (certify(precision=64.5), "precision: 64.5, expected an integer"),
    (certify(threads="4"), "threads: '4', expected an integer"),
    (certify(seed=1.5), "seed: 1.5, expected an integer"),
    (certify(failure=2), "failure"),
    (certify(scratch=1), "scratch: 1, expected a path"),
    (certify(progress=1), "progress: 1, expected a function"),
    (certify(by="both"), "by: expected a context"),
    (certify(context=X, by="x"), "by: expected queries, context or both"),
    (certify(tokens=["a"]), "tokens: of type list, expected Tokens"),
    (certify(assume="bert"), "assume: .*expected a module"),
    (certify(q_bias=numpy.ones(7)), "query.bias: 7 x 1, expected 8 x 1"),
    (certify(o=numpy.ones((8, 7))), "output.weight: 8 x 7, expected 8 x 8"),
    (certify(attcert.layer(Q, K, V), X, heads=2), "'heads' belongs to the layer"),
    (certify(attcert.layer(Q, K, V), X, K, V), "4 arguments, expected a layer and its input"),
    (lambda: attcert.layer(Q, K, V, heads=3.5), "heads: 3.5, expected an integer"),
    (lambda: attcert.check(X, Q, K, V), "check: .*'estimate', expected"),
    (lambda: attcert.check(X, Q, K, V, estimate="nine"), "estimate: expected .*'nine'"),
    (lambda: attcert.check(X, Q, K, V, estimate=[9]), r"estimate: \[9\], expected a number"),
    (lambda: attcert.check(X, Q, K, V, estimate=float("nan")), "estimate: expected a finite number >= 0, got 'nan'"),
    (lambda: attcert.check(X, Q, K, V, estimate=9, vector=numpy.ones(64)), r"vector: shape \(64,\), expected"),
    (lambda: attcert.check(X, Q, K, V, estimate=9, slack="a"), "slack: 'a', expected a number"),
    (lambda: attcert.check(X, Q, K, V, estimate=9, dtype="fp8"), "dtype: expected float64"),
    (ball(), "ball: .*'radius', expected"),
    (ball(radius="0.1"), "radius: '0.1', expected a number"),
    (ball(radius=-1), "radius of the ball: -1, expected"),
    (ball(radius=.1, kind="linf"), "kind: expected sequence, token or entry, got 'linf'"),
    (ball(radius=.1, kind=3), "kind: expected sequence, token or entry, got 3"),
    (ball(radius=.1, words=[9]), "words: 9 is outside of the sequence, expected 0 to 7"),
    (ball(radius=.1, words=1.5), "words: 1.5, expected \"all\""),
    (lambda: attcert.bounds(X, Q, K, V, radius="1"), "radius: '1', expected a number"),
    (lambda: attcert.load("bert-base-uncased"), "bert-base-uncased: no such folder.*expected"),
    (lambda: attcert.load(7), "model: 7, expected a path"),
    (lambda: attcert.load("random:bert", seed="1"), "seed: '1', expected an integer"),
    (lambda: MODEL.layer(5), "layer 5: expected one of 0 to 1"),
    (lambda: MODEL.layer(-1), "layer -1: expected one of 0 to 1"),
    (lambda: MODEL.layer("0"), "layer: '0', expected an integer"),
    (lambda: MODEL.layer(0, mask=numpy.ones((3, 3), bool)), "mask: of ndarray, expected none or causal"),
    (lambda: MODEL.hidden("hello the film is good .", 6), "source: 'hello .*no such file, expected the path"),
    (lambda: MODEL.tokens(), "tokens: expected a source"),
    (lambda: MODEL.tokens(text=7), "text: of type int, expected a str"),
    (lambda: MODEL.tokens([1.5]), "source: 1.5, expected an integer"),
    (lambda: MODEL.certify(0, HIDDEN, "blok"), "function: expected attention, .* did you mean 'block'"),
    (lambda: MODEL.predict(HIDDEN, "some"), "positions: expected last or all"),
    (lambda: MODEL.predict(HIDDEN, top=0), "top: 0, expected an integer from 1"),
    (robust(MODEL, HIDDEN, words=99), "words: 99 is outside of the sequence, expected 0 to 2"),
    (robust(label=5), "label: expected an integer from -1 to 1, got 5"),
    (robust(label=1.5), "label: 1.5, expected an integer"),
    (robust("DIR", HIDDEN), "model: 'DIR', expected an attcert.Model"),
    (robust(MODEL, "h.npy"), "hidden: 'h.npy', expected an array"),
    (robust(MODEL, HIDDEN[:, :4]), r"hidden: shape \(3, 4\), expected \(n, 16\)"),
    (robust(execution="fp16"), "execution: expected exact, .*'fp16'"),
    (robust(norm=3), "norm: expected 2, inf or 1, got 3"),
    (robust(attack=-1), "attack: -1, expected an integer from 0"),
    (robust(token=-1), "token: -1, expected an integer from 0"),
    (robust(architecture=5), "architecture: 5, expected the name"),
    (robust(box=HIDDEN), "box: expected .low, high."),
    (robust(synonyms=[1]), "synonyms: of type list, expected a dict"),
    (robust(mask=numpy.ones((3, 16), bool)), "mask: shape .*expected .*mask_input"),
    (robust(mask=numpy.ones(2, bool)), r"mask: shape \(2,\), expected \(3,\)"),
    (robust(mask_input=numpy.ones((3, 3), bool)), r"mask_input: shape \(3, 3\), expected \(3, 16\)"),
    (lambda: attcert.norm(Q, Q, (8, 8)), "apply: of type ndarray, expected a function"),
    (lambda: attcert.norm(lambda x: x, lambda x: x, 8), r"shape: 8, expected \(rows, columns\)"),
    (lambda: attcert.from_onnx("net.onnx"), "file: 'net.onnx': no such file, expected"),
    (lambda: attcert.from_json("{}"), "report: expected JSON of a schema"),
    (lambda: attcert.spectrum(X, Q, K, V, mask=numpy.ones((8, 8), bool)), "mask and bias: of pairs, expected"),
    (lambda: attcert.sweep("DIR", 0, "t.txt", n=4), "model: 'DIR', expected an attcert.Model"),
    (lambda: attcert.worst(Q, K, V, tokens=0, radius_of_inputs=1.0), "tokens: expected"),
]


class Mistakes(unittest.TestCase):
    def test_each_names_its_argument(self):
        for number, (call, words) in enumerate(MISTAKES):
            with self.subTest(number=number, words=words), self.assertRaisesRegex((ValueError, TypeError), words):
                call()

    def test_what_is_no_mistake(self):
        plain = attcert.certify(X, Q, K, V, heads=2)
        for options in ({"heads": numpy.int64(2)}, {"memory_limit": "2G"}, {"memory_limit": numpy.int64(2**31)},
                        {"precision": numpy.int32(128)}, {"threads": 1}):
            found = attcert.certify(x=X, q=Q, k=K, v=V, **{"heads": 2, **options})
            self.assertEqual((found.lower, found.upper), (plain.lower, plain.upper), options)
        hasty = attcert.certify(X, Q, K, V, heads=2, tolerance=numpy.float32(0.5))  # by other products
        self.assertLessEqual(max(hasty.lower, plain.lower), min(hasty.upper, plain.upper))
        self.assertEqual(attcert.check(X, Q, K, V, estimate="0x1p-3").verdict, "below")
        radius = numpy.float64(0.1)
        two, listed = (attcert.ball(X, Q, K, V, radius=radius, words=words) for words in (2, [numpy.int8(2)]))
        self.assertEqual(two.to_dict()["ball"]["words"], listed.to_dict()["ball"]["words"])
        self.assertEqual(attcert.load(pathlib.Path("random:bert:16,2,2")).layers, 2)


if __name__ == "__main__":
    unittest.main()
