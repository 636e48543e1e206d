# Growth with n of three trained models: a panel each, every layer in its colour, with the power law that fits it.
width = 1000; height = 600
load 'bounds/style.gp'
files(model) = system(sprintf("ls %s/growth_%s_*_alice.csv %s/growth_%s_*_sentences.csv 2>/dev/null", folder, model, folder, model))
layer(file) = system(sprintf("basename %s | cut -d _ -f 3", file))
fitted(file) = system(sprintf("awk -f bounds/fit.awk %s", file))
C(file) = real(system(sprintf("echo '%s' | cut -d , -f 4", fitted(file))))
a(file) = real(system(sprintf("echo '%s' | cut -d , -f 5", fitted(file))))
law(file) = sprintf('layer %s: %.3g n^{%.2f}', layer(file), C(file), a(file))
set logscale xy
set xtics (2, 4, 8, 16, 32, 64)
set xrange [1.7:75]
set xlabel 'tokens n'
set key bottom center outside vertical maxrows 4 samplen 1.5
set multiplot layout 1,3 margins screen 0.09,0.985,0.30,0.84 spacing screen 0.075 \
  title 'Local Lipschitz constant at real inputs (both certified ends within a mark)' font ',18'
do for [model in 'bert-tiny char-gpt mini-gpt'] {
  list = files(model)
  set title model . (model eq 'bert-tiny' ? ', no mask' : ', causal mask')
  set ylabel (model eq 'bert-tiny' ? '||D_X f||_2  (l^2 norms)' : '')
  set ytics add (0.2, 0.5, 2, 5, 20, 50)
  plot for [i = 1:words(list)] word(list, i) using 'n':'lower' with points ls i ps 0.7 notitle, \
       for [i = 1:words(list)] C(word(list, i)) * x**a(word(list, i)) with lines ls i notitle, \
       for [i = 1:words(list)] NaN with linespoints ls i title law(word(list, i))
}
unset multiplot
