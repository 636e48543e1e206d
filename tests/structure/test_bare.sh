#!/bin/sh
# tests/bare/run itself, with a debootstrap that makes a few files, and a shell for chroot's: what is kept between runs
# and for how long, what is entered, what is left when it ends or is stopped.
# shellcheck disable=SC2016 # expanded by what runs them
. tests/cli/harness.sh
tree=$tmp/tree
mkdir -p "$tree/tests" "$tmp/bin"
cp -R tests/bare "$tree/tests/bare"
echo committed >"$tree/file"
tree_git() { git -C "$tree" -c user.name=t -c user.email=t@localhost "$@" >/dev/null 2>&1; }
tree_git init
tree_git add .
tree_git commit -m tree
echo changed >"$tree/file"

# stub NAME SCRIPT
stub() {
  printf '%s\n' '#!/bin/bash' "$2" >"$tmp/bin/$1"
  chmod +x "$tmp/bin/$1"
}
stub id 'echo "${USER_ID:-0}"'
stub dpkg 'echo amd64'
stub apt-get 'case $* in
  *update) touch "$CACHE/lists" ;;
  *) if [ -e "$CACHE/lists" ]; then origin=Debian; fi
    echo "Other http://other.example/debian/"; echo "$origin http://mirror.example/debian-security/"
    echo "$origin http://mirror.example/debian/" ;;
  esac'
stub apt-config 'echo "Acquire::http::Proxy \"http://proxy.example:1\";"; echo "APT::Other \"x\";"'
stub debootstrap 'echo "$http_proxy $*" >>"$LOG"; test -z "$NO_MIRROR" || { echo "E: no mirror"; exit 1; }
  mkdir -p "$3/etc/apt/apt.conf.d" "$3/root" "$3/var/cache/apt/archives"
  head -c 100000 /dev/urandom >"$3/bulk"'
# Without the privileges of root: the command itself; `enter` then is $ENTER, a script.
stub setpriv 'shift 2; exec "$@"'
stub unshare 'while [ "${1#--}" != "$1" ]; do shift; done
  case $1 in */enter) shift; MACHINE=$1 exec sh -c "$ENTER" "$@" ;; esac
  exec "$@"'

# bare ENTER: a run whose machine does that.
bare() {
  : >"$tmp/log"
  (cd / && PATH="$tmp/bin:$PATH" XDG_CACHE_HOME=$tmp/cache LOG=$tmp/log CACHE=$tmp ENTER=$1 ATTCERT_DATA=/ "$tree/tests/bare/run" bookworm \
    >"$tmp/out" 2>"$tmp/err")
  status=$?
  ok 'no machine is left' test -z "$(find "$tmp/cache" -name 'machine.*' 2>/dev/null)"
}
archive=$tmp/cache/attcert-bare/bookworm-amd64.tar.gz
makes_base() { ok "$1 makes a base" test "$(wc -l <"$tmp/log")" -eq 1; }

USER_ID=1 bare 'echo entered'
ok 'skipped for who is not root' test "$status" -eq 0
prints '[  SKIPPED ] a bare bookworm'
ok 'and not entered' test "$(grep -c entered "$tmp/out")" -eq 0

NO_MIRROR=1 bare 'echo entered'
ok 'without a mirror it fails' test "$status" -ne 0
ok 'says why' grep -q 'E: no mirror' "$tmp/err"
ok 'keeps nothing' test ! -e "$archive"
ok 'and does not enter' test "$(grep -c entered "$tmp/out")" -eq 0

bare 'cat "$MACHINE/root/attcert/file" "$MACHINE/etc/apt/sources.list" "$MACHINE"/etc/apt/apt.conf.d/*; echo "$2 $3 $4"; echo last'
ok 'succeeds' test "$status" -eq 0
makes_base 'the first run'
ok "with this machine's mirror and proxy" grep -q \
  '^http://proxy.example:1 .*bookworm .* http://mirror.example/debian/$' "$tmp/log"
prints 'committed'
prints 'not committed is left out'
prints 'deb http://mirror.example/debian/ bookworm main'
prints 'Acquire::http::Proxy'
ok "of apt's settings only those" test "$(grep -c 'APT::Other' "$tmp/out")" -eq 0
prints '/ demo test'
ok 'the last line is that of the machine' test "$(tail -n 1 "$tmp/out")" = last

bare 'test -s "$MACHINE/bulk"'
ok 'a second run succeeds' test "$status" -eq 0
ok 'from the base that was kept' test ! -s "$tmp/log"
touch -d '40 days ago' "$archive"
bare true
makes_base 'after forty days a run'
mkdir "$tmp/broken"
echo old >"$tmp/broken/a"
head -c 100000 /dev/urandom >"$tmp/broken/bulk"
tar -C "$tmp/broken" -cz a bulk 2>/dev/null | head -c 50000 >"$archive"
bare 'test "$(stat -c %s "$MACHINE/bulk")" -eq 100000 -a ! -e "$MACHINE/a"'
makes_base 'a broken archive'
ok 'and the machine is whole' test "$status" -eq 0
bare true
ok 'then it is kept again' test ! -s "$tmp/log"
bare 'echo "1 passed, 1 failed, 0 skipped"; exit 2'
ok "the machine's exit status" test "$status" -eq 2

# Stopped while the machine works: nothing is left running, nor on the disk.
(cd / && PATH="$tmp/bin:$PATH" XDG_CACHE_HOME=$tmp/cache LOG=$tmp/log CACHE=$tmp ENTER="echo \$\$ >$tmp/pid; exec sleep 60" \
  exec "$tree/tests/bare/run" bookworm >"$tmp/out" 2>"$tmp/err") &
run=$!
waited=0
while [ ! -s "$tmp/pid" ] && [ $waited -lt 100 ]; do
  sleep 0.2
  waited=$((waited + 1))
done
kill -TERM $run
wait $run
ok 'a signal ends it' test $? -eq 130
ok 'and the machine' test -z "$(ps -o pid= -p "$(cat "$tmp/pid")")"
ok 'which is removed' test -z "$(find "$tmp/cache" -name 'machine.*')"
finish
