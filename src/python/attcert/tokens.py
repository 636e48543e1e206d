"""The tokens of a model's input."""

import ctypes
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, Optional, Union, overload

from .arguments import Path, integer, path
from .library import Handle, call, created


class Token(NamedTuple):
    """One of them: its id, and its text as the vocabulary has it and reports show it; None: not known."""

    id: int
    text: Optional[str]


class Tokens(Sequence[Token]):
    """A sequence of Token, made by Model.tokens.

    special    bool, whether special tokens ([CLS], [SEP], or their like) were added to a text

    A pickled one is what it shows alone: Model.tokens makes one again of its `ids`."""

    def __init__(self, handle: Handle):
        self._handle: Optional[Handle] = handle
        self.tokenizer: Optional[Path] = None  # that was named beside the model
        count = call("tokens_count", handle)
        ids = call("tokens_ids", handle)
        texts = (call("tokens_text", handle, i) for i in range(count))
        self._tokens = tuple(Token(ids[i], None if text is None else text.decode()) for i, text in enumerate(texts))
        self.special: bool = call("tokens_special", handle)

    @property
    def handle(self) -> Handle:
        """The library's object. ValueError: of Tokens that were pickled."""
        if self._handle is None:
            raise ValueError("tokens: pickled ones, expected those that a model's `tokens` makes of their ids")
        return self._handle

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_handle": None}

    @property
    def ids(self) -> list[int]:
        """The ids alone."""
        return [token.id for token in self._tokens]

    def __len__(self) -> int:
        return len(self._tokens)

    def __iter__(self) -> Iterator[Token]:
        return iter(self._tokens)

    @overload
    def __getitem__(self, place: int) -> Token:
        ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[Token]:
        ...

    def __getitem__(self, place: Union[int, slice]) -> Union[Token, Sequence[Token]]:
        return self._tokens[place]

    def __repr__(self) -> str:
        shown = [f"{i} {f'#{token.id}' if token.text is None else token.text}" for i, token in enumerate(self._tokens)]
        if len(shown) > 64:
            shown[32:-32] = [f"({len(shown) - 64} more)"]
        return f"<attcert: {len(self)} tokens:  {'  '.join(shown)}>"


def of_file(model: Handle, source: Path, count: Optional[int], offset: int, tokenizer: Optional[Path],
            special: bool) -> Tokens:
    """Of a text file; count None: all of them."""
    if not os.path.exists(source):
        raise ValueError(f"source: {os.fspath(source)!r}: no such file, expected the path of a text file, ids, or "
                         "text=\"..\" for a text itself")
    return Tokens(created("tokens_read", "tokens_free", model, _name(tokenizer), path("source", source),
                          0 if count is None else integer("tokens", count, 1), integer("offset", offset, 0),
                          bool(special)))


def of_text(model: Handle, text: str, count: Optional[int], offset: int, tokenizer: Optional[Path],
            special: bool) -> Tokens:
    """Of a text itself."""
    if not isinstance(text, str):
        raise TypeError(f"text: of type {type(text).__name__}, expected a str")
    with tempfile.NamedTemporaryFile(prefix="attcert-", suffix=".txt") as file:
        file.write(text.encode())
        file.flush()
        return of_file(model, file.name, count, offset, tokenizer, special)


def of_ids(model: Handle, ids: Sequence[int], tokenizer: Optional[Path]) -> Tokens:
    """By their ids, integers."""
    if not all(-(2**31) <= value < 2**31 for value in ids):
        raise ValueError("ids: a number beyond 32 bits, expected ids of the vocabulary")
    numbers = (ctypes.c_int * len(ids))(*ids)
    return Tokens(created("tokens_new", "tokens_free", model, _name(tokenizer), numbers, len(ids)))


def _name(tokenizer: Optional[Path]) -> Optional[bytes]:
    return None if tokenizer is None else path("tokenizer", tokenizer)
