"""attcert.robust on balls of other norms, with a mask of entries, on boxes, and with words in the places of others."""
import unittest

import numpy

import attcert


class RobustInputs(unittest.TestCase):
    def setUp(self):
        self.model = attcert.load("random:bert:16,2,2", seed=1)
        self.tokens = self.model.tokens("src/cli/demo.txt", 6, special_tokens=False)
        self.hidden = self.model.hidden(self.tokens)

    def ask(self, hidden=None, **options):
        return attcert.robust(self.model, self.hidden if hidden is None else hidden, attack=0, **options)

    def test_norms(self):
        one, two, most = (self.ask(norm=norm).certified for norm in (1, 2, "inf"))
        self.assertTrue(one >= two > most > 0)
        self.assertEqual(self.ask(kind="entry").certified, most)
        with self.assertRaisesRegex(ValueError, "contradict"):
            self.ask(kind="entry", norm=1)
        with self.assertRaisesRegex(ValueError, "expected 2, inf or 1"):
            self.ask(norm=3)

    def test_mask(self):
        mask = numpy.zeros(self.hidden.shape, bool)
        mask[2, :3] = True
        self.assertGreater(self.ask(mask_input=mask).certified, self.ask().certified)
        for bad in (mask.astype(int), mask[:3], mask[0]):
            with self.assertRaisesRegex(ValueError, "^mask_input: "):
                self.ask(mask_input=bad)
        with self.assertRaisesRegex(ValueError, "the entries of an input that move are mask_input"):
            self.ask(mask=mask)

    def test_box(self):
        radius = self.ask(norm="inf").certified
        box = self.hidden - 0.9 * radius, self.hidden + 0.9 * radius
        answer = self.ask(box=box)
        self.assertEqual((answer.verdict, answer.certified), ("certified", 1.0))
        self.assertEqual(self.ask(box=(self.hidden - 9, self.hidden + 9)).verdict, "undecided")
        for bad in ((box[1], box[0]), (box[0][:3], box[1]), (box[0], box[1] * numpy.nan), (box[1], box[1] + 1)):
            with self.assertRaises(ValueError):
                self.ask(box=bad)

    def test_synonyms(self):
        by_ids = self.ask(self.tokens, synonyms={2: [120, 121], 4: [98]})
        self.assertEqual(by_ids.verdict, "certified")
        self.assertIn('"method": "enumeration"', by_ids.to_json())
        ids = [token.id for token in self.tokens]
        rows = [self.model.hidden([*ids[:2], one, *ids[3:]])[2] for one in (120, 121)]
        by_rows = self.ask(synonyms={2: rows}, enumerate=0)
        self.assertEqual(by_rows.verdict, "certified")
        self.assertIn('"method": "hull"', by_rows.to_json())
        for bad in ({2: [120]}, {9: rows}, {2: numpy.ones((1, 3))}):
            with self.assertRaises(ValueError):
                self.ask(synonyms=bad)


if __name__ == "__main__":
    unittest.main()
