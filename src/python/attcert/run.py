"""Options of a run, and how Ctrl-C and a progress function reach into it."""

import threading
from collections.abc import Container
from typing import Any, Optional, Sequence, Union

from . import library
from .arguments import Path, Size, choice, integer, number, path, size
from .choices import Engine
from .library import Handle, call, checked
from .progress import Bar, Progress, reporter

Words = Union[str, int, Sequence[Union[int, str]]]


def words_text(words: Words) -> str:
    """Tokens that move as the library reads them: "all", or a list of numbers and words."""
    if isinstance(words, str):
        return words
    if not isinstance(words, (list, tuple, set, range)) and getattr(words, "ndim", 0) == 0:
        return _word_text(words)
    return ",".join(_word_text(word) for word in words)  # type: ignore[union-attr]


def _word_text(word: Any) -> str:
    """A string is a word, whatever it holds."""
    if isinstance(word, str):
        return '"' + word.replace('"', '""') + '"'
    try:
        return str(integer("words", word))
    except TypeError:
        raise TypeError(f"words: {word!r}, expected \"all\", or numbers of tokens and words") from None


class Run:
    """One call of the library that computes: Run(...).call(...). The options are those of attcert.certify.

    progress(stage, done) is called now and then, in the thread of the run, with `done` in [0, 1]; what it raises, and
    Ctrl-C, ends the run and is raised by the call, as is what other callbacks put into `raised`."""

    def __init__(self, tolerance: Optional[float] = None, engine: Optional[Engine] = None,
                 failure: Optional[float] = None, seed: Optional[int] = None, precision: Optional[int] = None,
                 threads: Optional[int] = None, memory_limit: Optional[Size] = None, scratch: Optional[Path] = None,
                 progress: Progress = None):
        self.options = Handle("options", call("options_new"), "options_free")
        self._kept: list[bytes] = []
        self.raised: Optional[BaseException] = None
        for name, value in (("tolerance", tolerance), ("failure", failure)):
            if value is not None:
                self._set_number(name, number(name, value))
        for name, whole in (("seed", seed), ("precision", precision), ("threads", threads)):
            if whole is not None:
                self._set_number(name, integer(name, whole))
        if memory_limit is not None:
            self._set_number("memory_limit", size("memory_limit", memory_limit))
        if engine is not None:
            self._set_text("engine", choice("engine", engine, Engine).encode())
        if scratch is not None:
            self._set_text("scratch", path("scratch", scratch))
        self._reporter = reporter(progress)
        self._report: Any = library.Progress(self._reported)
        call("options_set_progress", self.options, self._report, None)

    def _set_number(self, name: str, value: float) -> None:
        checked("options_set_number", self.options, name.encode(), float(value))

    def _set_text(self, name: str, text: bytes) -> None:
        self._kept.append(text)
        checked("options_set_text", self.options, name.encode(), text)

    def _reported(self, _: Any, stage: bytes, done: float) -> int:
        try:
            if self._reporter is not None:
                self._reporter(stage.decode(), done)
            return 1 if self.raised is not None else 0
        except BaseException as raised:  # noqa: B902 -- Ctrl-C arrives here
            self.raised = raised
            return 1

    def call(self, name: str, *arguments: Any, allowed: Container[int]) -> int:
        """As library.checked; the options come after the arguments."""
        try:
            return checked(name, *arguments, self.options, allowed=allowed, invoke=self._invoke)
        finally:
            self._report = None  # it refers to this object, which would live on
            if isinstance(self._reporter, Bar):
                self._reporter.close()

    def _invoke(self, name: str, *arguments: Any) -> int:
        """The function's status, or what was raised meanwhile."""
        main = threading.current_thread() is threading.main_thread()
        status: int = self._interruptibly(name, *arguments) if main else call(name, *arguments)
        if self.raised is not None:
            raise self.raised
        return status

    def _interruptibly(self, name: str, *arguments: Any) -> int:
        """In a thread of its own, as Ctrl-C could arrive meanwhile: Python hands it to the main thread, which must not
        be inside the library then. The run ends at its next report of progress."""
        status: list[int] = []
        ended = threading.Event()

        def work() -> None:
            try:
                status.append(call(name, *arguments))
                call("thread_end")
            finally:
                ended.set()

        threading.Thread(target=work).start()
        while not ended.is_set():
            try:
                ended.wait()
            except KeyboardInterrupt as raised:
                self.raised = raised
        return status[0]
