"""The tokens of a model's input."""

import ctypes
import os
from collections.abc import Sequence
from typing import NamedTuple, Optional

from .library import Handle, call, created


class Token(NamedTuple):
    """One of them: its id, and its text as the vocabulary has it and reports show it; None: not known."""

    id: int
    text: Optional[str]


class Tokens(Sequence):
    """A sequence of Token, made by Model.tokens.

    special    bool, whether special tokens ([CLS], [SEP], or their like) were added to a text"""

    def __init__(self, handle: Handle):
        self.handle = handle
        count = call("tokens_count", handle)
        ids = call("tokens_ids", handle)
        texts = (call("tokens_text", handle, i) for i in range(count))
        self._tokens = tuple(Token(ids[i], None if text is None else text.decode()) for i, text in enumerate(texts))
        self.special: bool = call("tokens_special", handle)

    @property
    def ids(self) -> list:
        """The ids alone."""
        return [token.id for token in self._tokens]

    def __len__(self):
        return len(self._tokens)

    def __getitem__(self, place):
        return self._tokens[place]

    def __repr__(self):
        shown = [f"{i} {f'#{token.id}' if token.text is None else token.text}" for i, token in enumerate(self._tokens)]
        if len(shown) > 64:
            shown[32:-32] = [f"({len(shown) - 64} more)"]
        return f"<attcert: {len(self)} tokens:  {'  '.join(shown)}>"


def of_text(model, path, count, offset, tokenizer, special) -> Tokens:
    """Of a text file; count None: all of them."""
    return Tokens(created("tokens_read", "tokens_free", model, _name(tokenizer), os.fsencode(path), count or 0, offset,
                          special))


def of_ids(model, ids, tokenizer) -> Tokens:
    """By their ids, integers."""
    if not all(-(2**31) <= value < 2**31 for value in ids):
        raise ValueError("ids: a number beyond 32 bits, expected ids of the vocabulary")
    numbers = (ctypes.c_int * len(ids))(*ids)
    return Tokens(created("tokens_new", "tokens_free", model, _name(tokenizer), numbers, len(ids)))


def _name(tokenizer):
    return None if tokenizer is None else os.fsencode(tokenizer)
