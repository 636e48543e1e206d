# One layer, certified, and the theory's bounds at the same inputs, against n.
load 'bounds/style.gp'
data = folder . '/growth_char-gpt_3_alice.csv'
set logscale xy
set xtics (4, 8, 16, 32, 64)
set xrange [3.5:72]
set yrange [0.3:*]
set format y '10^{%L}'
set xlabel 'tokens n'
set ylabel spaced('||D_X f||_2 and its bounds (l^2)')
set title 'char-gpt layer 3, Alice: certified values and the theory'
bounds = 'T1 T9 T7 T6'
what(t) = t eq 'T1' ? 'T1, √n bound [C]' : t eq 'T9' ? 'T9, sharp unified' : t eq 'T7' ? 'T7, spread of P [Y]' : 'T6, pointwise'
plot for [i = 1:words(bounds)] data using 'n':word(bounds, i) smooth unique with linespoints ls i title what(word(bounds, i)), \
     data using 'n':'lower' with points ls 9 ps 0.9 title 'certified, both ends', \
     0.4 * sqrt(x) with lines ls 8 title 'proportional to √n'
