# Masked over unmasked at the same inputs, against n: the median over the sequences in a band from smallest to largest,
# a panel for each of the three models.
width = 1100; height = 520
load 'bounds/style.gp'
data = folder . '/mask.csv'
# Rows n,smallest,median,largest of one layer.
of(model, layer) = sprintf("< awk -F , '$1 == \"%s\" && $2 == %s { print $3 \",\" $9 }' %s | sort -t , -k 1,1g -k 2,2g | awk -F , -f bounds/quantiles.awk", model, layer, data)
layers(model) = system(sprintf("awk -F , '$1 ~ /^%s/ && !seen[$1,$2]++ { print $1 \":\" $2 }' %s", model, data))
name(c) = c[1:strstrt(c, ':') - 1]
layer(c) = c[strstrt(c, ':') + 1:*]
set logscale xy
set xtics (2, 4, 8, 16, 32, 64)
set ytics (0.4, 0.5, 0.7, 1, 1.4, 2)
set xrange [1.8:72]
set yrange [0.38:1.7]
set xlabel 'tokens n'
set key bottom center outside vertical maxrows 2 samplen 2
set style fill transparent solid 0.25 noborder
set multiplot layout 1,3 margins screen 0.085,0.985,0.27,0.83 spacing screen 0.05 \
  title 'What the causal mask does to the local Lipschitz constant' font ',18'
do for [model in 'random char-gpt mini-gpt'] {
  list = layers(model)
  set title (model eq 'random' ? 'random models of full size' : model)
  set ylabel (model eq 'random' ? spaced('masked ||D_X f||_2 / unmasked') : '')
  plot 1 with lines ls 8 notitle, \
       for [i = 1:words(list)] of(name(word(list, i)), layer(word(list, i))) using 1:2:4 with filledcurves ls i notitle, \
       for [i = 1:words(list)] of(name(word(list, i)), layer(word(list, i))) using 1:3 with linespoints ls i title \
         (model eq 'random' ? name(word(list, i))[8:*] . ', ' : '') . 'layer ' . layer(word(list, i))
}
unset multiplot
