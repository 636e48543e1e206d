#!/bin/sh
# The types of the Python module: mypy --strict finds nothing in src/python, and in tests/python/typed_calls.py the
# wrong calls and no others. Where mypy is not installed it is skipped.
. tests/cli/harness.sh
python=$(sh src/python/interpreter numpy)
if ! command -v mypy >/dev/null; then
  echo '[  SKIPPED ] mypy is not installed'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi
# typed FILE...: by the settings of pyproject.toml, which are strict
typed() {
  MYPYPATH=src/python mypy --no-color-output --cache-dir "$tmp/cache" --python-executable "$python" "$@" \
    >"$tmp/out" 2>"$tmp/err"
  status=$?
}
ok 'the settings are strict' grep -qx 'strict = true' pyproject.toml
typed src/python/attcert src/python/gallery
ok 'mypy finds nothing in the module' test "$status" -eq 0
calls=tests/python/typed_calls.py
typed "$calls"
ok 'and something in wrong calls' test "$status" -eq 1
sed -n "s|^$calls:\([0-9]*\): error.*|\1|p" "$tmp/out" | sort -nu >"$tmp/found"
grep -n '# wrong$' "$calls" | cut -d : -f 1 >"$tmp/wrong"
ok 'in each of them, and in no other' cmp "$tmp/found" "$tmp/wrong"
ok 'there are many' test "$(wc -l <"$tmp/wrong")" -gt 30
finish
