import os
import stat

import pytest

from lvc import LvcError
from lvc.files import json_lines, put_line, write_text, write_whole


def test_a_file_is_written_whole(tmp_path):
    path = write_text(tmp_path / "a.txt", "one\n")
    write_text(path, "two\n")
    assert path.read_text() == "two\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_a_failure_leaves_what_was_there(tmp_path):
    path = write_text(tmp_path / "a.txt", "one\n")

    def fail(file):
        file.write_text("half")
        raise RuntimeError("in the middle")

    with pytest.raises(RuntimeError, match="in the middle"):
        write_whole(path, fail)
    assert path.read_text() == "one\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.txt"]


def test_places_that_cannot_be_written(tmp_path):
    with pytest.raises(LvcError, match=r"cannot write .*nowhere.*a\.txt"):
        write_text(tmp_path / "nowhere" / "a.txt", "")
    (tmp_path / "folder").mkdir()
    with pytest.raises(LvcError, match="it is a directory"):
        write_text(tmp_path / "folder", "")


def test_what_is_no_ordinary_file_stays_what_it_is(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(LvcError, match="it is no ordinary file; choose a file name"):
        write_text(tmp_path / "pipe", "")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)
    link, real = tmp_path / "link", tmp_path / "elsewhere.txt"
    link.symlink_to(real)
    for text in ("one", "two"):  # when it points to nothing, and to a file
        assert write_text(link, text) == link
        assert link.is_symlink()
        assert real.read_text() == text


def test_a_line_is_put_into_nothing_else_than_lines(tmp_path):
    path = tmp_path / "lines.jsonl"
    path.write_bytes(b"one\r\ntwo\rthree\n\nlast, \xff, without an end")
    put_line(path, {"settings": 1})
    assert path.read_bytes() == b'one\r\ntwo\rthree\n\nlast, \xff, without an end\n{"settings": 1}\n'
    path.write_bytes(b"\x89PNG\r\n\0\n")
    with pytest.raises(LvcError, match=r"cannot add lines to .*: it is no text; choose another file"):
        put_line(path, {"settings": 1})
    assert path.read_bytes() == b"\x89PNG\r\n\0\n"
    path.write_bytes(b"")
    put_line(path, {"settings": 1})
    assert path.read_bytes() == b'{"settings": 1}\n'


def test_a_file_of_lines_that_is_no_text(tmp_path):
    (tmp_path / "lines.jsonl").write_bytes(b'{"a": 1}\n\xff\n')
    with pytest.raises(LvcError, match="it is not a text in UTF-8; choose another file"):
        json_lines(tmp_path / "lines.jsonl")
