import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = """
import os, time
from lvc.processes import side_by_side

def work():
    print(os.getpid(), flush=True)
    time.sleep(60)

if __name__ == "__main__":
    list(side_by_side(work, [()], 2, int))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills a process")
def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    with subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        parent.kill()
    for _ in range(100):
        if not _runs(worker):
            return
        time.sleep(0.1)
    os.kill(worker, signal.SIGKILL)
    pytest.fail("it still runs")


def _runs(process: int) -> bool:
    status = Path(f"/proc/{process}/stat")
    if Path("/proc/self").exists():
        return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
