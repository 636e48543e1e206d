"""How far a run is: a function of (stage, done), or a bar."""

from collections.abc import Callable
from typing import Any, Union

Progress = Union[None, bool, Callable[[str, float], object]]


class Bar:
    """tqdm's bar, from 0 to 100 %. ValueError: tqdm is not installed."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise ValueError("progress: True, but there is no tqdm; expected a function of (stage, done)") from None
        self._bar: Any = tqdm(total=100, leave=False, bar_format="{desc}: {percentage:3.0f}%|{bar}| {elapsed}")

    def __call__(self, stage: str, done: float) -> None:
        self._bar.set_description_str(stage, refresh=False)
        self._bar.n = 100 * done
        self._bar.refresh()

    def close(self) -> None:
        """Takes the bar away."""
        self._bar.close()


def reporter(progress: Progress) -> Union[None, Callable[[str, float], object]]:
    """What is called; None: nothing. TypeError: no function."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return Bar()
    if not callable(progress):
        raise TypeError(f"progress: {progress!r}, expected a function of (stage, done), or True for a bar by tqdm")
    return progress
