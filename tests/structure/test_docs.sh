#!/bin/sh
# The site: every document becomes a page, every link of a page leads somewhere, and the index of the search has the
# words that users look for; a link that leads nowhere is noticed. Where Sphinx and what it needs are (.ci/setup check).
. tests/cli/harness.sh
python=$(sh src/python/interpreter sphinx myst_parser furo breathe numpy yaml)
if [ -z "$python" ] || ! command -v doxygen >/dev/null || ! command -v mandoc >/dev/null ||
  ! command -v sphinx-build >/dev/null || [ ! -e /usr/share/javascript/mathjax/MathJax.js ]; then
  echo '[  SKIPPED ] sphinx, myst-parser, furo, breathe, doxygen, mandoc or MathJax is not installed'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi
"$python" src/docs/build "$tmp/site" >"$tmp/out" 2>"$tmp/err"
status=$?
if grep -q 'ASan\|cannot allocate memory in static TLS' "$tmp/err"; then
  echo "the library was built with a sanitizer, which python3 was not"
  finish
fi
ok 'the site is built, without a warning' test "$status" -eq 0 -a ! -s "$tmp/err"
sh src/docs/check_links "$tmp/site" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'every link leads somewhere' test "$status" -eq 0
git ls-files '*.md' >"$tmp/documents"
ok 'it has a page for every document' test "$(find "$tmp/site" -name '*.html' | wc -l)" -ge "$(wc -l <"$tmp/documents")"
ok 'the course has its answers' grep -q '<summary>' "$tmp/site/spec/course/1_derivative.html"
ok 'and notebooks' test "$(find "$tmp/site/_downloads" -name '*.ipynb' | wc -l)" -eq 8
ok 'formulas are marked for MathJax' grep -q 'class="math' "$tmp/site/spec/course/6_theory.html"
ok 'which is on the site' test -s "$tmp/site/_static/mathjax/MathJax.js"
ok 'and nothing else is loaded' test -z "$(grep -hoE '(src|href)="https?://[^"]*\.(js|css)' "$tmp/site/index.html")"
ok 'nor by the theme' test -z "$(grep -E '^(import|@import) ' "$tmp/site/_static/scripts/furo.js" "$tmp/site/_static/styles/furo.css")"
ok 'the manual page has the options' grep -q -- '<dt><strong>--radius' "$tmp/site/man.html"
ok 'whose text is prose' test "$(grep -c '<pre>.*\*\*' "$tmp/site/man.html")" -eq 0
ok 'the Python module is there' grep -q 'attcert.certify' "$tmp/site/python.html"
ok 'the header is there' grep -q 'attcert_enclose' "$tmp/site/header.html"

# found WORD...: a page that has them all, by the index that the search of the site reads.
found() {
  "$python" - "$tmp/site/searchindex.js" "$@" <<'END'
import sys
from sphinx.search import js_index
from sphinx.search.en import SearchEnglish
terms = js_index.load(open(sys.argv[1]))["terms"]
pages = [set([found] if isinstance(found, int) else found) for found in (terms.get(word, []) for word in map(SearchEnglish({}).stem, sys.argv[2:]))]
sys.exit(not set.intersection(*pages))
END
}
ok 'the search finds sqrt(n)' found sqrt
ok 'the search finds relative_key' found relative_key
ok 'the search finds exit status' found exit status
ok 'and no word that is not there' test "$(found nosuchword && echo found)" = ''

# The contrast of the colours of code with their ground, as WCAG 2 defines it; 4.5 is what it asks of text.
"$python" - "$tmp/site/_static/pygments.css" >"$tmp/out" <<'END'
import re
import sys
def luminance(colour):
    digits = colour if len(colour) == 6 else "".join(2 * digit for digit in colour)
    parts = [int(digits[k:k + 2], 16) / 255 for k in (0, 2, 4)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
grounds = {}
for selector, rule in re.findall(r"(?m)^\s*(.*?) {([^}]*)}", open(sys.argv[1]).read()):
    theme = selector.split(".highlight")[0]
    colours = dict(re.findall(r"(?:^|[ ;])(color|background|background-color): #([0-9a-fA-F]{3,6})", rule))
    ground = colours.get("background", colours.get("background-color"))
    if selector.endswith(".highlight"):
        grounds[theme] = ground
    if "color" in colours and not selector.endswith(".w") and "linenos" not in selector:  # blanks; numbers of lines
        low, high = sorted((luminance(colours["color"]), luminance(ground or grounds[theme])))
        print(f"{(high + 0.05) / (low + 0.05):.2f} {selector}")
END
ok 'code has colours, light and dark' test "$(wc -l <"$tmp/out")" -ge 100
ok 'of enough contrast' test -z "$(awk '$1 < 4.5' "$tmp/out")"

# In a browser: the page's script runs, and what is typed into the search box leads to the right pages.
browsed() {
  HOME=$tmp chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files --virtual-time-budget=20000 \
    --user-data-dir="$tmp/browser" --dump-dom "file://$tmp/site/$1" >"$tmp/out" 2>"$tmp/err"
}
leads_to() {
  browsed "search.html?q=$1"
  ok "the search box leads from '$1' to $2" grep -q "<a href=\"[^\"]*$2\" data-score=" "$tmp/out"
}
if command -v chromium >/dev/null; then
  browsed index.html
  ok "the theme's script runs" test "$(grep -c '<html[^>]*class="no-js"' "$tmp/out")" -eq 0 -a -s "$tmp/out"
  leads_to 'sqrt(n)' 6_theory.html
  leads_to relative_key models.html
  leads_to 'exit+status' man.html#exit-status
else
  echo '[  SKIPPED ] the site in a browser: no chromium'
  echo '[  SKIPPED ] 1 test(s).'
fi

ok 'CITATION.cff has the version' grep -qx "version: $(sed -n 's/^#define ATTCERT_VERSION "\(.*\)"/\1/p' src/attcert.h)" CITATION.cff
ok 'and is YAML' "$python" -c 'import yaml; assert yaml.safe_load(open("CITATION.cff"))["cff-version"] == "1.2.0"'

page=$tmp/site/src/docs/layer.html
echo '<a href="nothing.html">' >>"$page"
sh src/docs/check_links "$tmp/site" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'a broken link is noticed' test "$status" -eq 1
ok 'and named' grep -q 'nothing.html leads nowhere' "$tmp/out"
finish
