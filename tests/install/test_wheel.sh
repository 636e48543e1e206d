#!/bin/sh
# make wheel: what the wheel holds, and that it needs of a machine what its platform's name promises and no more; it is
# installed with pip and certifies from a folder of its own. tests/bare/run RELEASE wheel does so on a bare machine.
. tests/cli/harness.sh
. tests/install/prefix.sh

skipped() {
  echo "[  SKIPPED ] the wheel: $1"
  echo '[  SKIPPED ] 1 test(s).'
  finish
}
command -v patchelf >/dev/null || skipped 'patchelf is not installed'
/usr/bin/python3 -c 'import setuptools, wheel, pip, numpy' 2>/dev/null ||
  skipped 'no python3 with numpy, pip, setuptools and wheel'

made wheel
ok 'make wheel' test "$status" -eq 0
wheel=$(tail -n 1 "$tmp/out")
version=$(sed -n 's/^#define ATTCERT_VERSION "\(.*\)"/\1/p' src/attcert.h)
glibc=$(getconf GNU_LIBC_VERSION | sed 's/.* //')
platform=manylinux_$(echo "$glibc" | tr . _)_$(uname -m)
ok 'its name has the version and the platform' test "${wheel##*/}" = "attcert-$version-py3-none-$platform.whl"
ok 'it is small enough to pass on' test "$(stat -c %s "$wheel")" -lt 30000000

here=$PWD
/usr/bin/python3 -m pip install -q --no-index --no-deps --no-compile --root-user-action ignore --target "$tmp/site" \
  "$wheel" >"$tmp/out" 2>"$tmp/err"
status=$?
ok 'pip installs it' test "$status" -eq 0
files=$tmp/site/attcert/lib
(cd src/python && find attcert -name '*.py' -o -name py.typed) | sort >"$tmp/expected"
(cd "$tmp/site" && find attcert -name '*.py' -o -name py.typed) | sort >"$tmp/there"
ok 'all of the module is there' cmp "$tmp/expected" "$tmp/there"

# ---- what it asks of a machine

# the libraries of PEP 600 that these use
machines='^(libc|libm|libpthread|libdl|librt|libgcc_s|ld-linux-x86-64)\.so'
binaries() { find "$files" -maxdepth 1 -type f; }
for file in $(binaries); do
  needed=$(patchelf --print-needed "$file" | grep -Ev "$machines")
  for one in $needed; do ok "${file##*/} finds $one beside it" test -f "$files/$one"; done
  ok "${file##*/} looks beside it" test "$(patchelf --print-rpath "$file")" = "\$ORIGIN"
done
borrowed_names() {
  binaries | while read -r file; do patchelf --print-soname "$file" 2>/dev/null; done |
    grep '^lib' | grep -v -e '-attcert\.so' -e '^libattcert\.so'
}
ok 'libraries of others have names of their own' test -z "$(borrowed_names)"
newest=$(binaries | xargs readelf -W --version-info | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1)
latest=$(printf '%s\n' "$newest" "$glibc" | sort -V | tail -n 1)
ok "no symbol is newer than glibc $glibc ($newest)" test -n "$newest" -a "$latest" = "$glibc"
ok 'the libraries of others have their licences' test "$(find "$files/licenses" -name 'lib*' -size +0 | wc -l)" -ge 10
for named in GPL-3 LGPL-3; do ok "the text of $named" grep -qi 'GNU' "$files/licenses/$named.txt"; done
ok 'its own licence' grep -rq 'Apache License' "$tmp/site/attcert-$version.dist-info"

# ---- it certifies, with what it holds

cat >"$tmp/certify.py" <<'END'
import numpy, attcert
x, w = numpy.arange(6.0).reshape(3, 2), numpy.eye(2)
print(repr(attcert.certify(x, w, w, w)), attcert.__version__)
print(repr(attcert.spectrum(None, w, w, w)))
maps = {line.split()[-1] for line in open("/proc/self/maps")}
print("loaded", *sorted(name.rpartition("/")[2] for name in maps if name.startswith(attcert.__path__[0])))
assert not any("libmpfr.so" in name or "libjansson.so" in name for name in maps), maps
END
clean() {
  (cd "$tmp" && env -i PATH=/usr/bin:/bin PYTHONPATH="$tmp/site" PYTHONDONTWRITEBYTECODE=1 "$@") \
    >"$tmp/out" 2>"$tmp/err"
  status=$?
}
clean /usr/bin/python3 certify.py
ok 'Python certifies' test "$status" -eq 0
prints "$version"
for library in mpfr gmp openblas lapacke; do prints "lib$library-attcert.so"; done
clean /usr/bin/python3 -m attcert --version
ok 'python -m attcert is the command line' grep -qx "attcert $version" "$tmp/out"
clean "$tmp/site/bin/attcert" certify --model random:gpt2:16,2,2 --layer 1 --text "$here/src/cli/demo.txt" --tokens 3 \
  --no-bounds
ok 'and so is the command attcert' test "$status" -eq 0
prints '<= ||D_X f||_2 <='
finish
