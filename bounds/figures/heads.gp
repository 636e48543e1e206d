# The same weights under heads of several kinds: certified constants at t X against t, and T9 on the ball of radius t max |x_i|.
width = 1100
load 'bounds/style.gp'
data = folder . '/heads.csv'
kinds = 'plain rotary norm norm+rotary cap'
here(k, i) = strcol('kind') eq k && strcol('input') eq i
certified(k, i) = here(k, i) ? column("lower") : NaN
above(k) = here(k, 'text') ? column("T9") : NaN
set logscale xy
set logscale x 2
set format x '2^{%L}'
set format y '10^{%L}'
set xlabel 't: tokens t x_i'
set ylabel spaced('||D_{tX} f||_2 (l^2)')
set title 'The same weights, certified, and T9 on the ball'
plot for [i = 1:5] data using 't':(certified(word(kinds, i), 'text')) with linespoints ls i title word(kinds, i) . ', text', \
     for [i = 3:4] data using 't':(certified(word(kinds, i), 'null key')) with points ls i pt 5 ps 1.1 title word(kinds, i) . ', null key', \
     data using 't':(above('plain')) with lines ls 8 title 'T9 on the ball, plain', \
     data using 't':(above('norm')) with lines ls 8 dt 1 title 'T9 on the ball, norm'
