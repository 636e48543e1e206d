# One part of bench.json as lines of fields with tabs between; the first line names them.
def digits($count): if . == null then "" elif . == 0 then "0" else
  (fabs | log10 | floor) as $e | pow(10; $count - 1 - $e) as $scale
  | if $e >= -3 and $e < 6 then (. * $scale | round) / $scale | tostring
    else ((. / pow(10; $e) * 100 | round) / 100 | tostring) + "e" + ($e | tostring) end end;
def mebibytes: if . == null then "" else . / 1048576 | round | tostring end;
def yes: if . == null then "not run" elif . then "yes" else "NO" end;

def machine_lines:
  ["run", "processor", "processors", "threads", "BLAS", "GEMM, Gflop/s", "load at the start"],
  [.mode] + [.machine | .cpu, (.processors | tostring), (.threads | tostring), .blas, (.gemm_flops_a_second / 1e9 | digits(3)),
   (.load_at_start | tostring)];
def row_lines:
  ["case", "N", "n", "mask", "program", "s, median", "min", "max", "runs", "relative width", "/ floor", "/ peer", "the peer", "MiB, or why it was not run"],
  (.rows[] | if .skipped then [.case, (.N // "" | tostring), (.n // "" | tostring), .mask, .program, "", "", "", "", "", "", "", "", .skipped]
    else [.case, (.N | tostring), (.n | tostring), .mask,
          .program + (if .program == "arb_certificate" then ", \(.precision_bits) bits" elif (.iterations // 0) > 0 then ", \(.iterations) steps" + (if .converged then "" else ", its last" end) else "" end),
          (.seconds | .median, .min, .max | digits(3)), (.runs | length | tostring), (.relative_width | digits(3)),
          (.floor_ratio | digits(3)), (.peer_ratio | digits(3)), (if .peer_ratio then .reference else "" end), (.peak_memory_bytes | mebibytes)] end);
def growth_lines:
  ["family", "mask", "program", "N", "time", "memory", "most, MiB"],
  (.growth[] | [.family, .mask, .program, "\(.first) to \(.last)", "N^" + (.seconds_exponent | digits(3)),
                (if .memory_exponent then "N^" + (.memory_exponent | digits(3)) else "" end), (.peak_memory_bytes | mebibytes)]);
def bar_lines: ["bar", "value", "at most", "met"], (.bars[] | [.what, (.value | digits(3)), (.limit | digits(3)), (.met | yes)]);
# How often each check held; what does not hold is named.
def check_lines:
  ["check", "program", "held", "violated at"],
  (.checks | group_by([.what, .program])[]
   | [.[0].what, .[0].program, "\(map(select(.holds)) | length) of \(length)",
      (map(select(.holds | not) | "\(.case) (\(.mask))") | join("; "))]);

if $part == "machine" then machine_lines elif $part == "rows" then row_lines elif $part == "growth" then growth_lines
elif $part == "bars" then bar_lines else check_lines end | @tsv
