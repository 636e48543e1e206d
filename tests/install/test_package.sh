#!/bin/sh
# make deb: what the package holds and needs, that dpkg installs and removes it without a rest, and lintian's errors
# where it is there.
. tests/cli/harness.sh
. tests/install/prefix.sh

made deb
ok 'make deb' test "$status" -eq 0
package=$(cat "$tmp/out")
dpkg-deb -I "$package" >"$tmp/out" 2>"$tmp/err"
for depended in libmpfr6 libgmp10 libopenblas0 liblapacke libjansson4 libnettle8 libutf8proc[23] libpcre2-8-0 libprotobuf-c1 zlib1g libc6; do
  ok "depends on $depended" grep -q "^ Depends:.*$depended" "$tmp/out"
done

# A system of its own: folders and a list of packages, no root needed.
mkdir -p "$tmp/admin/updates" "$tmp/admin/info" "$tmp/root"
: >"$tmp/admin/status"
installer() {
  PATH="$PATH:/usr/sbin:/sbin" dpkg --admindir="$tmp/admin" --instdir="$tmp/root" --log=/dev/null --force-not-root \
    --force-depends --force-script-chrootless --no-triggers "$@" >"$tmp/out" 2>"$tmp/err"
}
ok 'dpkg installs it' installer -i "$package"
library=$(find "$tmp/root" -name 'libattcert.so.0')
ok 'the program runs' "$tmp/root/usr/bin/attcert" certify --model random:gpt2:16,2,2 --layer 1 --text src/cli/demo.txt \
  --tokens 3 --no-bounds --output "$tmp/out"
ok 'with its library' test -s "$library"
ok 'with its examples' test -s "$tmp/root/usr/share/doc/attcert/examples/check.cpp"
export PKG_CONFIG_PATH="${library%/*}/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$tmp/root"
# shellcheck disable=SC2046 # several flags
ok 'a program is compiled against it' "${CC:-cc}" src/examples/certify.c $(pkg-config --cflags --libs attcert) \
  -o "$tmp/example"
LD_LIBRARY_PATH="${library%/*}" ok 'and runs' "$tmp/example" >"$tmp/out" 2>"$tmp/err"
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
  cat >"$tmp/three_lines.py" <<'END'
import numpy, attcert
x, w = numpy.arange(6.0).reshape(3, 2), numpy.eye(2)
print(repr(attcert.certify(x, w, w, w, heads=1)))
END
  LD_LIBRARY_PATH="${library%/*}" PYTHONPATH="$tmp/root/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE= \
    /usr/bin/python3 "$tmp/three_lines.py" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok 'Python certifies in three lines' test "$status" -eq 0
  ok 'and says so in one' test "$(wc -l <"$tmp/out")" -eq 1
  ok 'which leaves compiled modules' test -d "$tmp/root/usr/lib/python3/dist-packages/attcert/__pycache__"
else
  echo '[  SKIPPED ] numpy is not installed'
  echo '[  SKIPPED ] 1 test(s).'
fi
ok 'dpkg removes it' installer -P attcert
ok 'without a rest' test -z "$(find "$tmp/root" -type f -o -type l -o -name 'attcert*')"

if command -v lintian >/dev/null; then
  lintian --fail-on error --tag-display-limit 0 --allow-root "$package" >"$tmp/out" 2>"$tmp/err"
  status=$?
  ok 'lintian finds no error' test "$status" -eq 0
else
  echo '[  SKIPPED ] lintian is not installed'
  echo '[  SKIPPED ] 1 test(s).'
fi
finish
