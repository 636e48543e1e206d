"""Words of WikiText-2 as numbers, cut into windows."""
import collections

import numpy
import torch

LENGTH = 64  # tokens a window


def read_words(path):
    """The words of a file in order, an <eos> after each line that is not blank."""
    words = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            of_line = line.split()
            if of_line:
                words += of_line + ["<eos>"]
    return words


def make_vocabulary(words, size):
    """The most frequent words, <unk> for all others; ties in alphabetical order."""
    counts = collections.Counter(words)
    del counts["<unk>"]
    known = sorted(counts, key=lambda word: (-counts[word], word))[:size - 1]
    return {word: i for i, word in enumerate(["<unk>"] + known)}


def windows(words, vocabulary):
    """LENGTH words and the one after each, a row of LENGTH + 1 numbers; a row begins with the last word of the one
    before."""
    numbers = numpy.array([vocabulary.get(word, 0) for word in words], dtype=numpy.int64)
    count = (len(numbers) - 1) // LENGTH
    starts = LENGTH * numpy.arange(count)[:, None]
    return torch.from_numpy(numbers[starts + numpy.arange(LENGTH + 1)[None, :]])
