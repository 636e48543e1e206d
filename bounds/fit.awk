# The power law lower ~ C n^a that least squares fit to the logarithms, from a CSV file with columns n and lower.
#   usage: awk -f fit.awk FILE.csv
# Prints rows,first n,last n,C,a,largest relative width; C and a empty with fewer than two lengths.
BEGIN { FS = "," }
/^#/ { next }
!columns { columns = NF; for (i = 1; i <= NF; i++) column[$i] = i; next }
{
  n = $column["n"]
  lower = $column["lower"]
  if (!rows || n + 0 < first) first = n + 0
  if (!rows || n + 0 > last) last = n + 0
  rows++
  if ($column["relative_width"] + 0 > widest) widest = $column["relative_width"] + 0
  x = log(n); y = log(lower)
  sx += x; sy += y; sxx += x * x; sxy += x * y
}
END {
  spread = rows * sxx - sx * sx
  if (first < last) {
    a = (rows * sxy - sx * sy) / spread
    c = exp((sy - a * sx) / rows)
    printf "%d,%d,%d,%.4g,%.4f,%.2e\n", rows, first, last, c, a, widest
  } else printf "%d,%d,%d,,,%.2e\n", rows, first, last, widest
}
