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
ok 'the manual page has the options' grep -q -- '--radius' "$tmp/site/man.html"
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

ok 'CITATION.cff has the version' grep -qx "version: $(sed -n 's/^#define ATTCERT_VERSION "\(.*\)"/\1/p' src/attcert.h)" CITATION.cff
ok 'and is YAML' "$python" -c 'import yaml; assert yaml.safe_load(open("CITATION.cff"))["cff-version"] == "1.2.0"'

page=$tmp/site/src/docs/layer.html
echo '<a href="nothing.html">' >>"$page"
sh src/docs/check_links "$tmp/site" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'a broken link is noticed' test "$status" -eq 1
ok 'and named' grep -q 'nothing.html leads nowhere' "$tmp/out"
finish
