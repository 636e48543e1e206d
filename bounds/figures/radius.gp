# Tokens t x_i: the local Lipschitz constant of a head against t, and its limit by T8.
height = 600
load 'bounds/style.gp'
data = folder . '/radius.csv'
models = 'char-gpt mini-gpt bert-tiny-sst2'
here(m, mask) = strcol('model') eq m && strcol('mask') eq mask
certified(m, mask) = here(m, mask) ? column("lower") : NaN
limit(m, mask) = here(m, mask) ? column("limit_lower") : NaN
set logscale xy
set xlabel 't: tokens t x_i'
set ylabel spaced('||D_{tX} f||_2 of head 0 (l^2)')
set format x '2^{%L}'
set logscale x 2
set ytics (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500)
set title 'Tokens that grow: a peak, then the limit of T8'
plot for [i = 1:3] data using 't':(certified(word(models, i), 'none')) with linespoints ls i \
       title word(models, i) . ', no mask', \
     for [i = 1:3] data using 't':(certified(word(models, i), 'causal')) with linespoints ls i dt 3 lw 1.5 pt 2 * i + 3 \
       title word(models, i) . ', causal', \
     for [i = 1:3] data using 't':(limit(word(models, i), 'none')) with lines ls 8 \
       title (i == 1 ? 'limit (T8)' : ''), \
     for [i = 1:3] data using 't':(limit(word(models, i), 'causal')) with lines ls 8 notitle
