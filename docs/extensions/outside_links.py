"""Links from a page to files of the repository outside docs/: right on the git host, and no page of this build.

They become links below the setting ``repository_files``, or plain text while that is empty.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform


class OutsideLinks(SphinxTransform):
    default_priority = 5  # before Sphinx collects files to download

    def apply(self, **_: Any) -> None:
        for kind in (addnodes.download_reference, addnodes.pending_xref):
            for link in list(self.document.findall(kind)):
                page = link.get("refdomain") == "doc"
                path = self.outside(link.get("reftarget", "") + (".md" if page else ""))
                if path is not None:
                    link.replace_self(self.shown(link, path))

    def outside(self, target: str) -> str | None:
        """The path from the top of the repository, if a link's target is a file that is not below docs/."""
        pages = Path(self.env.srcdir)
        file = Path(os.path.normpath(pages / Path(self.env.docname).parent / target))
        if file.is_relative_to(pages) or not file.exists():  # what does not exist is left to warn
            return None
        return file.relative_to(pages.parent).as_posix()

    def shown(self, link: nodes.Element, path: str) -> nodes.Element:
        address = self.config.repository_files
        shown = nodes.reference(refuri=f"{address.rstrip('/')}/{path}") if address else nodes.inline()
        for child in link.children:
            child["classes"] = []  # they would say that it is a download
            shown += child
        return shown


def setup(app: Any) -> dict[str, bool]:
    app.add_config_value("repository_files", "", "env", str)
    app.add_transform(OutsideLinks)
    return {"parallel_read_safe": True}
