# Growth with n of three trained models: a panel each, every layer in its colour, with the power law that fits it over
# its data, beside the slopes of sqrt(n) and n^(1/4).
width = 1100; height = 620
load 'bounds/style.gp'
files(model) = system(sprintf("ls %s/growth_%s_*_alice.csv %s/growth_%s_*_sentences.csv 2>/dev/null", folder, model, folder, model))
layer(file) = system(sprintf("basename %s | cut -d _ -f 3", file))
fitted(file) = system(sprintf("awk -f bounds/fit.awk %s | tr , ' '", file))
array first[8]; array last[8]; array constant[8]; array exponent[8]
set logscale xy
set xtics (2, 4, 8, 16, 32, 64)
set xrange [1.7:75]
set xlabel 'tokens n'
set key bottom center outside vertical maxrows 4 samplen 1.5
set multiplot layout 1,3 margins screen 0.08,0.985,0.32,0.84 spacing screen 0.065 \
  title 'Local Lipschitz constant at real inputs (both certified ends within a mark)' font ',18'
do for [model in 'bert-tiny char-gpt mini-gpt'] {
  list = files(model)
  do for [i = 1:words(list)] {
    law = fitted(word(list, i))
    first[i] = real(word(law, 2)); last[i] = real(word(law, 3))
    constant[i] = real(word(law, 4)); exponent[i] = real(word(law, 5))
  }
  least = model eq 'char-gpt' ? 0.1 : 1
  set yrange [least:100 * least]
  set title model . (model eq 'bert-tiny' ? ', no mask' : ', causal mask')
  set ylabel (model eq 'bert-tiny' ? spaced('||D_X f||_2 (l^2 norms)') : '')
  set ytics add (0.2, 0.5, 2, 5, 20, 50)
  unset label
  set label '√n' at 21, 88 * least left font ',13' textcolor rgb '#888888'
  set label 'n^{1/4}' at 64, 55 * least right font ',13' textcolor rgb '#888888'
  plot for [i = 1:words(list)] word(list, i) using 'n':'lower' with points ls i ps 0.7 notitle, \
       [2:20] 30 * least * sqrt(x / 2) with lines ls 8 notitle, \
       [2:64] 30 * least * (x / 2)**0.25 with lines ls 8 notitle, \
       for [i = 1:words(list)] [first[i]:last[i]] constant[i] * x**exponent[i] with lines ls i notitle, \
       for [i = 1:words(list)] NaN with linespoints ls i \
         title sprintf('layer %s: %.3g n^{%.2f}', layer(word(list, i)), constant[i], exponent[i])
}
unset multiplot
