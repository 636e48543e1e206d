# Masked over unmasked at the same inputs, against n.
load 'bounds/style.gp'
data = folder . '/mask.csv'
cases = system(sprintf("awk -F , 'NR > 1 { print $1 \":\" $2 }' %s | awk '!seen[$0]++'", data))
model(c) = c[1:strstrt(c, ':') - 1]
layer(c) = int(c[strstrt(c, ':') + 1:*])
ratio(c) = strcol('model') eq model(c) && column('layer') == layer(c) ? column('ratio_lower') : NaN
set logscale xy
set xtics (2, 4, 8, 16, 32, 64, 100)
set ytics (0.2, 0.3, 0.5, 0.7, 1, 1.4, 2, 3)
set xrange [1.7:115]
set yrange [0.25:2.2]
set xlabel 'tokens n'
set ylabel 'masked ||D_X f||_2 / unmasked, same input'
set title 'What the causal mask does to the local Lipschitz constant'
plot 1 with lines ls 8 notitle, \
     for [i = 1:words(cases)] data using 'n':(ratio(word(cases, i))) with points lc rgb colour(word('1 2 3 4 5 6 8 9', (i - 1) % 8 + 1) + 0) \
       pt 3 + i ps 0.9 lw 1.6 title sprintf('%s, layer %d', model(word(cases, i)), layer(word(cases, i)))
