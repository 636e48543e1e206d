"""python -m attcert: the command line."""

import os
import sys
from typing import NoReturn

from .program import program


def main() -> NoReturn:
    """Becomes the program."""
    found = program()
    os.execv(found, [found, *sys.argv[1:]])


if __name__ == "__main__":
    main()
