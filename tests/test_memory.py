import subprocess
import sys

import pytest

from lvc import memory
from lvc.memory import available_memory, keep_freed_memory

FAULTS = """
import ctypes, resource
import numpy as np
from lvc.memory import keep_freed_memory
if not hasattr(ctypes.CDLL(None), "mallopt"):
    raise SystemExit("no mallopt")
for keep in (False, True):
    if keep:
        keep_freed_memory()
    for turn in range(2):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        np.ones(2**24)  # 128 MB
    print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_freed_memory_is_used_again():
    """Page faults of an array that was there a moment ago: thousands, or hardly any."""
    done = subprocess.run([sys.executable, "-c", FAULTS], capture_output=True, text=True, check=False)
    if "no mallopt" in done.stderr:
        pytest.skip("only glibc can be told to keep freed memory")
    usually, kept = map(int, done.stdout.split())
    assert kept < usually / 10


KEPT = """
import ctypes
import numpy as np
from lvc import memory
if not hasattr(ctypes.CDLL(None), "mallinfo2"):
    raise SystemExit("no mallinfo2")
memory.keep_freed_memory()
memory.GOOD_FOR = -1
before = memory.available_memory()
held = np.ones(2**27)  # 1 GB
while_held = memory.available_memory()
del held
print(before, while_held, memory.available_memory())
"""


def test_what_is_kept_can_still_be_had():
    done = subprocess.run([sys.executable, "-c", KEPT], capture_output=True, text=True, check=False)
    if "no mallinfo2" in done.stderr:
        pytest.skip("only glibc says how much it keeps")
    before, while_held, after = (int(one) / 2**30 for one in done.stdout.split())
    assert after - while_held == pytest.approx(1, abs=0.5)  # others take and free memory meanwhile
    assert after == pytest.approx(before, abs=0.5)


def test_where_there_is_no_mallopt_nothing_happens(monkeypatch):
    monkeypatch.setattr("ctypes.CDLL", lambda name: object())
    monkeypatch.setattr("lvc.memory._keeps", False)
    keep_freed_memory()
    assert not memory._keeps


def test_what_the_environment_says_counts_at_once(monkeypatch):
    before = available_memory()
    monkeypatch.setenv("LVC_MEMORY_GB", "0.5")
    assert available_memory() == 2**29
    monkeypatch.delenv("LVC_MEMORY_GB")
    assert available_memory() == pytest.approx(before, rel=0.5)
