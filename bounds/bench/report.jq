# The whole of a run, from $machine and $rows (measure.sh): times summed up, set beside the floor and a peer; growth;
# bars; checks.

def median: sort | if length % 2 == 1 then .[length / 2 | floor] else (.[length / 2 - 1] + .[length / 2]) / 2 end;
def ratio($a; $b): if $a == null or $b == null or $b == 0 then null else $a / $b end;

# The slope of the least-squares line through log(y) against log(x); points: [[x, y], ...] with two values of x or more.
def exponent:
  map(map(log)) | length as $count | (map(.[0]) | add) as $x | (map(.[1]) | add) as $y
  | (($count * (map(.[0] * .[1]) | add)) - $x * $y) / (($count * (map(.[0] * .[0]) | add)) - $x * $x);

# One factorisation of an N x N matrix at the rate of a matrix product.
def floor_seconds($machine): .N * .N * .N / 3 / $machine.gemm_flops_a_second;

def summed($machine):
  if .skipped then . else
    . + {seconds: {median: (.runs | median), min: (.runs | min), max: (.runs | max)}}
    | . + {floor_ratio: ratio(.seconds.median; floor_seconds($machine))}
  end;
def same_layer($row): .case == $row.case and .mask == $row.mask;
def with_peer($rows):
  if .reference == null or .skipped then . else
    . as $row | . + {peer_ratio: ratio(.seconds.median; [$rows[] | select(same_layer($row) and .program == $row.reference
                                                                          and (.skipped | not))][0].seconds.median)}
  end;

