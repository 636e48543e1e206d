"""Options of a run, and how Ctrl-C and a progress function reach into it."""

import threading

from . import library
from .library import Handle, call, checked

_NUMBERS = ("tolerance", "precision", "threads", "memory_limit", "failure", "seed")
_TEXTS = ("engine", "scratch")


def words_text(words) -> str:
    """Tokens that move as the library reads them: "all", or a list of numbers and words."""
    return words if isinstance(words, str) else ",".join(_word_text(word) for word in words)


def _word_text(word):
    """A string is a word, whatever it holds."""
    if isinstance(word, str):
        return '"' + word.replace('"', '""') + '"'
    return str(int(word))


class Run:
    """One call of the library that computes: Run(...).call(...).

    progress(stage, done) is called now and then, in the thread of the run, with `done` in [0, 1]; what it raises, and
    Ctrl-C, ends the run and is raised by the call, as is what other callbacks put into `raised`."""

    def __init__(self, progress=None, **options):
        self.options = Handle("options", call("options_new"), "options_free")
        self._kept = []
        self.raised = None
        for name, value in options.items():
            self._set(name, value)

        def report(_, stage, done):
            try:
                if progress is not None:
                    progress(stage.decode(), done)
                return 1 if self.raised is not None else 0
            except BaseException as raised:  # noqa: B902 -- Ctrl-C arrives here
                self.raised = raised
                return 1

        self._report = library.Progress(report)
        call("options_set_progress", self.options, self._report, None)

    def _set(self, name, value):
        if value is None:
            return
        if name in _NUMBERS:
            checked("options_set_number", self.options, name.encode(), float(value))
        elif name in _TEXTS:
            text = str(value).encode()
            self._kept.append(text)
            checked("options_set_text", self.options, name.encode(), text)
        else:
            raise TypeError(f"unknown option '{name}', expected one of {', '.join(_NUMBERS + _TEXTS)}, progress")

    def call(self, name, *arguments, allowed):
        """As library.checked; the options come after the arguments."""
        return checked(name, *arguments, self.options, allowed=allowed, invoke=self._invoke)

    def _invoke(self, name, *arguments):
        """The function's status, or what was raised meanwhile."""
        main = threading.current_thread() is threading.main_thread()
        status = self._interruptibly(name, *arguments) if main else call(name, *arguments)
        if self.raised is not None:
            raise self.raised
        return status

    def _interruptibly(self, name, *arguments):
        """In a thread of its own, as Ctrl-C could arrive meanwhile: Python hands it to the main thread, which must not
        be inside the library then. The run ends at its next report of progress."""
        status, ended = [], threading.Event()

        def work():
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
