"""Reads what test_json_ends.c writes, as a program would: every interval of doubles that json makes of a report, and
every one of the decimals in it, must contain the truth. That of a number is given exactly; that of a norm as lying
between two numbers that agree to 27 digits. Prints how many do."""
import fractions
import json
import math
import sys


def exact(number):
    """The rational of [integer in hexadecimal, exponent of 2]."""
    return fractions.Fraction(int(number[0], 16)) * fractions.Fraction(2) ** number[1]


def find(value, path):
    for key in path:
        value = value[key]
    return value


def is_at_most(a, b):
    """Exactly; json reads a number beyond the doubles as an infinity."""
    infinite = [math.copysign(1, x) if isinstance(x, float) and math.isinf(x) else 0 for x in (a, b)]
    if any(infinite):
        return infinite[0] < infinite[1] or infinite[0] == infinite[1] == 0
    return fractions.Fraction(a) <= fractions.Fraction(b)


def holds(document, path, truth):
    lower, upper = (find(document, p) for p in path)
    return is_at_most(lower, exact(truth[1])) and is_at_most(exact(truth[0]), upper)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        text = file.read()
    doubles, decimals = json.loads(text), json.loads(text, parse_float=fractions.Fraction)
    count, wrong = 0, []
    for read, written in zip(doubles, decimals):
        for path, truth in read["truths"]:
            count += 1
            if not (holds(read["document"], path, truth) and holds(written["document"], path, truth)):
                wrong.append(f'{[find(read["document"], p) for p in path]} misses {truth}')
    print("\n".join(wrong[:5] + [f"{count} enclosures, {len(wrong)} miss the truth"]))
    return 1 if wrong or count == 0 else 0


sys.exit(main())