def growth:
  map(select(.skipped | not)) | group_by([.family, .mask, .program])
  | map(select((map(.N) | unique | length) >= 2)
        | {family: .[0].family, mask: .[0].mask, program: .[0].program, first: (map(.N) | min), last: (map(.N) | max),
           seconds_exponent: (map([.N, .seconds.median]) | exponent),
           memory_exponent: (if all(.[]; .peak_memory_bytes) then map([.N, .peak_memory_bytes]) | exponent else null end),
           peak_memory_bytes: (map(.peak_memory_bytes // 0) | max)});

# What is asked of attcert: value <= limit; null where the case was not run.
def bar($what; $value; $limit): {what: $what, value: $value, limit: $limit, met: (if $value == null then null else $value <= $limit end)};
def row($case; $mask; $program): [.[] | select(.case == $case and .mask == $mask and .program == $program and (.skipped | not))][0];
# Random starts: the width, the time beside the estimate's, memory.
def starts($case; $mask; $width; $times; $gib):
  row($case; $mask; "attcert random") as $random
  | "\($case)\(if $mask == "none" then "" else ", " + $mask end), random" as $what
  | bar("\($what): relative width"; $random.relative_width; $width),
    bar("\($what): time / power iteration to 1e-6"; $random.peer_ratio; $times),
    bar("\($what): GiB"; ratio($random.peak_memory_bytes?; 1073741824); $gib);
# auto, where other engines were asked for the same width: its time beside the least of those that reached it.
def automatic:
  [group_by([.case, .mask])[] | (map(select(.asked == "auto"))[0]) as $auto | select($auto)
   | [.[] | select(.asked and .asked != "auto" and (.skipped | not) and .relative_width <= .width)] as $engines
   | select($engines | length > 0)
   | {time: ratio($auto.seconds.median; $engines | map(.seconds.median) | min), width: ratio($auto.relative_width; $auto.width)}];
def bars:
  automatic as $automatic |
  row("d = 512, n = 16"; "none"; "attcert dense") as $dense | row("BERT head, n = 100"; "none"; "attcert deflated") as $head
  | row("d = 64, n = 8"; "none"; "attcert mpfr") as $small | row("d = 128, n = 8"; "none"; "attcert mpfr") as $large
  | row("BERT-base, n = 32"; "none"; "attcert dense") as $bert
  | row("BERT-base, n = 100"; "none"; "attcert deflated") as $unmasked
  | row("BERT-base, n = 100"; "causal"; "attcert deflated") as $masked
  | def over: ratio(.upper; .lower) | if . == null then null else . - 1 end;
    def minutes: ratio(.seconds.median?; 60);
    def gib: ratio(.peak_memory_bytes?; 1073741824);
    [bar("dense, N = 8,192: time / floor"; $dense.floor_ratio; 4),
     bar("dense, N = 8,192: time / dsyevr"; $dense.peer_ratio; 1),
     bar("dense, N = 8,192: relative width"; $dense.relative_width; 1e-10),
     bar("one head, N = 6,400: time / power iteration to 1e-6"; $head.peer_ratio; 3),
     bar("one head, N = 6,400: relative width"; $head.relative_width; 1e-9),
     bar("mpfr, N = 512: time / Arb"; $small.peer_ratio; 1),
     bar("mpfr, N = 1,024: seconds"; $large.seconds.median; 120),
     bar("BERT-base, n = 32, dense: relative width"; $bert.relative_width; 1e-9),
     bar("BERT-base, n = 32, dense: minutes"; $bert | minutes; 5),
     bar("BERT-base, n = 32, dense: GiB"; $bert | gib; 7),
     bar("BERT-base, n = 100, unmasked: upper / lower - 1"; $unmasked | over; 0.01),
     bar("BERT-base, n = 100, unmasked: minutes"; $unmasked | minutes; 15),
     bar("BERT-base, n = 100, unmasked: GiB"; $unmasked | gib; 8),
     bar("BERT-base, n = 100, masked: upper / lower - 1"; $masked | over; 0.05),
     bar("BERT-base, n = 100, masked: minutes"; $masked | minutes; 30),
     bar("BERT-base, n = 100, masked: GiB"; $masked | gib; 12),
     starts("BERT-base, n = 100, to 1 %"; "none"; 0.01; 3; 1), starts("BERT-base, n = 100, to 1 %"; "causal"; 0.01; 3; 1),
     starts("BERT-base, n = 100, to 0.1 %"; "none"; 0.001; 4; 1), starts("BERT-base, n = 100, to 0.1 %"; "causal"; 0.001; 4; 1),
     starts("BERT-base, n = 100, weights x 4"; "none"; 0.01; 5; 1),
     starts("d = 768, n = 1,000"; "none"; 0.01; 5; 12), starts("d = 4,096, n = 128"; "none"; 0.01; 5; 12),
     bar("auto: time / the fastest engine's, the most"; $automatic | map(.time) | max; 3),
     bar("auto: relative width / asked, the most"; $automatic | map(.width) | max; 1)];

# Every value against what is certified of the same layer: [lower, upper] is the intersection of its enclosures. A value
# in double may be off by its rounding.
def check($what; $holds): {what: $what, holds: $holds};
def two_sided: .program | startswith("lapack_");
def checks_of_row($lower; $upper):
  if .asked then
    check("lower <= upper"; .lower <= .upper),
    check("the run is complete, by the engine asked for"; .complete and (.engine == .asked or .asked == "auto"))
  elif .program == "arb_certificate" then
    check("Arb proves the upper end"; .proved != null and .proved >= $lower)
  elif .proved then
    check("the bound proved >= certified lower end"; .proved >= $lower)
  else
    check("norm <= certified upper end (1 + rounding)"; .norm <= $upper * (1 + .rounding)),
    (if two_sided then check("norm >= certified lower end (1 - rounding)"; .norm >= $lower * (1 - .rounding))
     else check("stopped by its rule, or after its steps"; .converged or .iterations == .most_iterations) end)
  end;
def checks:
  map(select(.skipped | not)) | group_by([.case, .mask]) | map(
    (map(.lower // empty) | max) as $lower | (map(.upper // empty) | min) as $upper | .[0] as $first
    | (check("the enclosures of all engines meet"; $lower <= $upper) + {program: "attcert"}),
      (.[] | checks_of_row($lower; $upper) + {program})
    | {case: $first.case, mask: $first.mask} + .);

$machine[0] as $m
| ($rows | map(summed($m))) as $summed
| ($summed | map(with_peer($summed))) as $all
| {schema: "attcert/bench/1", mode: $mode, machine: $m, rows: $all, growth: ($all | growth), bars: ($all | bars), checks: ($all | checks)}
