"""Sphinx's settings for the site (src/docs/build)."""
import os
import re
import shutil
from pathlib import Path

project = "attcert"
html_title = "attcert"
author = "the authors of attcert"
root_doc = "index"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "breathe"]
html_theme = "furo"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False
smartquotes = False  # "--" begins an option
html_use_index = False
html_domain_indices = False

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 4
suppress_warnings = ["misc.highlighting_failure"]  # of ACSL and excerpts, which are shown without colours
highlight_language = "none"

breathe_projects = {"attcert": os.environ["ATTCERT_XML"]}
breathe_default_project = "attcert"
breathe_domain_by_extension = {"h": "c"}

autodoc_member_order = "bysource"
autodoc_default_options = {"undoc-members": False}

# Debian's MathJax, of which a page needs the output by style sheets and one set of fonts.
MATHJAX = Path("/usr/share/javascript/mathjax")
MATHJAX_PARTS = ("MathJax.js", "config/TeX-AMS_CHTML.js", "jax/output/CommonHTML", "jax/element/mml", "jax/input/TeX",
                 "extensions", "fonts/HTML-CSS/TeX/woff")
mathjax_path = "mathjax/MathJax.js?config=TeX-AMS_CHTML"
mathjax2_config = {"messageStyle": "none", "showMathMenu": False, "tex2jax": {"processClass": "math"}}
myst_update_mathjax = False  # says the same to MathJax 3


def plain_docstring(app, what, name, obj, options, lines):
    """Docstrings are plain text: a paragraph with an indented line is shown as it is, another one as prose."""
    text = []
    for paragraph in re.split(r"\n\s*\n", "\n".join(lines).strip("\n")):
        if re.search(r"(?m)^ ", paragraph):
            text += ["::", "", *(f"   {line}" for line in paragraph.split("\n")), ""]
        else:
            text += [*re.sub(r"([\\*_`|<>])", r"\\\1", paragraph).split("\n"), ""]
    lines[:] = text


def copy_mathjax(app, exception):
    target = Path(app.outdir) / "_static" / "mathjax"
    for part in MATHJAX_PARTS if exception is None else ():
        source = MATHJAX / part
        (target / part).parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy)(source, target / part)


def nameless_links(app, pagename, templatename, context, doctree):
    """An enum without a name has no anchor: no link to it either."""
    context["body"] = re.sub(r'<a class="headerlink" href="#c\.@[^>]*>[^<]*</a>', "", context.get("body", ""))


def setup(app):
    app.connect("html-page-context", nameless_links)
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("build-finished", copy_mathjax)
