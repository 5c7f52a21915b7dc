"""Output of ``foldtable replay``: a match browsed with the arrow keys in a terminal, or printed."""

from __future__ import annotations

import os
import select
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.panel import Panel
from rich.text import Text

from replay.frames import Frame, Frames

FORWARD = {"\x1b[C", "\x1b[B", " ", "l", "j"}
BACK = {"\x1b[D", "\x1b[A", "h", "k"}
FIRST = {"\x1b[H", "\x1b[1~", "g"}
LAST = {"\x1b[F", "\x1b[4~", "G"}
QUIT = {"q", "\x03", "\x04", "\x1b"}


def print_frames(frames: Frames, at: int | None, console: Console) -> None:
    """Prints one version or, without ``at``, a line for each version and a drawing of the last one."""
    if at is None:
        for version in range(1, len(frames) + 1):
            console.print(_line(frames.at(version), version), highlight=False, soft_wrap=True)
        at = len(frames)
        console.print()
    console.print(_plain(frames.at(at), at), highlight=False, soft_wrap=True)


def browse(frames: Frames, at: int | None, console: Console) -> None:
    """Shows one version at a time until ``q`` is pressed or the input ends."""
    version = at or len(frames)
    with _keys() as keys, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            live.update(_screen(frames, version), refresh=True)
            key = next(keys, "q")
            if key in QUIT:
                return
            version = _moved(key, version, len(frames))


def _moved(key: str, version: int, last: int) -> int:
    if key in FORWARD:
        return min(version + 1, last)
    if key in BACK:
        return max(version - 1, 1)
    return 1 if key in FIRST else last if key in LAST else version


def _screen(frames: Frames, version: int) -> Group:
    frame = frames.at(version)
    title = f"{frames.match.game.name}  ·  version {version} of {len(frames)}{'' if frame.in_force else '  ·  undone'}"
    body = Text(frame.drawing or "The match has not started.")
    sentence = Text(frame.step.sentence, style="bold" if frame.in_force else "dim strike")
    help_line = Text("← → previous, next   Home End first, last   q quit", style="dim")
    return Group(Panel(Group(sentence, Text(), body, Text(), Text(_waiting(frame))), title=title), help_line)


def _plain(frame: Frame, version: int) -> Text:
    parts = [_line(frame, version).plain, "", frame.drawing, "", _waiting(frame)]
    return Text("\n".join(part for part in parts if part or frame.drawing).rstrip())


def _line(frame: Frame, version: int) -> Text:
    return Text(f"{version:5}  {frame.step.sentence}{'' if frame.in_force else '  (undone)'}")


def _waiting(frame: Frame) -> str:
    return f"To move: {', '.join(frame.to_move)}" if frame.to_move else ""


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """Yields an iterator over key presses, each as the terminal sends it, until the input ends."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    tty.setcbreak(descriptor)
    try:
        yield iter(lambda: _key(descriptor), "")
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def _key(descriptor: int) -> str:
    pressed = os.read(descriptor, 1)
    # An arrow key is sent as an escape and more characters at once; the Esc key as an escape alone.
    while pressed[:1] == b"\x1b" and len(pressed) < 4 and select.select([descriptor], [], [], 0.02)[0]:
        pressed += os.read(descriptor, 1)
        if pressed[-1:].isalpha() or pressed[-1:] == b"~":
            break
    return pressed.decode(errors="replace")
