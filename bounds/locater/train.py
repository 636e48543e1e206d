#!/usr/bin/env python3
"""Trains a transformer of one layer and one head on words, with a penalty of the eigenvalues of W = Q^T K, and writes
its attention, for attcert, at some steps. This is no part of attcert: what it writes is what attcert certifies.

usage: train.py --train TEXT --validate TEXT --folder FOLDER --checkpoints STEP,STEP,... [OPTIONS]

Loss: the mean cross-entropy of the next word + STRENGTH (S + (tr W / d - m)^2), where S is
  eigenvalues   tr W^2 / d - (tr W / d)^2, the variance of the eigenvalues; not bounded below: it falls for ever where W
                becomes antisymmetric
  entries       ||W||_F^2 / d - (tr W / d)^2, the same for symmetric W, and at least 0
and m the MEAN asked for, or tr W / d at the beginning. Adam with PyTorch's defaults, its weight decay of 0.01 and a
constant rate, batches of 64 windows of 64 words, in an order that the seed alone decides.

FOLDER then has, for each step S of CHECKPOINTS, layer-S.safetensors (a layer for attcert --weights, causal mask) and
input-S-I.npy (what enters it for the I-th of INPUTS windows of the validation text), and progress.csv, a line a
checkpoint: the step, the mean cross-entropy of the steps since the one before, the perplexity of the first WINDOWS
windows of the validation text, and the mean and the two S as the loss knows them, in double.

Interrupted, the same command goes on at the last checkpoint, with the same result; with more CHECKPOINTS a finished
training goes on too."""
import argparse
import math
import os
import sys

import numpy
import torch

import corpus
from transformer import Transformer, spectrum
from weights_file import write_attention, write_whole

BATCH = 64
PROGRESS = ("step", "loss", "perplexity", "mean", "eigenvalues", "entries")


def steps_of(text):
    steps = [int(word) for word in text.split(",")]
    if steps != sorted(set(steps)) or steps[0] != 0:
        raise argparse.ArgumentTypeError(f"expected growing steps from 0 on, got '{text}'")
    return steps


def read_options():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--train", "--validate", "--folder"):
        parser.add_argument(name, required=True)
    parser.add_argument("--checkpoints", type=steps_of, required=True)
    parser.add_argument("--rate", type=float, default=2.5e-5)
    parser.add_argument("--penalty", choices=("none", "eigenvalues", "entries"), default="none")
    parser.add_argument("--strength", type=float, default=0.0)
    parser.add_argument("--mean", type=float)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--vocabulary", type=int, default=2000)
    parser.add_argument("--windows", type=int, default=1024)
    parser.add_argument("--inputs", type=int, default=2)
    return parser.parse_args()


def batch_order(seed, epoch, windows):
    """A permutation of the training windows, cut into whole batches."""
    order = numpy.random.default_rng([seed, epoch]).permutation(windows)
    return torch.from_numpy(order[:windows // BATCH * BATCH].reshape(-1, BATCH))


class Training:
    def __init__(self, options):
        self.options = options
        words = corpus.read_words(options.train)
        vocabulary = corpus.make_vocabulary(words, options.vocabulary)
        self.train = corpus.windows(words, vocabulary)
        self.validation = corpus.windows(corpus.read_words(options.validate), vocabulary)
        torch.manual_seed(options.seed)
        self.model = Transformer(options.vocabulary, corpus.LENGTH)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=options.rate, weight_decay=0.01)
        self.mean = self.spectrum()["mean"] if options.mean is None else options.mean
        self.step, self.progress = -1, []  # the last step that has a checkpoint

    def path(self, name):
        return os.path.join(self.options.folder, name)

    def spectrum(self):
        """What the loss knows of W, in double."""
        attention = self.model.attention
        found = spectrum(attention.query.weight.detach().double(), attention.key.weight.detach().double())
        return {name: value.item() for name, value in found.items()}

    def loss(self, windows):
        """The cross-entropy, and with the penalty."""
        loss = self.model.cross_entropy(windows)
        if self.options.penalty == "none":
            return loss, loss
        attention = self.model.attention
        found = spectrum(attention.query.weight, attention.key.weight)
        penalty = found[self.options.penalty] + (found["mean"] - self.mean) ** 2
        return loss, loss + self.options.strength * penalty

    def advance(self, step):
        """Trains up to a step; the mean cross-entropy of what it did."""
        losses = []
        batches = len(self.train) // BATCH
        for at in range(self.step, step):
            order = batch_order(self.options.seed, at // batches, len(self.train))
            loss, penalised = self.loss(self.train[order[at % batches]])
            self.optimizer.zero_grad()
            penalised.backward()
            self.optimizer.step()
            losses.append(loss.item())
        return sum(losses) / len(losses)

    @torch.no_grad()
    def perplexity(self):
        chosen = self.validation[:self.options.windows]
        total = sum(self.model.cross_entropy(part).item() * len(part) for part in chosen.split(BATCH))
        return math.exp(total / len(chosen))

    @torch.no_grad()
    def write_checkpoint(self):
        write_attention(self.path(f"layer-{self.step}.safetensors"), self.model.attention)
        for i in range(self.options.inputs):
            window = self.validation[i * (len(self.validation) // self.options.inputs)]
            hidden = self.model.embed(window[:corpus.LENGTH]).numpy()
            write_whole(self.path(f"input-{self.step}-{i}.npy"), lambda file: numpy.save(file, hidden))

    def write_progress(self):
        lines = [",".join(PROGRESS)] + [",".join(repr(row[name]) for name in PROGRESS) for row in self.progress]
        write_whole(self.path("progress.csv"), lambda file: file.write(("\n".join(lines) + "\n").encode()))

    def save(self):
        kept = {"step": self.step, "progress": self.progress, "model": self.model.state_dict(),
                "optimizer": self.optimizer.state_dict()}
        write_whole(self.path("state"), lambda file: torch.save(kept, file))

    def resume(self):
        if os.path.exists(self.path("state")):
            kept = torch.load(self.path("state"))
            self.step, self.progress = kept["step"], kept["progress"]
            self.model.load_state_dict(kept["model"])
            self.optimizer.load_state_dict(kept["optimizer"])

    def run(self):
        os.makedirs(self.options.folder, exist_ok=True)
        self.resume()
        passed = {step for step in self.options.checkpoints if step <= self.step}
        passed -= {row["step"] for row in self.progress}
        if passed:
            sys.exit(f"{self.path('state')}: past step {min(passed)} without a checkpoint, expected another folder")
        for step in self.options.checkpoints:
            if step <= self.step:
                continue
            loss = self.advance(step) if step else math.nan
            self.step = step
            self.write_checkpoint()
            self.progress.append({"step": step, "loss": loss, "perplexity": self.perplexity(), **self.spectrum()})
            self.save()
        self.write_progress()


if __name__ == "__main__":
    torch.set_num_threads(1)  # sums in one order, whatever the machine
    Training(read_options()).run()
