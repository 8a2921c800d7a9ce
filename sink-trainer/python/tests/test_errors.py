from __future__ import annotations

import pytest

import lockstep
from lockstep.printable import printable
from lockstep.waiting import say

NAME = "\x1b[31mred\x07\x9b0m\u202ertl"
SAFE = r"\x1b[31mred\x07\x9b0m\u202ertl"


def test_control_characters_are_escaped_and_nothing_else() -> None:
    assert printable(NAME) == SAFE
    for text in ("'; DROP TABLE x; --", "<b>&amp;", "größe 長さ 🙂", "two\nlines"):
        assert printable(text) == text


def test_errors_show_names_with_control_characters_escaped() -> None:
    assert str(lockstep.RefusedError(f"no column {NAME}")) == f"no column {SAFE}"
    assert str(lockstep.UnknownStreamError(NAME)) == SAFE


def test_messages_show_names_with_control_characters_escaped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    say("rank 0", f"no column {NAME}")
    assert capsys.readouterr().err == f"lockstep rank 0: no column {SAFE}\n"
