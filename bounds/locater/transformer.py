"""The transformer that is trained, and what its training may penalise of the attention's W = Q^T K."""
import math

import torch
from torch import nn
from torch.nn import functional

DIM = 128  # embeddings, queries, keys, values, feed-forward


class Attention(nn.Module):
    """One head under the causal mask: y_i = W_O sum_{j <= i} P_ij V x_j, P_i the softmax of (Q x_i).(K x_j) / sqrt(d).
    No biases: the scores know W = Q^T K alone."""

    def __init__(self):
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(DIM, DIM, bias=False) for _ in range(4))

    def forward(self, x):
        scores = self.query(x) @ self.key(x).transpose(-1, -2) / math.sqrt(DIM)
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        return self.output(scores.masked_fill(later, -math.inf).softmax(-1) @ self.value(x))


def spectrum(query, key):
    """Of W = Q^T K: the mean of its eigenvalues, tr W / d, their variance tr W^2 / d - mean^2, and the same with
    ||W||_F^2 in the place of tr W^2, which it equals where W is symmetric and exceeds elsewhere."""
    w = query.T @ key
    mean = torch.trace(w) / DIM
    return {"mean": mean, "eigenvalues": (w * w.T).sum() / DIM - mean ** 2, "entries": (w * w).sum() / DIM - mean ** 2}


class Transformer(nn.Module):
    """Embeddings of words and places; a Post-LN block, LayerNorm(x + attention(x)) and LayerNorm(x + W_2 relu(W_1 x));
    scores of the next word. PyTorch's initial weights, no dropout."""

    def __init__(self, words, length):
        super().__init__()
        self.words, self.places = nn.Embedding(words, DIM), nn.Embedding(length, DIM)
        self.attention = Attention()
        self.attention_norm, self.forward_norm = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.feed_forward = nn.Sequential(nn.Linear(DIM, DIM), nn.ReLU(), nn.Linear(DIM, DIM))
        self.next_word = nn.Linear(DIM, words)

    def embed(self, tokens):
        """What enters attention."""
        return self.words(tokens) + self.places.weight[:tokens.shape[-1]]

    def forward(self, tokens):
        x = self.embed(tokens)
        x = self.attention_norm(x + self.attention(x))
        return self.next_word(self.forward_norm(x + self.feed_forward(x)))

    def cross_entropy(self, windows):
        """Of every word but the first of each window, from those before it: the mean, in nats."""
        scores = self(windows[:, :-1])
        return functional.cross_entropy(scores.reshape(-1, scores.shape[-1]), windows[:, 1:].reshape(-1))
