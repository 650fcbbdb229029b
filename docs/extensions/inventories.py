"""Links to other projects' pages without fetching their indexes: the few names we use, each with its page.

Sphinx's own ``intersphinx`` reads inventories, files that say where each name is documented. They are written here from
the table below at every build, so that a build without a network gives the same pages as one with it. A name that is
missing is a warning of the build: add a line.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

#: Project -> where its pages are, and lines of: kind, name, page ($ is the name), other names of the same thing.
PROJECTS = {
    "python": (
        "https://docs.python.org/3/",
        """
        class bool library/functions.html
        class dict library/stdtypes.html
        class float library/functions.html
        class int library/functions.html
        class list library/stdtypes.html
        class str library/stdtypes.html
        class tuple library/stdtypes.html
        data None library/constants.html
        exception ValueError library/exceptions.html
        class os.PathLike library/os.html
        class pathlib.Path library/pathlib.html Path
        data typing.Any library/typing.html Any
        class collections.abc.Callable library/collections.abc.html Callable
        class collections.abc.Iterable library/collections.abc.html Iterable
        class collections.abc.Sequence library/collections.abc.html Sequence
        """,
    ),
    "numpy": (
        "https://numpy.org/doc/stable/",
        "class numpy.ndarray reference/generated/$.html np.ndarray",
    ),
    "scipy": (
        "https://docs.scipy.org/doc/scipy/",
        """
        class scipy.sparse.csr_array reference/generated/$.html
        class scipy.sparse.csr_matrix reference/generated/$.html scipy.sparse._csr.csr_matrix
        """,
    ),
    "networkx": (
        "https://networkx.org/documentation/stable/",
        "class networkx.Graph reference/classes/graph.html",
    ),
    "torch": (
        "https://docs.pytorch.org/docs/stable/",
        """
        class torch.Tensor tensors.html Tensor
        class torch.nn.Module generated/$.html nn.Module torch.nn.modules.module.Module
        class torch.utils.data.DataLoader data.html torch.utils.data.dataloader.DataLoader
        """,
    ),
    "pyg": (
        "https://pytorch-geometric.readthedocs.io/en/latest/",
        """
        class torch_geometric.data.Data generated/$.html Data torch_geometric.data.data.Data
        class torch_geometric.data.Batch generated/$.html torch_geometric.data.batch.Batch
        class torch_geometric.loader.DataLoader modules/loader.html
        class torch_geometric.transforms.BaseTransform generated/$.html \
            torch_geometric.transforms.base_transform.BaseTransform
        """,
    ),
}


def inventory(project: str, lines: str) -> bytes:
    """An inventory in Sphinx's format, version 2: four lines of text, then one compressed line for each name."""
    entries = []
    for line in lines.strip().splitlines():
        kind, name, page, *others = line.split()
        entries += [f"{known} py:{kind} 1 {page.replace('$', name)}#{name} -\n" for known in (name, *others)]
    head = f"# Sphinx inventory version 2\n# Project: {project}\n# Version: \n"
    head += "# The remainder of this file is compressed using zlib.\n"
    return head.encode() + zlib.compress("".join(entries).encode())


def write_inventories(app: Any, config: Any) -> None:
    folder = Path(app.doctreedir) / "inventories"
    folder.mkdir(parents=True, exist_ok=True)
    for project, (address, lines) in PROJECTS.items():
        file = folder / f"{project}.inv"
        file.write_bytes(inventory(project, lines))
        config.intersphinx_mapping[project] = (address, str(file))


def setup(app: Any) -> dict[str, bool]:
    app.connect("config-inited", write_inventories, priority=100)  # before intersphinx looks at its setting
    return {"parallel_read_safe": True}
