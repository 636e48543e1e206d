#!/bin/sh
# The site: every document becomes a page, and every link of a page leads somewhere; a link that does not is noticed.
# Where pandoc is (.ci/setup check).
. tests/cli/harness.sh
if ! command -v pandoc >/dev/null; then
  echo '[  SKIPPED ] pandoc is not installed'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi
bash src/docs/build "$tmp/site" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'the site is built' test "$status" -eq 0
git ls-files '*.md' >"$tmp/documents"
ok 'it has a page for every document' test "$(find "$tmp/site" -name '*.html' | wc -l)" -ge "$(wc -l <"$tmp/documents")"
ok 'the course has its answers' grep -q '<summary>' "$tmp/site/spec/index.html"
ok 'figures are there' test -s "$tmp/site/bounds/results/enclosure.svg"
echo '<a href="nothing.html">' >>"$tmp/site/index.html"
sh src/docs/check_links "$tmp/site" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'a broken link is noticed' test "$status" -eq 1
ok 'and named' grep -q 'nothing.html leads nowhere' "$tmp/out"
finish
