"""Sphinx configuration; built with `sphinx-build -W`."""

import logging
import re
import sys
from pathlib import Path

from semidirect import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))

logging.getLogger("semidirect").setLevel(logging.WARNING)  # derivations are announced to those who wait for one

project = "semidirect"
author = "semidirect contributors"
copyright = author
release = version = __version__

extensions = [
    "myst_nb",  # myst_parser, and notebooks
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx_copybutton",
    "sphinx_design",
    "sphinxcontrib.bibtex",
    "gallery",
    "notebooks",
    "cards",
    "catalogue",
    "api_names",
]
if not tags.has("without_sources"):  # noqa: F821 - of Sphinx, `-t without_sources` leaves out the pages of source code
    extensions.append("sphinx.ext.viewcode")
exclude_patterns = ["_build", "extensions"]
html_theme = "furo"
html_title = f"semidirect {release}"
html_static_path = ["_static"]
html_favicon = "_static/favicon.svg"  # browsers ask for one, and say in the console where there is none
html_css_files = ["site.css"]

myst_enable_extensions = ["amsmath", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

nb_execution_mode = "auto"  # notebooks without outputs, which all are
nb_execution_raise_on_error = True
nb_execution_in_temp = True
nb_execution_timeout = 120
nb_merge_streams = True
nb_render_markdown_format = "myst"  # with formulas
nb_output_stderr = "remove"  # derivations are announced to those who wait for one

bibtex_bibfiles = ["refs.bib"]
bibtex_default_style = "alpha"

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
add_module_names = False
maximum_signature_line_length = 100
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False

suppress_warnings = ["ref.python"]  # attributes of one name in several classes


def escape_bars(app, what, name, obj, options, lines):
    """Keep |Γ| from being read as a substitution, outside ``code``."""
    for i, line in enumerate(lines):
        parts = re.split(r"(``.*?``)", line)
        lines[i] = "".join(part if part.startswith("``") else part.replace("|", r"\|") for part in parts)


def keep_first_line(app, what, name, obj, options, lines):
    """Keep napoleon from reading "The page: all that it needs is in it." of a property as a type and its description.

    It reads the first line only, which is then an empty comment.
    """
    if what in ("property", "attribute", "data") and lines and ": " in lines[0]:
        lines[:0] = ["..", ""]


def name_each_attribute(app, what, name, obj, options, lines):
    """Write ``:ivar low, high: …`` of napoleon once for each name: Sphinx would read all but the last as a type."""
    fields: list[list[str]] = []  # each a field with the lines that continue it
    for line in lines:
        if fields and line.startswith(" "):
            fields[-1].append(line)
        else:
            fields.append([line])
    lines.clear()
    blocks: list[tuple[tuple[str, ...], list[list[str]]]] = []  # consecutive fields of the same names
    for field in fields:
        match = re.match(r":(ivar|vartype) ([^:]*, [^:]*):", field[0])
        names = tuple(match[2].split(", ")) if match else ()
        if match and blocks and blocks[-1][0] == names:
            blocks[-1][1].append(field)
        else:
            blocks.append((names, [field]))
    for names, block in blocks:
        for one in names or ("",):
            for first, *rest in block:
                lines += [first.replace(f" {', '.join(names)}:", f" {one}:", 1) if names else first, *rest]


def describe_runs(app, what, name, obj, options, signature, returns):
    """Runs come from ``simulate`` and ``Run.load``: the arguments of their class are nobody's business."""
    if name.rpartition(".")[2] in ("Run", "RunData") and what == "class":
        return "", returns
    return None


def break_long_names(app, pagename, templatename, context, doctree):
    """Let a long name in a table be broken between its parts, where a column is narrow, rather than within a word."""
    if doctree is not None and "<table" in context["body"]:
        cell = r"<t[dh]\b.*?</t[dh]>"
        context["body"] = re.sub(cell, lambda m: CODE.sub(with_breaks, m[0]), context["body"], flags=re.DOTALL)


CODE = re.compile(r'(?<=<span class="pre">)[^<]+')


def with_breaks(code):
    """A line may end after a dot between letters, before a parenthesis, and before the capital of a word."""
    return re.sub(r"(?<=\w\.)(?=[A-Za-z_])|(?<=\w)(?=\()|(?<=[a-z]{2})(?=[A-Z][a-z])", "<wbr>", code[0])


NAVIGATION: dict[tuple, str] = {}
"""The table of contents of the site as pages of source code show it, by their depth, on which its links depend."""


def share_navigation(app, pagename, templatename, context, doctree):
    """Write the table of contents once for all pages of source code at a depth, none of which is an entry of it.

    The theme asks for it for each page, and the entries of all pages and objects are copied each time.
    """
    if not pagename.startswith("_modules/"):
        return
    write, depth = context["toctree"], pagename.count("/")

    def toctree(**how):
        key = (depth, *sorted(how.items()))
        if key not in NAVIGATION:
            NAVIGATION[key] = write(**how)
        return NAVIGATION[key]

    context["toctree"] = toctree


def setup(app):
    app.connect("html-page-context", share_navigation, priority=400)  # before the theme
    app.connect("html-page-context", break_long_names)
    app.connect("autodoc-process-docstring", keep_first_line, priority=400)  # before napoleon
    app.connect("autodoc-process-docstring", name_each_attribute)
    app.connect("autodoc-process-signature", describe_runs)
    app.connect("autodoc-process-docstring", escape_bars)
    # it copies files after the build and reads no page, but does not say so
    app.extensions["sphinx-mathjax-offline"].parallel_read_safe = True
