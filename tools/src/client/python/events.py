"""Reads Server-Sent Events (HTML, section 9.2.6)."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

_LINE_BREAK = re.compile("\r\n|\n|\r")


@dataclass
class Event:
    """An event. One without data only sets the other members."""

    data: str = ""
    id: str | None = None
    retry: int | None = None
    """After how many milliseconds to come back when the stream has ended."""


class EventReader:
    """Reads events from the pieces of a body, which may end anywhere: within a line, and within a character."""

    def __init__(self) -> None:
        self.stored = 0
        """The number of bytes since the last event was complete."""
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._line: list[str] = []
        """The parts of the line that has begun."""
        self._ends_with_return = False
        """Whether the text so far ends with CR, so that LF belongs to the same line break."""
        self._event: Event | None = None
        self._data: list[str] = []

    def read(self, piece: bytes) -> list[Event]:
        """Takes the next piece, and returns the events that it completes."""
        self.stored += len(piece)
        text = self._decoder.decode(piece)
        if not text:
            return []
        if self._ends_with_return:
            text = text.removeprefix("\n")
        self._ends_with_return = text.endswith("\r")
        events: list[Event] = []
        first, *others = _LINE_BREAK.split(text)
        self._line.append(first)
        for following in others:
            line = "".join(self._line)
            self._line = [following]
            if line:
                self._read_field(line)
            else:
                events += self._take_event()
        return events

    def _take_event(self) -> list[Event]:
        """Returns the event that a blank line completes, if there is one."""
        event = self._event
        if event is not None:
            event.data = "\n".join(self._data)
        self.stored, self._event, self._data = 0, None, []
        return [] if event is None else [event]

    def _read_field(self, line: str) -> None:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        event = self._event or Event()
        if name == "data":
            self._data.append(value)
        elif name == "id" and "\0" not in value:
            event.id = value
        elif name == "retry" and value.isascii() and value.isdigit() and len(value) < 10:
            event.retry = int(value)
        else:
            # A comment, or a field of no use.
            return
        self._event = event
