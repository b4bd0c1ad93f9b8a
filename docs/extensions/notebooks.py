"""Notebooks: each page begins with a download of the notebook as it is in the repository, without outputs.

They have no outputs, so that ``myst_nb`` executes them whenever Sphinx reads them; a cell that fails is an error of the build.
Formulas that a cell shows are read as they are in a notebook: between dollars, with words after them.
"""

from __future__ import annotations

from docutils import nodes
from myst_nb.core.render import NbElementRenderer
from sphinx.addnodes import download_reference
from sphinx.transforms import SphinxTransform

FOLDER = "notebooks/"


class Download(SphinxTransform):
    """A link to the notebook below the title of its page, before Sphinx collects what can be downloaded."""

    default_priority = 400

    def apply(self) -> None:
        """Write the link."""
        name = f"{self.env.docname.removeprefix(FOLDER)}.ipynb"
        if not self.env.docname.startswith(FOLDER) or self.env.doc2path(self.env.docname).suffix != ".ipynb":
            return
        title = next(self.document.findall(nodes.title))
        link = download_reference("", "", nodes.literal("", name), reftarget=name, refdoc=self.env.docname)
        title.parent.insert(title.parent.index(title) + 1, nodes.paragraph("", "Download: ", link))


def setup(app):
    """Add the link to each notebook, and read formulas as Markdown."""
    NbElementRenderer.render_text_latex = NbElementRenderer.render_markdown
    app.add_transform(Download)
    return {"parallel_read_safe": True}
