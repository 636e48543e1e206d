# What the published code evaluates, as ratios to attention with its output projection. The longest sequences of paper_variants.csv.
load 'bounds/style.gp'
set terminal svg size 1100,560 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/paper_variants.csv'
longest = system(sprintf("awk -F, '!/^#/ && $2 + 0 > m { m = $2 + 0 } END { print m }' '%s'", data)) + 0
sites = 'bert-tiny-sst2:0 bert-tiny-sst2:1 char-gpt:0 char-gpt:3 mini-gpt:0 mini-gpt:3 random:gpt2:64;4;8:6'
names = 'bert-tiny bert-tiny char-gpt char-gpt mini-gpt mini-gpt random'
layer(site) = site[strlen(site):strlen(site)]
place(name) = sum [i = 1:words(sites)] (word(sites, i) eq name ? i : 0)
at(variant, shift) = strstrt(strcol('variant'), variant) == 1 && column('n') == longest \
  ? place(strcol('model') . ':' . strcol('layer')) + shift : NaN
set title sprintf('Variants of attention in the published code, n = %g tokens', longest)
set xrange [0.5:words(sites) + 0.5]
set xtics ()
do for [i = 1:words(sites)] { set xtics add (word(names, i) . "\n" . layer(word(sites, i)) i) }
set xlabel 'model (random: a random GPT-2, d = 64) and layer' offset 0,-0.8
set bmargin 5
set ylabel 'ratio to the plain local constant'
set logscale y
set yrange [0.25:4]
set ytics (0.25, 0.5, 0.7, 1, 1.4, 2, 4)
set pointsize 1.1
plot 1 with lines ls 8 title 'plain', \
     data using (at('masked', -0.1)):(column('ratio')) with points ls 2 title 'masked', \
     data using (at('unmasked', -0.2)):(column('ratio')) with points ls 3 title 'unmasked', \
     data using (at('block', 0.1)):(column('ratio')) with points ls 1 title "LN(x + f(x))", \
     data using (at('self', 0.0)):(column('ratio')) with points ls 6 title 'without W_O', \
     data using (at('sliced', 0.0)):(column('ratio')) with points ls 9 title 'heads, sliced', \
     data using (at('dropout', 0.2)):(column('ratio')) with points ls 4 title 'heads, dropout'
