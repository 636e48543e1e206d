"""Results as objects: one line, rows, pickles, JSON and back, pictures; and bars of progress."""

import contextlib
import io
import json
import math
import pickle
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import attcert
import numpy
from attcert.picture import enclosure_svg
from attcert.reports import end_of

DRAW = numpy.random.default_rng(5).standard_normal
X, Q, K, V = DRAW((4, 6, 6))
MODEL = attcert.load("random:bert:16,2,2", seed=1)


def found():
    """A result of each kind that the library makes."""
    tokens = MODEL.tokens([84, 104, 101])
    return [attcert.certify(X, Q, K, V), attcert.certify(X, Q, K, V, engine="random", seed=1),
            attcert.bounds(X, Q, K, V), attcert.check(X, Q, K, V, estimate=0.5, vector=X),
            attcert.ball(X, Q, K, V, radius=0.01),
            attcert.robust(MODEL, tokens, radius=1e-3, words=[1]), attcert.robust(MODEL, tokens, attack=0, radius=1e3),
            attcert.robust(MODEL, MODEL.hidden(tokens), box=(MODEL.hidden(tokens) - 1e-4, MODEL.hidden(tokens) + 1e-4)),
            MODEL.predict(tokens)]


def public(result):
    """Attributes that people read, without arrays and tokens, which reports leave out."""
    left_out = ("vector", "note", "ball_input", "counterexample", "tokens", "answers", "bounds")
    return {name: value for name, value in vars(result).items() if name[0] != "_" and name not in left_out}


class Results(unittest.TestCase):
    def test_each_kind(self):
        for result in found():
            with self.subTest(kind=type(result).__name__):
                self.assertRegex(repr(result), "^<attcert: [^\n]+>$")
                self.assertEqual(result.to_dict(), json.loads(result.to_json()))
                for value in (value for row in result.rows() for value in row.values()):
                    self.assertIsInstance(value, (str, bool, int, float, type(None)))
                copy = pickle.loads(pickle.dumps(result))
                self.assertEqual((repr(copy), str(copy), public(copy)), (repr(result), str(result), public(result)))
                if hasattr(result, "vector"):
                    self.assertTrue(numpy.array_equal(copy.vector, result.vector))
                read = attcert.from_json(result.to_json())
                self.assertIs(type(read), type(result))
                self.assertEqual(public(read), public(result))
                self.assertEqual(read.to_json(), result.to_json())

    def test_pandas(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        table = pandas.DataFrame([row for n in (2, 3) for row in attcert.bounds(X[:n], Q, K, V).rows()])
        self.assertEqual(list(table.n), [2, 3])
        self.assertTrue((table.lower <= table.upper).all() and (table.upper <= table.T1).all())

    def test_pictures(self):
        for result in found()[:7]:
            picture = result._repr_html_()
            svg = xml.etree.ElementTree.fromstring(picture[:picture.index("</svg>") + 6])
            self.assertEqual(svg.get("role"), "img")
            self.assertEqual(svg[0].text, repr(result)[len("<attcert: "):-1])
        places = {mark.text or "": float(mark.get("x")) for mark in
                  xml.etree.ElementTree.fromstring(attcert.bounds(X, Q, K, V)._repr_html_().partition("<details>")[0])
                  if mark.tag.endswith("text")}
        bounds = attcert.bounds(X, Q, K, V).bounds
        self.assertEqual(places["T1"] < places["T9"], bounds["T1"].value < bounds["T9"].value)
        attcert.certify(0 * X, 0 * Q, K, 0 * V)._repr_html_()  # of an enclosure [0, 0]
        for ends in ((1e-320, 2e-320), (1e308, math.inf), (0.0, math.inf)):
            drawn = enclosure_svg("", ends, ends[0], {"T1": 1e300, "T3": math.nan}, "")
            xml.etree.ElementTree.fromstring(drawn.partition("<details>")[0])

    def test_ends_go_outward(self):
        self.assertEqual(end_of("0x1.8p-3", True), 0.1875)
        self.assertEqual((end_of("0x1.8p+2000", False), end_of("0x1.8p+2000", True)), (sys.float_info.max, math.inf))
        self.assertEqual((end_of("0x1.8p-2000", False), end_of("0x1.8p-2000", True)), (0.0, 5e-324))
        self.assertEqual((end_of("0x1.8p-1074", False), end_of("0x1.8p-1074", True)), (5e-324, 1e-323))
        self.assertEqual((end_of("0x0p+0", True), end_of("inf", True)), (0.0, math.inf))

    def test_tokens(self):
        tokens = MODEL.tokens(text="fine")
        copy = pickle.loads(pickle.dumps(tokens))
        self.assertEqual(list(copy), list(tokens))
        with self.assertRaisesRegex(ValueError, "tokens: pickled ones, expected"):
            MODEL.hidden(copy)
        self.assertEqual(MODEL.tokens(text="fine", special_tokens=False).ids, [ord(letter) for letter in "fine"])
        by_ids = MODEL.predict(tokens.ids)
        self.assertEqual([token.id for token in by_ids.tokens], tokens.ids)

    def test_one_line_of_a_layer(self):
        self.assertEqual(repr(attcert.layer(Q, K, V, 2)), "<attcert: layer, d = 6, 2 heads of dimension 3, mask none>")
        self.assertEqual(repr(MODEL.layer(1)), "<attcert: layer 1 of random:bert:16,2,2, mask as the model has it>")
        self.assertEqual(repr(MODEL), "<attcert: model random:bert:16,2,2, 2 layers of 2 heads, d = 16>")

    def test_progress(self):
        stages = []
        attcert.certify(X, Q, K, V, progress=lambda stage, done: stages.append((stage, done)))
        self.assertTrue(stages and all(0 <= done <= 1 for _, done in stages))
        said = io.StringIO()
        try:
            import tqdm  # noqa: F401
        except ImportError:
            with self.assertRaisesRegex(ValueError, "progress: True, but there is no tqdm"):
                attcert.certify(X, Q, K, V, progress=True)
            return
        with contextlib.redirect_stderr(said):
            attcert.certify(X, Q, K, V, progress=True)
        self.assertIn("%|", said.getvalue())

    def test_the_module_is_a_command(self):
        command = [sys.executable, "-m", "attcert"]
        said = subprocess.run([*command, "--version"], check=True, capture_output=True, text=True)
        self.assertEqual(said.stdout, f"attcert {attcert.__version__}\n")
        self.assertEqual(subprocess.run([*command, "certify"], capture_output=True).returncode, 2)


if __name__ == "__main__":
    unittest.main()
