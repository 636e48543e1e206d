"""The program of the command line, which answers questions that the library has no handles for."""

import os
import shutil
import subprocess
import tempfile
from types import TracebackType
from typing import Any, Optional

import numpy

from .arguments import integer, number
from .arrays import as_double, as_numpy
from .library import NEGATIVE, OK, UNDECIDED, AttcertError, beside, exception_of


def program() -> str:
    """Its path: ATTCERT_PROGRAM, what was built with this module, or that of PATH. AttcertError: none."""
    built = beside("attcert")
    found = os.environ.get("ATTCERT_PROGRAM") or (str(built) if built is not None else shutil.which("attcert"))
    if found is None:
        raise AttcertError("no program attcert: install it, or set ATTCERT_PROGRAM to its path")
    return found


class Question:
    """A command with its options, and a folder for the files that it reads and writes, which ends with `with`."""

    def __init__(self, command: str):
        self._command, self._options = command, [command]
        self._folder = tempfile.TemporaryDirectory(prefix="attcert-")

    def __enter__(self) -> "Question":
        return self

    def __exit__(self, kind: Optional[type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self._folder.cleanup()

    def file(self, name: str) -> str:
        """The path of a file in the folder."""
        return os.path.join(self._folder.name, name)

    def array(self, option: str, values: Any, exact: bool = True) -> None:
        """An option that names an .npy file, of these values where there are some; exact: of two sides, as numbers."""
        if values is not None:
            name = self.file(f"{option}.npy")
            numpy.save(name, as_double(option, values) if exact else as_numpy(option, values))
            self.option(option, name)

    def option(self, name: str, value: Any) -> None:
        """An option as text; None and False: without it; True: its name alone."""
        if value is True:
            self._options.append(f"--{name}")
        elif value is not None and value is not False:
            text = os.fsdecode(value) if isinstance(value, (bytes, os.PathLike)) else str(value)
            self._options += [f"--{name}", text]

    def integers(self, **values: Any) -> None:
        """Options that are whole numbers, by their names with _ for -."""
        for name, value in values.items():
            self.option(name.replace("_", "-"), None if value is None else integer(name, value))

    def numbers(self, **values: Any) -> None:
        """The same of real ones."""
        for name, value in values.items():
            self.option(name.replace("_", "-"), None if value is None else repr(number(name, value)))

    def extend(self, options: list[str]) -> None:
        """Options as they are."""
        self._options += options

    def answer(self, form: Optional[str] = "json") -> str:
        """What the program prints in a format; None: of a command that has one alone. ValueError, ResourceError, ..: as
        the library's."""
        options = self._options if form is None else [*self._options, "--format", form]
        ended = subprocess.run([program(), *options], stdin=subprocess.DEVNULL, capture_output=True, check=False)
        said = ended.stderr.decode(errors="replace").strip().splitlines()
        message = said[-1] if said else f"{self._command} ended with {ended.returncode}, nothing said"
        if ended.returncode not in (OK, NEGATIVE, UNDECIDED) or not ended.stdout:
            raise exception_of(ended.returncode, message.removeprefix("attcert: ").partition("; see attcert")[0])
        return ended.stdout.decode()
