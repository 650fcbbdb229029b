"""Notebooks run with no IPython profile of the user's, and without two warnings that are not about them.

ipykernel warns that it listens on a local port; tqdm, which torch_geometric imports, that there are no widgets. Any
other warning of a notebook fails the build (``nb_output_stderr``).
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import Any


def prepare(app: Any, _: Any) -> None:
    profile = Path(app.doctreedir) / "ipython" / "profile_default"
    profile.mkdir(parents=True, exist_ok=True)
    (profile / "ipython_kernel_config.py").write_text("get_config().Application.log_level = 'ERROR'\n")
    os.environ["IPYTHONDIR"] = str(profile.parent)
    os.environ["PYTHONWARNINGS"] = "ignore:IProgress not found"
    logging.getLogger("traitlets").setLevel(logging.WARNING)


def setup(app: Any) -> dict[str, bool]:
    app.connect("config-inited", prepare)
    return {"parallel_read_safe": True}
