# How far each bound is above the certified value: a line a layer, a mark a bound.
height = 620
load 'bounds/style.gp'
data = folder . '/looseness.csv'
bounds = 'T6 T7 T9 T4 T1'
count = int(system(sprintf("awk 'END { print NR - 1 }' %s", data)))
mark = '8 10 7 6 4'
style = '3 4 9 2 1'
set datafile columnheaders
set logscale x
set xrange [1:3000]
set yrange [count - 0.3:-0.7]
set format x '%g'
set ytics font ',13'
set xlabel 'bound / certified upper end (median over the longest sequences)'
set title 'How loose the bounds are at real inputs'
set key title 'bound'
plot for [i = 1:words(bounds)] data using (column(word(bounds, i) . '_over_upper')):0:ytic(sprintf('%s %s, %s', strcol('model'), strcol('layer'), strcol('text'))) \
       with points pt int(word(mark, i)) ps 1.3 lw 2 lc rgb colour(int(word(style, i))) title word(bounds, i)
