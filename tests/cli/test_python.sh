#!/bin/sh
# The Python module on the library that was built: its unit tests, the examples of README.md and of two pages of
# src/docs, the gallery, and its help. A python3 with numpy runs it; one that has torch too runs the tests of torch's
# own layers.
. tests/cli/harness.sh
build=${BUILD:-build}
python=$(sh src/python/interpreter numpy torch || sh src/python/interpreter numpy)
export PYTHONPATH="$PWD/src/python" PYTHONDONTWRITEBYTECODE=1 ATTCERT="$build/attcert" ATTCERT_LIBRARY="$build/libattcert.so.0"
ok 'a python3 with numpy' test -n "$python"
if ! "$python" -c 'import attcert' 2>"$tmp/err" && grep -q 'ASan\|cannot allocate memory in static TLS' "$tmp/err"; then
  echo "the library was built with a sanitizer, which python3 was not"
  finish
  exit
fi

python() {
  "$python" "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
for test in tests/python/test_*.py; do
  python -m unittest "$test"
  ok "$test" test "$status" -eq 0
  echo "$test: $(grep '^Ran\|^OK' "$tmp/err" | tr '\n' ' ')"
done
# shown PAGE: the blocks right behind those of Python, which show what these print.
shown() {
  awk '/^```/ { open = !open; show = open && behind && $0 == "```"; if (open) python = /python/; else behind = python; next }
    !open && NF { behind = 0 } show' "$1"
}
# Without a width, to the digits that no machine changes.
steady() { sed -E 's/width [^,]*//; s/([0-9]\.[0-9]{9})[0-9]*/\1/g'; }
for page in README.md src/docs/python.md src/docs/power_iteration.md; do
  sed -n '/^```python$/,/^```$/p' $page | grep -v '^```' >"$tmp/page.py"
  python "$tmp/page.py"
  ok "the example of $page" test "$status" -eq 0 -a -s "$tmp/page.py" -a -s "$tmp/out"
  steady <"$tmp/out" >"$tmp/printed"
  shown "$page" | steady >"$tmp/shown"
  lines=$((${lines:-0} + $(wc -l <"$tmp/shown")))
  while IFS= read -r line; do ok "$page shows '$line'" grep -qxF -- "$line" "$tmp/printed"; done <"$tmp/shown"
done
ok 'the pages show what is printed' test "$lines" -eq 7
for script in src/python/gallery/*.py; do
  python "$script" --quick --output "$tmp/figure.svg"
  ok "$script" test "$status" -eq 0
done
python -m pydoc attcert
ok 'pydoc shows the functions' grep -q 'certify(x, q, k, v, heads=1' "$tmp/out"
finish
