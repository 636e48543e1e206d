#!/bin/sh
# robust: every refuted input re-checks. Read back by `attcert gradient --hidden`, the saved input has an enclosed
# negative margin for the certified label, and it lies in the refuted ball around X, the distance in exact integers.
. tests/cli/harness.sh
export OPENBLAS_NUM_THREADS=1
refuted=0

# within X.npy MOVED.npy RADIUS [WORD...]: the words' rows (all, if none is named) are at most RADIUS away, the other
# rows are X's. Every double is an integer times 2^-1074. The files are version 1.0, '<f8', in C order.
within() {
  perl -MMath::BigInt -MPOSIX=frexp -e '
    sub exact {
      my ($mantissa, $exponent) = frexp($_[0]);
      my $n = Math::BigInt->new(sprintf("%.0f", $mantissa * 2**53));
      my $shift = $exponent - 53 + 1074;
      return $shift >= 0 ? $n->blsft($shift) : $n->brsft(-$shift);
    }
    sub rows {
      open(my $file, "<:raw", $_[0]) or die;
      local $/;
      my $data = <$file>;
      my $size = unpack("v", substr($data, 8, 2));
      substr($data, 10, $size) =~ /<f8.*False.*\((\d+), (\d+)\)/ or die "header of $_[0]";
      my ($n, $d) = ($1, $2);
      my @all = unpack("d<*", substr($data, 10 + $size));
      @all == $n * $d or die "size of $_[0]";
      return map { [@all[$_ * $d .. $_ * $d + $d - 1]] } 0 .. $n - 1;
    }
    my ($x, $moved, $radius, @words) = @ARGV;
    my @from = rows($x);
    my @to = rows($moved);
    @from == @to or die "shapes";
    my %moves = map { $_ => 1 } @words ? @words : 0 .. $#from;
    my $square = Math::BigInt->new(0);
    for my $i (0 .. $#from) {
      for my $a (0 .. $#{$from[$i]}) {
        my $off = exact($to[$i][$a]) - exact($from[$i][$a]);
        exit 1 if !$moves{$i} && !$off->is_zero;
        $square += $off * $off;
      }
    }
    exit($square <= exact($radius) ** 2 ? 0 : 1)' "$@"
}

# What the last run refuted, within $x.npy and of $label, is refuted by what it saved.
# rechecks MODEL SEED [WORD...]
rechecks() {
  model=$1 seed=$2
  shift 2
  ok "an answer ($model, seed $seed)" test -s "$tmp/out"
  radius=$(jq .radius_refuted "$tmp/out")
  [ "$radius" = null ] && return
  refuted=$((refuted + 1))
  json ".label == $label and .refuted_margin[0] <= .refuted_margin[1] and .refuted_margin[1] < 0"
  json "([.moved[].distance | . * .] | add | sqrt) <= $radius * (1 + 1e-12)"
  json "[.moved[].token] - [${*:-range(1000)}] == []"
  low=$(jq '.refuted_margin[0]' "$tmp/out") high=$(jq '.refuted_margin[1]' "$tmp/out")
  exits 0 gradient --model "$model" --seed "$seed" --hidden "$tmp/moved.npy" --label "$label" --format json
  json ".margin[1] < 0 and .margin[0] <= $high and .margin[1] >= $low"
  ok "$model, seed $seed: within $radius" within "$tmp/x.npy" "$tmp/moved.npy" "$radius" "$@"
  rm "$tmp/moved.npy"
}

# network MODEL SEED TOKENS: X by refuting another label of it, then a search and a large ball, of all words and of one.
network() {
  set -- "$1" "$2" "--model $1 --seed $2 --text src/cli/demo.txt --tokens $3"
  # shellcheck disable=SC2086 # several words
  {
    exits 0 gradient $3 --format json
    label=$(jq .label "$tmp/out")
    exits 1 robust $3 --radius 1 --label $((label == 0)) --save-input "$tmp/x.npy" --format json
    exits 0 robust $3 --search --relative 0.1 --save-input "$tmp/moved.npy" --format json
    rechecks "$1" "$2"
    for ball in 1e3 3; do
      run robust $3 --radius $ball --save-input "$tmp/moved.npy" --format json
      rechecks "$1" "$2"
    done
    run robust $3 --words 1 --radius 1e3 --save-input "$tmp/moved.npy" --format json
    rechecks "$1" "$2" 1
  }
}

for seed in 1 2 3; do
  network random:bert:8,2,2 $seed 4
  network random:bert:12,3,1 $seed 5
  network random:gpt2:8,2,1 $seed 3
done
ok 'most are refuted' test "$refuted" -ge 18
finish
