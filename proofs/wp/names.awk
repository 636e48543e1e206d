# Reads C as `frama-c -print` writes it; names its axioms or lemmas, but for those of `check lemma`, on which nothing
# rests.
#   usage: awk -v kind=axiom|lemma -f proofs/wp/names.awk FILE...      Output: one name a line
{
  gsub(/[{:]/, " & ")
  for (i = 1; i < NF; i++) if ($i == kind || $i == "/*@" kind) {
    if (i == 1 || $(i - 1) !~ /check$/) print $(i + 1)
  }
}
