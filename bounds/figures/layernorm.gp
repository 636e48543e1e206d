# Attention and LayerNorm, layer by layer: local constants, and lengths of tokens. The longest sequences of layernorm.csv.
load 'bounds/style.gp'
set terminal svg size 1180,640 background '#ffffff' font 'Helvetica,Arial,sans-serif,15'
data = folder . '/layernorm.csv'
longest = system(sprintf("awk -F, '!/^#/ && $2 + 0 > m { m = $2 + 0 } END { print m }' '%s'", data)) + 0
sites = 'bert-tiny-sst2:1 char-gpt:0 char-gpt:1 char-gpt:2 char-gpt:3 mini-gpt:0 mini-gpt:1 mini-gpt:2 mini-gpt:3'
place(name) = sum [i = 1:words(sites)] (word(sites, i) eq name ? i : 0)
at(map, shift) = strcol('map') eq map && column('n') == longest \
  ? place(strcol('model') . ':' . strcol('layer')) + shift : NaN
set xrange [0.5:words(sites) + 0.5]
set xtics ()
label(site) = (site[1:1] eq 'b' ? 'bert' : site[1:4]) . "\n" . site[strlen(site):strlen(site)]
do for [i = 1:words(sites)] { set xtics add (label(word(sites, i)) i) }
set xlabel 'model (bert-tiny-sst2, char-gpt, mini-gpt) and layer' offset 0,-0.8
set logscale y
set pointsize 1.2
set multiplot layout 1,2 margins screen 0.07,0.985,0.35,0.87 spacing screen 0.08,0 \
  title sprintf('LayerNorm in trained models, n = %g tokens', longest) font ',18'
set title spaced('local l^2 Lipschitz constants, certified') offset 0,-0.4
set ylabel 'local constant'
set key at screen 0.02, screen 0.17 top left vertical Left reverse samplen 1.2 spacing 1.3 maxrows 3
plot data using (at('raw', -0.24)):(column('upper')) with points ls 1 title 'attention at h', \
     data using (at('normed', -0.08)):(column('upper')) with points ls 2 title 'attention at LN(h)', \
     data using (at('LN', 0.08)):(column('upper')) with points ls 3 title 'LN at h', \
     data using (at('composed', 0.24)):(column('product')) with points ls 6 pt 2 title 'product of the two norms', \
     data using (at('composed', 0.24)):(column('upper')) with points ls 9 title 'attention o LN, at h', \
     data using (at('normed', -0.08)):(column('T9')) with points ls 8 pt 1 title 'T9 on the ball of radius R'
set title 'length of the longest token' offset 0,-0.4
set ylabel spaced('l^2 norm') offset 1,0
set key at screen 0.68, screen 0.17 top left vertical Left reverse samplen 1.2 spacing 1.3 maxrows 3
plot data using (at('raw', -0.15)):(column('radius')) with points ls 1 title 'max ||h_i||', \
     data using (at('normed', 0.15)):(column('radius')) with points ls 9 title 'max ||LN(h_i)||', \
     data using (at('normed', 0.15)):(column('R')) with points ls 8 pt 1 title 'R, which LN enforces'
unset multiplot
