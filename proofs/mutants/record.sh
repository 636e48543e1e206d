# shellcheck shell=sh disable=SC2034 # which files, for those that source it
# The list of seeded bugs, and whether the record has a verdict about each as it now stands; to be sourced from the top
# folder.
list=proofs/mutants/list.txt record=proofs/results/mutants.csv

# The file of a witness, where FILE has the bug.
proof_of() { case $2 in *:*) echo "${2%:*}" ;; *) echo "$1" ;; esac; } # FILE WITNESS

# Of a bug's line, its file and its witness: a verdict holds as long as these are the same.
digest_of() { # LINE FILE JUDGE WITNESS
  case $3 in wp) set -- "$1" "$2" "$(proof_of "$2" "$4")" ;; *) set -- "$1" "$2" "$4.c" ;; esac
  { printf '%s\n' "$1"; cat "$2" "$3"; } | md5sum | cut -c 1-12
}

recorded() { awk -F , -v name="$1" -v digest="$2" '$1 == name && $6 == digest { found = 1 } END { exit !found }' "$record"; }
