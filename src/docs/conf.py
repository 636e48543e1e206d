"""Sphinx's settings for the site (src/docs/build)."""
import os
import re
import shutil
from pathlib import Path

import sphinx.search
from sphinx.search.en import SearchEnglish

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
pygments_style, pygments_dark_style = "default", "github-dark"  # of a contrast of 4.5 everywhere

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


class SearchWords(SearchEnglish):
    """What is typed into the search box, as words; of "sqrt(n)" the n is none, or every n of a page would be marked."""
    js_splitter_code = r"""
function splitQuery(query) {
  const words = query.split(/[^\p{Letter}\p{Number}_]+/gu).filter((word) => word);
  const longer = words.filter((word) => word.length > 1);
  return longer.length ? longer : words;
}
"""


sphinx.search.languages["words"] = SearchWords
html_search_language = "words"


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


def whole_theme(app, exception):
    """Debian's furo imports a script and a style sheet from where a web server would have them: they go into its own."""
    if exception is None:
        static = Path(app.outdir) / "_static"
        for name, line, imported in (
                ("scripts/furo.js", 'import Gumshoe from "./gumshoe-patched.js";', static / "scripts/gumshoe-patched.js"),
                ("styles/furo.css", "@import url(/javascript/normalize.css/normalize.css);",
                 Path("/usr/share/javascript/normalize.css/normalize.css"))):
            text = (static / name).read_text()
            if line in text:
                (static / name).write_text(text.replace(line, imported.read_text()))


def amend_page(app, pagename, templatename, context, doctree):
    """An enum without a name has no anchor: no link to it either. A heading of the side bar has a level."""
    context["body"] = re.sub(r'<a class="headerlink" href="#c\.@[^>]*>[^<]*</a>', "", context.get("body", ""))
    context["furo_navigation_tree"] = context["furo_navigation_tree"].replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app):
    app.connect("html-page-context", amend_page, priority=900)  # behind furo
    app.connect("autodoc-process-docstring", plain_docstring)
    app.connect("build-finished", copy_mathjax)
    app.connect("build-finished", whole_theme)
