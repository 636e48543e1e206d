#!/bin/sh
# E0: the layer that README.md certifies: its enclosure, the estimate, and the bounds of the theory, in one row.
# usage: bounds/experiments/enclosure.sh quick|full FOLDER
. bounds/lib.sh
report demo certify --model random:bert:128,4,2 --seed 1 --layer 1 --text src/cli/demo.txt --tokens 24
run_reports
csv_begin enclosure.csv n 'a layer of a random BERT, 4 heads, d = 128'
csv_row demo 24
csv_end
figure enclosure
