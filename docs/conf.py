"""How Sphinx builds these pages: `make docs`. Everything works without a network."""

import sys
from pathlib import Path
from typing import Any

import lvc

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

project = "lvc"
author = "The lvc developers"
copyright = author
version = release = lvc.__version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "command_help",
    "inventories",
    "outside_links",
    "quiet_kernels",
]
language = "en-GB"
highlight_language = "none"  # indented blocks are equations and shell commands; Python blocks say so

html_theme = "furo"
html_title = f"lvc {version}"
html_show_copyright = html_show_sphinx = False
html_static_path = ["static"]
html_css_files = ["lvc.css"]

# The address under which the host shows a file of this repository, up to its path. Without one, links to files outside
# docs/ become plain text.
repository_files = ""

# Pages
myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

# Notebooks: run at every build, in a folder of their own, and an error in one is an error of the build
nb_execution_mode = "force"
nb_execution_in_temp = True
nb_execution_raise_on_error = True
nb_execution_timeout = 600
nb_merge_streams = True
nb_output_stderr = "remove-warn"
nb_code_prompt_show = "Code"
nb_code_prompt_hide = "Code"

# Reference
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": True, "exclude-members": "word"}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88
napoleon_numpy_docstring = False
napoleon_custom_sections = ["Shapes"]
nitpicky = True
nitpick_ignore = [  # what signatures name and nobody has to know: each is explained where it is used
    ("py:class", "Eta"),
    ("py:class", "lvc.nn.features.SparseFeatures"),
    ("py:class", "lvc.nn.operators.base.Operator"),
]


def setup(app: Any) -> None:
    def without_aliases(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
        if lines and lines[0].startswith("Alias for field number"):  # what Python says of a NamedTuple's fields
            lines.clear()

    app.connect("autodoc-process-docstring", without_aliases)
