# Enclosures of a report of attcert spectrum as a part of a row of CSV, as they are printed there: rounded outward.
#   usage: awk -v columns='trace norm ...' -f spectrum_row.awk REPORT.json
# Prints lower,upper for each of the columns, fields of the first head; empty where the report has none. The report has
# one field or end a line.
function number(text) { gsub(/[ ,]/, "", text); return text }
/^  "heads": / { heads = 1 }
!heads || done { next }
/^    \}/ { done = 1 }
/^      "[a-z_]*": \[/ { name = $1; gsub(/[":]/, "", name); place = 0; next }
/^      [^ ]/ { name = "" }
name != "" && /^        -?[0-9]/ { if (++place <= 2) end[name, place] = number($0) }
END {
  count = split(columns, name_of, " ")
  for (i = 1; i <= count; i++) row = row (i > 1 ? "," : "") end[name_of[i], 1] "," end[name_of[i], 2]
  print row
}
