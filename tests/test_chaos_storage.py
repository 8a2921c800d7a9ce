"""How the fault runner damages caches, fills disks and replaces files."""

from __future__ import annotations

import errno
import mmap
import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from chaos import cache_files, data, schedule
from chaos.disks import Disk
from chaos.kinds import Kind
from chaos.replacement import Replacement
from chaos.settings import Data

AMOUNT = Data(rows=600, group_rows=100)


@pytest.fixture
def cached(tmp_path: Path) -> Iterator[Path]:
    """Two files as this process would cache them, and one of another process."""
    for name in ("mine/0.arrow", "mine/1.arrow", "others/2.arrow"):
        file = tmp_path / "cache" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(bytes(range(100)))
    (tmp_path / "cache" / "others.lock").touch()
    with (tmp_path / "cache" / "mine.lock").open("w"):
        yield tmp_path / "cache"


def test_a_file_that_a_process_has_open_or_mapped_is_in_use(cached: Path) -> None:
    everything = cache_files.of(cached, os.getpid(), used=True)

    with everything[0].open("rb") as opened:
        unused = cache_files.of(cached, os.getpid(), used=False)
        mapping = mmap.mmap(opened.fileno(), 0, prot=mmap.PROT_READ)
    with mapping:
        unmapped = cache_files.of(cached, os.getpid(), used=False)

    assert [file.name for file in everything] == ["0.arrow", "1.arrow"]
    assert unused == everything[1:]
    assert unmapped == everything[1:]


def test_a_flipped_file_differs_in_one_bit(cached: Path) -> None:
    file = cached / "mine" / "0.arrow"
    before = file.read_bytes()

    cache_files.flip(file, 12_345)

    changed = [a ^ b for a, b in zip(before, file.read_bytes(), strict=True) if a != b]
    assert len(changed) == 1
    assert changed[0].bit_count() == 1


def test_a_truncated_file_has_half_its_length(cached: Path) -> None:
    file = cached / "mine" / "0.arrow"

    cache_files.truncate(file, 0)

    assert file.read_bytes() == bytes(range(50))


def test_a_full_disk_has_no_block_left_until_it_is_freed(tmp_path: Path) -> None:
    disk = Disk(tmp_path / "run")
    disk.open()
    if not disk.mounted:
        pytest.skip("needs the right to mount")
    try:
        disk.fill()
        with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
            (tmp_path / "run" / "file").write_bytes(bytes(4096))
        disk.free()
        (tmp_path / "run" / "file").write_bytes(bytes(4096))
    finally:
        disk.close(keep=True)

    assert not os.path.ismount(tmp_path / "run")
    assert (tmp_path / "run" / "file").read_bytes() == bytes(4096)


def test_a_replaced_file_has_another_footer_and_the_same_length_and_time(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    data.write(folder, AMOUNT)
    before = {file: (file.stat(), file.read_bytes()) for file in folder.iterdir()}
    replacement = Replacement(folder)

    replacement.prepare()
    replacement.make()

    for file, (status, content) in before.items():
        now = file.stat()
        assert (now.st_size, now.st_mtime_ns) == (status.st_size, status.st_mtime_ns)
        assert now.st_ino != status.st_ino
        assert file.read_bytes() != content
        assert pq.ParquetFile(file).metadata.created_by.startswith("qarquet-cpp")
    replacement.undo()
    assert {file: file.read_bytes() for file in folder.iterdir()} == {
        file: content for file, (_, content) in before.items()
    }


def test_schedules_before_the_kinds_of_storage_have_none_of_them() -> None:
    kinds = {fault.kind for number in range(300) for fault in schedule.make(1, number).faults}

    assert not kinds & {Kind.CACHE_FLIPPED, Kind.RUN_FULL, Kind.REPLACED, Kind.CACHE_CUT}
