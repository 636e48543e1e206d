# An installation below $tmp, for tests/install/test_*.sh: sourced after tests/cli/harness.sh.
# shellcheck shell=sh disable=SC2034,SC2154
build=${BUILD:-build}
prefix=$tmp/usr

# A program linked with a sanitized library needs its run-time library first; what is installed is the plain build.
if readelf -W --dyn-syms "$build/attcert" | grep -Eq '__(asan|tsan)_init'; then
  echo '[  SKIPPED ] an installation: the build is for the sanitizers'
  echo '[  SKIPPED ] 1 test(s).'
  finish
fi

# made TARGET ARGUMENT...: make, quietly, of what is built.
made() {
  env -u MAKEFLAGS -u MAKELEVEL make -s BUILD="$build" "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}
