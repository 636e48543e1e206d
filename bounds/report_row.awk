# One row of CSV from a JSON report of attcert, its numbers as they are printed there: rounded outward.
#   usage: awk -v columns=lower,upper,...,T1,...,seconds -f report_row.awk REPORT.json
# A column is a field of the report, or the id of a bound of the theory (its upper, of T3 and T10 its lower); empty
# where the report has none. seconds is the time of certifying and evaluating the bounds. The report has one field a
# line.
function text(    t) {
  t = $0
  sub(/^[^:]*: */, "", t)
  sub(/,$/, "", t)
  gsub(/"/, "", t)
  return t == "null" ? "" : t
}
{ name = $1; gsub(/[":]/, "", name) }
/^  "[a-z_]*": [{\[]/ { part = name; next }
/^  "/ { part = "" }
part == "" || part == "lipschitz" { field[name] = text() }
part == "seconds" { seconds[name] = text() }
part == "bounds" && name == "id" { id = text() }
part == "bounds" && (name == "upper" || name == "lower") { field[id] = text() }
END {
  if (!("lower" in field)) { print FILENAME ": no certificate" > "/dev/stderr"; exit 1 }
  if (field["upper_hex"] == "inf") field["upper"] = "inf" # JSON has no infinity
  field["seconds"] = sprintf("%.3f", seconds["total"] + seconds["bounds"])
  count = split(columns, name_of, ",")
  for (i = 1; i <= count; i++) row = row (i > 1 ? "," : "") field[name_of[i]]
  print row
}
